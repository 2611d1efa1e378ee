"""Plain shape: a red outline alone, in the strokes of the ovals; 3 shapes x 3 sizes x 3 widths = 27 images.

Paper, task 3: its models name "a primitive shape (for example, a red circle)" without an error. Were there circles
alone, always saying "circle" would be right.
"""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.circled_letter import WIDTHS_PX
from afterimage.suites.blindtest.designs.copies import Cell, Copies
from afterimage.suites.blindtest.names import OUTLINES

#: Width and height by the printed fraction of the canvas: a narrow letter's oval is as small as the first.
SIZES = {"0.06": 0.06, "0.12": 0.12, "0.25": 0.25}


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for shape, (size, fraction) in product(OUTLINES, SIZES.items()):
        base = f"{shape}_d{size.replace('.', '')}"
        for width, width_px in WIDTHS_PX.items():
            levels = {"shape": shape, "size": fraction, "line_width_px": width_px}
            factors = {"subtask": shape, "canvas": "512", "size": size, "line_width": str(width)}
            yield Cell(f"{base}_w{width}", base, levels, factors)


DESIGN = Copies(cells)
