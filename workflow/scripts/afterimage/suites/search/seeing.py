"""What the pixels show: the elements and the target, as proof of a stimulus and as the ideal observer's answer."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options, headed_question
from afterimage.seeing.image import Image, once
from afterimage.seeing.marks import Mark, marks
from afterimage.suites.search.design import ABSENT, NO, QUADRANTS, YES

#: Colour and form of what questions ask for, by their words.
TARGETS = {"red circle": ("red", "disc"), "letter t": ("black", "T")}


@once
def seen(image: Image) -> tuple[Mark, ...]:
    return tuple(marks(image))


def targets(items: Sequence[Mark], named: str | None = None) -> list[Mark]:
    """Return the items that are what is searched for; of any of the targets where none is named."""
    wanted = TARGETS.values() if named is None else (TARGETS[named],)
    return [item for item in items if (item.colour, item.form) in wanted]


def quadrant(item: Mark) -> str:
    return QUADRANTS[2 * (item.y >= 0.5) + (item.x >= 0.5)]


def described(items: Sequence[Mark]) -> str:
    """Say how many items there are and where the target is, in the words of the factor ``truth``."""
    found = [quadrant(item) for item in targets(items)]
    return f"{len(items)} items, target {' and '.join(found) or ABSENT}"


# ---- measuring ----


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    return described(seen(pixels))


# ---- observer ----

_TARGET = re.compile(rf"\b({'|'.join(TARGETS)})\b")


def answer(image: Image, text: str) -> str:
    """Answer whether something is there, or with the option, one per line of the text, that names its quarter.

    Raises:
        AfterimageError: It asks for nothing that can be searched for, or for the place of what is not there.
    """
    named = _TARGET.search(text.lower())
    if named is None:
        raise AfterimageError(
            f"the question '{text.strip()}' names nothing to search for; expected one of: {', '.join(TARGETS)}."
        )
    found = targets(seen(image), named[0])
    if headed_question(text) is None:
        return YES if found else NO
    _, options = headed_options(text)
    places = {name: option for option in options for name in QUADRANTS if name in option.lower()}
    if not found or quadrant(found[0]) not in places:
        raise AfterimageError(
            f"no option names the place of the {named[0]}: found "
            f"{' and '.join(map(quadrant, found)) or 'none in the image'}; expected one of: {', '.join(places)}."
        )
    return places[quadrant(found[0])]
