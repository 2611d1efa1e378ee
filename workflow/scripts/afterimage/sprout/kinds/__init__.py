"""The kinds of training pictures: two targets, a letter or a few things to count, and nothing else in any."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PIL import Image

from afterimage.sprout.kinds.compared import (
    arches,
    bends,
    bends_of_squares,
    discs_and_squares,
    halves,
    lengths_above,
    lengths_beside,
    lengths_oblique,
    lightness,
    parallels,
    vividness,
    yellowness,
)
from afterimage.sprout.kinds.named import counts, letters
from afterimage.sprout.picture import Case, Picture, new_case

#: Name to the function that draws a case at a resolution: two targets, one of which may have more.
COMPARED: dict[str, Callable[[Case, int], Picture]] = {
    "discs_and_squares": discs_and_squares,
    "arches": arches,
    "lengths_beside": lengths_beside,
    "lengths_above": lengths_above,
    "lengths_oblique": lengths_oblique,
    "parallels": parallels,
    "bends": bends,
    "bends_of_squares": bends_of_squares,
    "halves": halves,
    "vividness": vividness,
    "lightness": lightness,
    "yellowness": yellowness,
}

#: The same of what is shown and has a name.
NAMED: dict[str, Callable[[Case, int], Picture]] = {"letters": letters, "counts": counts}

#: All; the eye's heads know kinds by their order here.
KINDS = COMPARED | NAMED


def truths(kind: str) -> tuple[str, ...]:
    """Return what a kind's pictures are scored apart for: no difference and the suites', or what has a name."""
    return ("named",) if kind in NAMED else ("same", "different")


def draw(
    kind: str, random: np.random.Generator, side: int, differences: tuple[float, float]
) -> Picture:
    """Draw a picture of a kind with a difference from this range or none at all.

    It is drawn at twice its side and reduced as a model's processor reduces images (bicubic), so that thin lines look
    as they do in a suite's images.
    """
    drawn = KINDS[kind](new_case(random, differences), 2 * side)
    reduced = Image.fromarray(drawn.pixels).resize((side, side), Image.Resampling.BICUBIC)
    return replace(drawn, pixels=np.asarray(reduced))
