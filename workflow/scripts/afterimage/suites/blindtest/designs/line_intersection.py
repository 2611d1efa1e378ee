"""Line intersections: 150 images in release v1, 1,800 in release final (paper, task 1)."""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.copies import Cell, Copies

#: Class by number of the figure: 50 figures split into 17, 17 and 16, 300 into 100 each.
CLASSES = (0, 1, 2)

_V1_FIGURES = 50
_V1_WIDTHS_PT = (2, 3, 4)
_FINAL_FIGURES = 300
_FINAL_WIDTHS_PT = (2, 4)
_FINAL_SIDES_PX = (384, 768, 1152)


def cells(release: str) -> Iterator[Cell]:
    """Yield the design of release ``v1`` (50 figures x 3 widths) or ``final`` (300 x 2 x 3 sizes)."""
    if release == "v1":
        for figure, width in product(range(_V1_FIGURES), _V1_WIDTHS_PT):
            base = f"f{figure:02d}"
            yield _cell(f"{base}_w{width}", base, figure, width, (1000, 500), "1000x500")
        return
    for figure, width, side in product(range(_FINAL_FIGURES), _FINAL_WIDTHS_PT, _FINAL_SIDES_PX):
        base = f"f{figure:03d}"
        yield _cell(f"{base}_w{width}_s{side}", base, figure, width, (side, side), str(side))


def _cell(
    name: str, base: str, figure: int, width: int, canvas: tuple[int, int], canvas_name: str
) -> Cell:
    levels = {
        "canvas_px": list(canvas),
        "crossings": CLASSES[figure % len(CLASSES)],
        "line_width_pt": width,
    }
    factors = {
        "subtask": f"thickness_{width}",
        "canvas": canvas_name,
        "line_width": str(width),
    }
    return Cell(name, base, levels, factors)


DESIGN = Copies(cells)
