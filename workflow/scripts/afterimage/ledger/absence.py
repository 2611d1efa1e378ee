"""Why a study cannot have a number."""

from collections.abc import Mapping

from afterimage.contract.paper import Number, Place


def why_not(number: Number, place: Place, state: Mapping) -> str:
    """Return why a study cannot have a number that one of its tables would show; "" where it can."""
    if state["absent"]:
        return state["absent"]
    # What guessing gives does not depend on whose data there are.
    if place.table in state["missing"] and number.model != "random":
        return state["missing"][place.table]
    return "" if place.model else state["models"][number.model]["reason"]
