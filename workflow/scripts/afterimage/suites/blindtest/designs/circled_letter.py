"""Circled letter: every letter of three strings x 3 widths x 2 fonts x 4 paddings = 1,248.

Paper, task 3.
"""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.copies import Cell, Copies
from afterimage.suites.blindtest.names import WORDS

#: LiberationSans has the advances of Helvetica, which may not be redistributed.
FONTS = ("LiberationSans", "OpenSans")
PADDINGS = (25, 50, 100, 200)
#: Width of the oval's stroke by its nominal points, px, as measured on the originals.
WIDTHS_PX = {4: 3.7, 5: 4.7, 6: 5.7}


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for word, font, padding in product(WORDS, FONTS, PADDINGS):
        for index, width in product(range(len(word)), WIDTHS_PX):
            base = f"{word.lower()}_{font.lower()}_p{padding:03d}_{index:02d}"
            levels = {
                "word": word,
                "letter_index": index,
                "font": font,
                "padding": padding,
                "line_width_px": WIDTHS_PX[width],
            }
            factors = {
                "subtask": word,
                "canvas": "512",
                "word": word,
                "letter_index": str(index),
                "font": font,
                "padding": str(padding),
                "line_width": str(width),
            }
            yield Cell(f"{base}_w{width}", base, levels, factors)


DESIGN = Copies(cells)
