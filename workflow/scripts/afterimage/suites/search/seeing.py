"""Finds the items and the target in the pixels, to verify a stimulus and as the ideal observer's answer."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options, headed_question
from afterimage.seeing.image import Image, once
from afterimage.seeing.marks import Mark, marks
from afterimage.suites.search.design import ABSENT, NO, QUADRANTS, YES

#: The targets' names in questions, to their colour and form.
TARGETS = {"red circle": ("red", "disc"), "letter t": ("black", "T")}


@once
def seen(image: Image) -> tuple[Mark, ...]:
    return tuple(marks(image))


def targets(items: Sequence[Mark], named: str | None = None) -> list[Mark]:
    """Return the items that are the named target, or any target where none is named."""
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
    """Answer whether the target is present, or with the option (one per line of the text) that names its quadrant.

    Raises:
        AfterimageError: The question names no target, or it is about the quadrant of an absent target.
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
    option_of = {name: option for option in options for name in QUADRANTS if name in option.lower()}
    if not found or quadrant(found[0]) not in option_of:
        raise AfterimageError(
            f"no option names the place of the {named[0]}: found "
            f"{' and '.join(map(quadrant, found)) or 'none in the image'}; expected one of: {', '.join(option_of)}."
        )
    return option_of[quadrant(found[0])]
