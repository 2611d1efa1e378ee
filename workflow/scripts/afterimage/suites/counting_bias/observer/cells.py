"""Cells of a grid, and the dots or strokes in one of them."""

from itertools import pairwise

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, once
from afterimage.suites.counting_bias.observer.lines import line_runs

#: Levels below which a pixel is ink: half covered.
_INK = 128
#: Of the longest line's reach, what every line has.
_LEAST_REACH = 0.9
#: A disc covers this share of its box; and what a drawn one may differ by.
_DISC, _DISC_WITHIN = np.pi / 4, 0.09
#: Where upright strokes stand alone, share of their height from the top; the fifth crosses them below.
_TOP = 0.08


@once
def find_cells(image: Image) -> list[list[Image]]:
    """Return the cells of a grid, row by row; one alone is a grid of one.

    Raises:
        AfterimageError: There is no grid.
    """
    dark = image.max(axis=2) < _INK
    sides = []
    for axis in (1, 0):
        reach = dark.sum(axis=axis)
        lines = line_runs(reach >= max(_LEAST_REACH * reach.max(), 1))
        sides.append([slice(a[1], b[0]) for a, b in pairwise(lines)])
    if not sides[0] or not sides[1]:
        raise AfterimageError("looked for a grid of cells and found none.")
    return [[image[row, column] for column in sides[1]] for row in sides[0]]


def count_circles(cell: Image) -> int:
    """Count discs in a cell.

    Raises:
        AfterimageError: Something in it is no disc.
    """
    labels, number = ndimage.label(cell.max(axis=2) < _INK)
    for place, box in enumerate(ndimage.find_objects(labels), start=1):
        share = float((labels[box] == place).mean())
        if abs(share - _DISC) > _DISC_WITHIN:
            raise AfterimageError(
                f"looked for circles in a cell and found a piece that covers {share:.0%} of its box; "
                f"expected {_DISC:.0%}."
            )
    return int(number)


def count_strokes(cell: Image) -> int:
    """Count strokes in a cell: upright ones, and one more for every group that is crossed."""
    labels, _ = ndimage.label(cell.max(axis=2) < _INK, np.ones((3, 3)))
    total = 0
    for place, box in enumerate(ndimage.find_objects(labels), start=1):
        piece = labels[box] == place
        upright = len(line_runs(piece[round(_TOP * len(piece))]))
        total += upright + (upright > 1)
    return total
