"""Grids: how many rows and columns."""

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.observer.segmentation import ink_window

# A thin line that lies across two pixel rows leaves at least this much ink in one of them.
_LEAST_INK = 0.35
# A line is inked from end to end. Words leave the space between them and the cells' margins free.
_LEAST_SHARE = 0.9


def measure_grid(image: np.ndarray) -> str:
    """Count the rows and columns of a grid by its lines, whatever stands in the cells.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Returns:
        ``<rows>x<columns>``.

    Raises:
        AfterimageError: There are fewer than two lines in a direction.
    """
    # Lines are black or gray, so that any channel has all there is to see.
    lack = 255 - image[..., 1]
    lack = lack[ink_window(lack, "a grid")]
    is_inked = lack > _LEAST_INK * int(lack.max())
    horizontal = _runs(is_inked.mean(axis=1) >= _LEAST_SHARE)
    vertical = _runs(is_inked.mean(axis=0) >= _LEAST_SHARE)
    if min(horizontal, vertical) < 2:
        raise AfterimageError(
            f"looked for a grid and found {horizontal} horizontal and {vertical} vertical lines "
            "from end to end."
        )
    return f"{horizontal - 1}x{vertical - 1}"


def _runs(marks: np.ndarray) -> int:
    """Count the runs of true values."""
    return int(np.count_nonzero(np.diff(marks.astype(np.int8), prepend=0) == 1))
