"""The kinds of training pictures: two targets, a letter or a few things to count, and nothing else in any."""

import math
import string
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
from PIL import Image

from afterimage.drawing.text import FILES, TextLine, box_of, typeface
from afterimage.sprout.compared import (
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
from afterimage.sprout.picture import MIDDLE, Case, Picture, Sketch, new_case, scaled_places

# ---- What is shown has a name, and nothing is compared: one letter, or some discs or squares to count ----

LETTERS = tuple(string.ascii_uppercase)
NUMBERS = tuple("123456789")


def letters(case: Case, side: int) -> Picture:
    category = int(case.random.integers(len(LETTERS)))
    face = typeface(str(case.random.choice(list(FILES))))
    glyph = TextLine(LETTERS[category], face, case.between(110, 190), (0.0, 0.0)).polygons()
    left, top, right, bottom = box_of(glyph)
    x, y = MIDDLE + case.about(8), MIDDLE + case.about(8)
    at = np.array([(x - (left + right) / 2, y - (top + bottom) / 2)])
    sketch = Sketch(side, case.ground)
    sketch.region([polygon + at for polygon in glyph], case.colours[0])
    return Picture(
        sketch.pixels(),
        "letters",
        category,
        0.0,
        scaled_places([(x, y, right - left, bottom - top)] * 2),
        words=case.named(False),
        asked=("letter",),
        names=LETTERS,
        mirrors=False,
    )


def counts(case: Case, side: int) -> Picture:
    category = int(case.random.integers(len(NUMBERS)))
    noun = "circle" if case.chance(0.6) else "square"
    # On cells of a grid, so that any number has room and none touches another.
    diameter, cells = case.between(18, 38), 4
    width = 200 / cells
    room = (width - diameter) / 2 - 2
    chosen = case.random.permutation(list(product(range(cells), repeat=2)))[: category + 1]
    sketch, middles = Sketch(side, case.ground), []
    for column, row in chosen.tolist():
        x, y = (
            MIDDLE + width * (index - (cells - 1) / 2) + case.about(room) for index in (column, row)
        )
        if noun == "circle":
            sketch.disc(x, y, diameter, case.colours[0])
        else:
            sketch.square(x, y, diameter, case.colours[0])
        middles.append((x, y))
    x, y = np.mean(middles, axis=0).tolist()
    spread = math.sqrt(float(np.var(middles, axis=0).sum()))
    return Picture(
        sketch.pixels(),
        "counts",
        category,
        0.0,
        scaled_places([(x, y, diameter, spread)] * 2),
        words={**case.named(False), "noun": noun},
        asked=("count",),
        names=NUMBERS,
    )


# ---- All kinds ----

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

#: What the pictures of each kind show, for the model card.
SHOWN = {
    "discs_and_squares": "two discs or two squares side by side, of one colour or of two",
    "arches": "two arches of two colours side by side, both opening downward or both upward",
    "lengths_beside": "two upright lines side by side",
    "lengths_above": "two lying lines, one above the other",
    "lengths_oblique": "two lines of two colours that lean against each other: apart, or meeting in a V or an "
    "inverted V",
    "parallels": "two lines in any direction; they come closer toward its end",
    "bends": "two lines, lying or upright; bowed away from each other",
    "bends_of_squares": "a square, upright or on its corner; its sides are bowed inward",
    "halves": "a dot in a black rectangle; nearer to its top",
    "vividness": "two squares of one hue, mixed with grey in different shares, on grey",
    "lightness": "two grey squares, each with a small dot of one colour, on grey",
    "yellowness": "two discs of one hue, filled or of level stripes, one of them yellower",
    "letters": "a capital letter; what is asked is which",
    "counts": "one to nine discs or squares of one size that do not touch; what is asked is how many",
}


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
