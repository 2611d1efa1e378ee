"""Grids: 2 kinds x 22 shapes x 3 sizes x 2 widths = 264 (paper, task 6)."""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.copies import Cell, Copies

KINDS = ("blank", "text")
#: Rows and columns: N x N, N x (N+1), (N+1) x N for N = 3 to 9, and 10 x 10.
SHAPES = (*((n + r, n + c) for n in range(3, 10) for r, c in ((0, 0), (0, 1), (1, 0))), (10, 10))

_SIDES_PX = (500, 1250, 2000)
_WIDTHS_PX = (10, 20)


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for kind, (rows, columns) in product(KINDS, SHAPES):
        base = f"{kind}_{rows}x{columns}"
        for side, width in product(_SIDES_PX, _WIDTHS_PX):
            levels = {
                "kind": kind,
                "rows": rows,
                "columns": columns,
                "side_px": side,
                "line_width_at_2000_px": width,
            }
            factors = {
                "subtask": kind,
                "canvas": str(side),
                "rows": str(rows),
                "columns": str(columns),
                "line_width": str(width),
            }
            yield Cell(f"{base}_s{side}_w{width}", base, levels, factors)


DESIGN = Copies(cells)
