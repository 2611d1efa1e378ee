"""The article about polling for objects prints no measured score, so no cell of a study is compared with it."""

from collections.abc import Mapping

from afterimage.contract.paper import nowhere

#: Nothing that is printed is a result, and the printed sizes are those of the procedure.
place = recorded = size = nowhere


def missing(settings: Mapping) -> dict[str, str]:
    """Return nothing: no table is compared."""
    return {}
