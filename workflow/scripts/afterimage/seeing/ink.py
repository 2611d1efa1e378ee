"""Ink on white paper: how much light each pixel lacks, and where there is any."""

import numpy as np
from numpy.typing import NDArray

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Window, window_of

#: What a pixel of full brightness holds per channel.
WHITE = 255
#: Ink in 8-bit steps below which a pixel is background: rounding and ringing of a resized edge.
LEAST_INK = 12
_PAPER_STEP = 3
_LEAST_PAPER = 0.4
# Ink that a resized outline leaves in the row outside of it stays below this.
_LEAST_COVERAGE = 0.2
# Rows from an apex, as shares of the figure's height, between which its two sides are read.
_SIDES_READ = (0.05, 0.25)
# Between the first row of an apex that has visible ink and the apex itself, in rows.
_APEX_BLUR = 1.5


def require_white_paper(image: Image) -> None:
    """Check that most of an image is white.

    Raises:
        AfterimageError: It is not, so that what lacks to white would not be ink.
    """
    share = float((darkest_lack(image[::_PAPER_STEP, ::_PAPER_STEP]) < LEAST_INK).mean())
    if share < _LEAST_PAPER:
        raise AfterimageError(
            f"looked for a figure on white and found {share:.0%} of the image white, "
            f"expected at least {_LEAST_PAPER:.0%}."
        )


def darkest_lack(image: Image) -> NDArray[np.uint8]:
    """Return what the channel that lacks most lacks to white, uint8, shape (height, width)."""
    least = np.minimum(image[..., 0], image[..., 1])
    np.minimum(least, image[..., 2], out=least)
    return WHITE - least


def ink_window(lack: NDArray[np.uint8], looked_for: str) -> Window:
    """Return the smallest window that holds all ink.

    Args:
        lack: Lacking light, uint8, shape (height, width).
        looked_for: What the ink should show, for the error.

    Raises:
        AfterimageError: There is no ink.
    """
    return window_of(lack >= LEAST_INK, f"looked for {looked_for} and found an empty image.")


def black_coverage(image: Image) -> Floats:
    """Return how much of each pixel black ink covers, 0 to 1, shape (height, width)."""
    lightest = np.maximum(np.maximum(image[..., 0], image[..., 1]), image[..., 2])
    return 1.0 - lightest / np.float32(WHITE)


def upper_edge(ink: Floats) -> float:
    """Return the y of the topmost ink in px; ink, 0 to 1, has shape (height, width)."""
    darkest = ink.max(axis=1)
    rows = np.flatnonzero(darkest >= _LEAST_COVERAGE)
    # A partly covered first row says by how much: a level edge lies that far inside the row.
    level = rows[0] + 1.0 - darkest[rows[0]]
    first, last = (round(rows[0] + share * (rows[-1] - rows[0])) for share in _SIDES_READ)
    widths = np.array([_outer_width(row) for row in ink[first : last + 1]])
    slope, offset = np.polyfit(np.arange(first, last + 1) + 0.5, widths, 1)
    # An apex covers little of its first rows, so it is read where the two sides meet instead.
    meet = -offset / slope if slope > 0.05 else -np.inf
    return float(meet) if abs(meet - level) <= _APEX_BLUR else float(level)


def _outer_width(row: Floats) -> float:
    """Return the distance in px between the outermost half-inked places of a row, 0 without any."""
    dark = np.flatnonzero(row >= 0.5)
    if not len(dark) or dark[0] == 0 or dark[-1] == len(row) - 1:
        return 0.0
    left = dark[0] - (row[dark[0]] - 0.5) / (row[dark[0]] - row[dark[0] - 1])
    right = dark[-1] + (row[dark[-1]] - 0.5) / (row[dark[-1]] - row[dark[-1] + 1])
    return float(right - left)
