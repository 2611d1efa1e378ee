"""Plain string: the strings of the circled letter as they are set there, without the oval; 24 images.

Paper, task 3: its models "can read all characters of these strings".
"""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.circled_letter import FONTS, PADDINGS
from afterimage.suites.blindtest.designs.copies import Cell, Copies
from afterimage.suites.blindtest.names import WORDS


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for word, font, padding in product(WORDS, FONTS, PADDINGS):
        name = f"{word.lower()}_{font.lower()}_p{padding:03d}"
        levels = {"word": word, "font": font, "padding": padding}
        factors = {
            "subtask": word,
            "canvas": "512",
            "word": word,
            "font": font,
            "padding": str(padding),
        }
        yield Cell(name, name, levels, factors)


DESIGN = Copies(cells)
