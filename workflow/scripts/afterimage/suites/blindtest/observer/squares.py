"""Nested squares: how many outlines lie one inside the other."""

from itertools import pairwise

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.observer.segmentation import darkest_lack, ink_window

_EIGHT_NEIGHBOURS = np.ones((3, 3))
# Line caps may leave a corner open or stick out by a line width.
_SIDE_TOLERANCE_PX = 3
_SIDE_TOLERANCE = 0.04
# Share of its box that the ink of the smallest outline of the thickest line may fill.
_MOST_INK = 0.9


def measure_squares(image: np.ndarray) -> str:
    """Count nested squares: connected outlines, each with an equal width and height, each in the last.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Returns:
        The number of squares as a string.

    Raises:
        AfterimageError: There is no ink, or an outline is no square inside the one around it.
    """
    lack = darkest_lack(image)
    lack = lack[ink_window(lack, "nested squares")]
    labels, count = ndimage.label(lack > int(lack.max()) // 2, structure=_EIGHT_NEIGHBOURS)
    boxes = ndimage.find_objects(labels)
    for box, inked in zip(boxes, np.bincount(labels.ravel())[1:], strict=True):
        _require_square_outline(box, int(inked))
    boxes.sort(key=lambda box: box[0].start - box[0].stop)
    for outer, inner in pairwise(boxes):
        if any(a.start >= b.start or a.stop <= b.stop for a, b in zip(outer, inner, strict=True)):
            raise AfterimageError(
                "looked for nested squares and found an outline that is not inside the next larger one."
            )
    return str(count)


def _require_square_outline(box: tuple[slice, slice], inked: int) -> None:
    """Check that connected ink is as wide as high and leaves its inside free."""
    height, width = (part.stop - part.start for part in box)
    if abs(height - width) > max(_SIDE_TOLERANCE_PX, _SIDE_TOLERANCE * height):
        raise AfterimageError(f"looked for squares and found an outline of {width} x {height} px.")
    if inked > _MOST_INK * height * width:
        raise AfterimageError(
            f"looked for outlines of squares and found a filled shape of {width} x {height} px."
        )
