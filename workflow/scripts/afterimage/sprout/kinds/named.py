"""One letter, or some discs or squares to count: what is shown has a name, and nothing is compared."""

import math
import string
from itertools import product

import numpy as np

from afterimage.drawing.text import FILES, TextLine, box_of, typeface
from afterimage.sprout.picture import MIDDLE, Case, Picture, Sketch, scaled_places

LETTERS = tuple(string.ascii_uppercase)
NUMBERS = tuple("123456789")


def letters(case: Case, side: int) -> Picture:
    """A capital letter; what is asked is which."""
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
    """One to nine discs or squares of one size that do not touch; what is asked is how many."""
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
            MIDDLE + width * (place - (cells - 1) / 2) + case.about(room) for place in (column, row)
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
