"""Rows of overlapping outlines: how many shapes there are."""

import numpy as np
from scipy.signal import find_peaks

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.observer.segmentation import darkest_lack, ink_window

_LEAST_INK = 12
# As shares of the height of both rows together: how near to the edge of the rows a shape's outermost
# point lies, and how far the outline recedes between two shapes of a row.
_NEAR_EDGE = 0.12
_RECEDES = 0.1


def measure_shapes(image: np.ndarray) -> str:
    """Count the outlines of two interlaced rows.

    Shapes of one row do not overlap, so that each shape of the upper row is a hump of the figure's upper
    edge, and each of the lower row one of its lower edge. Neither edge depends on where the outlines
    cross, on their colours, or on whether a thin line has gaps.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Returns:
        The number of shapes as a string.

    Raises:
        AfterimageError: There is no ink, or not two rows of shapes.
    """
    lack = darkest_lack(image)
    inked = lack[ink_window(lack, "rows of shapes")] >= _LEAST_INK
    upper, lower = _humps(inked), _humps(inked[::-1])
    if not upper or not lower or abs(upper - lower) > 1:
        raise AfterimageError(
            f"looked for two interlaced rows of shapes and found {upper} above and {lower} below."
        )
    return str(upper + lower)


def _humps(inked: np.ndarray) -> int:
    """Count the humps of the upper edge that reach its highest level."""
    height = len(inked)
    depth = np.where(inked.any(axis=0), np.argmax(inked, axis=0), height)
    edge = np.pad(height - depth, 1)
    peaks, _ = find_peaks(edge, height=(1 - _NEAR_EDGE) * height, prominence=_RECEDES * height)
    return len(peaks)
