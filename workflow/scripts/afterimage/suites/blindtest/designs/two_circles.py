"""Two circles: 4 diameters x 14 gaps x 4 orientations x 3 sizes = 672 (paper, task 2)."""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.copies import Cell, Copies

#: Width, height and the side that lengths are fractions of, px; as the originals were saved.
CANVASES = ((384, 385, 385), (769, 770, 770), (1155, 1155, 1155))
ORIENTATIONS = ("horizontal", "vertical", "diagonal_1", "diagonal_2")

_DIVISORS = (4, 5, 6, 7)
_GAPS_PERCENT = tuple(range(-15, 55, 5))


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for divisor, percent, orientation, canvas in product(
        _DIVISORS, _GAPS_PERCENT, ORIENTATIONS, CANVASES
    ):
        sign = "m" if percent < 0 else ""
        base = f"d{divisor}_gap{sign}{abs(percent):02d}_{orientation}"
        levels = {
            "canvas_px": list(canvas[:2]),
            "side_px": canvas[2],
            "diameter_divisor": divisor,
            "gap_percent": percent,
            "orientation": orientation,
        }
        factors = {
            "canvas": str(canvas[0]),
            "diameter": f"{1 / divisor:.2f}",
            "gap": f"{percent / 100:.2f}",
            "orientation": orientation,
        }
        yield Cell(f"{base}_s{canvas[0]}", base, levels, factors)


DESIGN = Copies(cells)
