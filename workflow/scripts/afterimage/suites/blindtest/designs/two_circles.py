"""Two circles: 4 diameters x 14 gaps x 4 orientations x 3 sizes = 672 (paper, task 2)."""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.canvases import CANVASES, canvas_name
from afterimage.suites.blindtest.designs.copies import Cell, Copies

ORIENTATIONS = ("horizontal", "vertical", "diagonal_1", "diagonal_2")

_DIVISORS = (4, 5, 6, 7)
_GAPS_PERCENT = tuple(range(-15, 55, 5))


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for divisor, percent, orientation, (width, height) in product(
        _DIVISORS, _GAPS_PERCENT, ORIENTATIONS, CANVASES
    ):
        sign = "m" if percent < 0 else ""
        base = f"d{divisor}_gap{sign}{abs(percent):02d}_{orientation}"
        levels = {
            "canvas_px": [width, height],
            "side_px": height,
            "diameter_divisor": divisor,
            "gap_percent": percent,
            "orientation": orientation,
        }
        factors = {
            "canvas": canvas_name(width, height),
            "diameter": f"{1 / divisor:.2f}",
            "gap": f"{percent / 100:.2f}",
            "orientation": orientation,
        }
        yield Cell(f"{base}_s{width}", base, levels, factors)


DESIGN = Copies(cells)
