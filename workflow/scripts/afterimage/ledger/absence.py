"""Why a study cannot have a number, and why one that it has is not the paper's question."""

from collections.abc import Mapping

from afterimage.contract.paper import Number, Place
from afterimage.ledger.cells import Files


def why_not(number: Number, place: Place, state: Mapping) -> str:
    """Return why a study cannot have a number that one of its tables would show; "" where it can."""
    if state["absent"]:
        return str(state["absent"])
    printed = place.models or (() if place.model else (number.model,))
    lacking = [state["models"][name] for name in printed if not state["models"][name]["name"]]
    if not lacking:
        return ""
    # What is to be fetched comes before who is to be asked about it.
    return str(state["missing"].get(place.table) or lacking[0]["reason"])


def row_name(number: Number, place: Place, state: Mapping) -> str:
    """Return the name of the row that holds a number: that of a model, of several together, or of no model."""
    names = sorted(state["models"][name]["name"] for name in place.models or (number.model,))
    return " + ".join(names)


def why_other(number: Number, place: Place, model: str, state: Mapping, files: Files) -> str:
    """Return why a study's number is about other images or questions than the paper's; "" where it is not.

    The study's settings may say so. Else as many have to be asked about as the paper asked about, in each column that
    :attr:`Place.asked` names, or the same multiple of it in all: repeats, or further drawings of the same.
    """
    # What guessing gives does not depend on whose data there are.
    if number.model == "random":
        return ""
    if place.table in state["missing"]:
        return str(state["missing"][place.table])
    if not place.asked:
        return "how many of which the paper asked about is not printed, so these cannot be told to be the same"
    found = files.asked(place, model)
    times = {found.get(column, 0) / count for column, count in place.asked.items()}
    if len(times) == 1 and (most := times.pop()) > 0 and most.is_integer():
        return ""
    differing = {
        column: found.get(column, 0)
        for column, count in place.asked.items()
        if found.get(column, 0) != count
    }
    column, count = next(iter(differing.items()))
    return (
        f"other images or questions than the paper's: {files.path(place.asked_file)} has {count} in the column "
        f"{column}, the paper {place.asked[column]}"
    )
