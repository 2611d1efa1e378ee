"""Nested squares: 4 depths x 10 figures x 3 widths = 120 (paper, task 5).

The page has 10 images of each line width, whose squares lie at different places. In the authors' images these are the
same 10 figures for each width, so that 40 are independent; ``squares_per_width`` draws 120, each for one width.
"""

from collections.abc import Iterator
from itertools import product

from afterimage.contract.stimulus import Json
from afterimage.suites.blindtest.designs.copies import Cell, Copies

DEPTHS = (2, 3, 4, 5)

_FIGURES_PER_DEPTH = 10
_WIDTHS_PT = (2, 3, 4)


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for depth, figure, width in product(DEPTHS, range(_FIGURES_PER_DEPTH), _WIDTHS_PT):
        base = f"n{depth}_f{figure:02d}"
        levels = {"depth": depth, "line_width_pt": width}
        factors = {
            "subtask": f"depth_{depth}",
            "canvas": "1000",
            "depth": str(depth),
            "line_width": str(width),
        }
        yield Cell(f"{base}_w{width}", base, levels, factors)


def _base(cell: Cell, settings: Json) -> str:
    return cell.name if settings["squares_per_width"] else cell.base


DESIGN = Copies(cells, base=_base)
