"""Subway maps: 45 maps x 2 sizes x 2 widths = 180 (paper, task 7).

Which stations a map joins is part of the design: exactly N paths end at each of four stations just
when ``a`` of them join AB and as many CD, ``b`` AC and BD, ``c`` AD and BC, with a + b + c = N. The
lists below give the original's numbers of questions (30, 44 and 60 per rendering) and of answers (92
times 1, 38 times 2, 4 times 3 per rendering) but, unlike the original, favour no pair of stations.
"""

from collections.abc import Iterator
from itertools import product

from afterimage.suites.blindtest.designs.copies import Cell, Copies

#: The pairs that are joined together, in the order (a, b, c) of :data:`JOINED`.
MATCHINGS = (("AB", "CD"), ("AC", "BD"), ("AD", "BC"))
PAIRS = ("AB", "AC", "AD", "BC", "BD", "CD")

#: For each number of paths per station, the 15 maps.
JOINED = {
    1: ((1, 0, 0), (0, 1, 0), (0, 0, 1)) * 5,
    2: (
        *((2, 0, 0), (0, 2, 0), (0, 0, 2)) * 2,
        *((2, 0, 0), (0, 2, 0)),
        *((1, 1, 0), (1, 0, 1), (0, 1, 1)) * 2,
        (0, 1, 1),
    ),
    3: (
        *((3, 0, 0), (0, 3, 0)),
        *((1, 2, 0), (1, 0, 2), (2, 1, 0), (0, 1, 2), (2, 0, 1), (0, 2, 1)),
        *((1, 0, 2), (0, 1, 2), (2, 0, 1), (0, 2, 1), (1, 0, 2)),
        *((1, 1, 1), (1, 1, 1)),
    ),
}

_SIDES_PX = (512, 1024)
_WIDTHS_PT = (10, 20)


def cells(release: str) -> Iterator[Cell]:
    """Yield the design, the same in every release."""
    for count, maps in JOINED.items():
        for number, joined in enumerate(maps):
            base = f"n{count}_m{number:02d}"
            for side, width in product(_SIDES_PX, _WIDTHS_PT):
                levels = {
                    "path_count": count,
                    "joined": list(joined),
                    "side_px": side,
                    "line_width_pt": width,
                }
                factors = {
                    "subtask": f"paths_{count}",
                    "canvas": str(side),
                    "path_count": str(count),
                    "line_width": str(width),
                }
                yield Cell(f"{base}_s{side}_w{width}", base, levels, factors)


DESIGN = Copies(cells)
