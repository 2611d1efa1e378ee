"""What is on a search field, from its pixels alone."""

from collections.abc import Sequence

from afterimage.seeing.image import Image, once
from afterimage.seeing.marks import Mark, marks
from afterimage.suites.search.names import ABSENT, QUADRANTS

#: Colour and form of what questions ask for, by their words.
TARGETS = {"red circle": ("red", "disc"), "letter t": ("black", "T")}


@once
def seen(image: Image) -> tuple[Mark, ...]:
    """Return the items of an image."""
    return tuple(marks(image))


def targets(items: Sequence[Mark], named: str | None = None) -> list[Mark]:
    """Return the items that are what is searched for; of any of the targets where none is named."""
    wanted = TARGETS.values() if named is None else (TARGETS[named],)
    return [item for item in items if (item.colour, item.form) in wanted]


def quadrant(item: Mark) -> str:
    """Return the quarter of the image in which an item lies."""
    return QUADRANTS[2 * (item.y >= 0.5) + (item.x >= 0.5)]


def described(items: Sequence[Mark]) -> str:
    """Say how many items there are and where the target is, in the words of the factor ``truth``."""
    found = [quadrant(item) for item in targets(items)]
    return f"{len(items)} items, target {' and '.join(found) or ABSENT}"
