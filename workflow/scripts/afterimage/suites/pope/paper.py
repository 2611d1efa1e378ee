"""The article about polling for objects prints no measured score, so no cell of a study is compared with it."""

from collections.abc import Mapping

from afterimage.contract.paper import Number, Place, Size


def place(number: Number) -> Place | None:
    """Return None: nothing that is printed is a result."""
    return None


def recorded(number: Number) -> Place | None:
    """Return None, as :func:`place`."""
    return None


def size(number: Number) -> Size | None:
    """Return None: the printed sizes are those of the procedure."""
    return None


def missing(settings: Mapping) -> dict[str, str]:
    """Return nothing: no table is compared."""
    return {}
