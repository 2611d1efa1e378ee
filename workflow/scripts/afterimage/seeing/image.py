"""Images as arrays: what every observer asks of one, and how requests about the same one share a measurement."""

from collections import deque
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TypeAlias, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError

#: 8-bit RGB, shape (height, width, 3).
Image: TypeAlias = NDArray[np.uint8]
#: Which pixels, shape (height, width).
Mask: TypeAlias = NDArray[np.bool_]
#: Levels, coverages or coordinates, of any shape.
Floats: TypeAlias = NDArray[np.floating]
#: Rows and columns of a part of an image.
Window: TypeAlias = tuple[slice, slice]

# Requests about one image follow each other.
_REMEMBERED_IMAGES = 4
# Of so many rows one is compared first.
_STRIDE = 16

_Found = TypeVar("_Found")
_Arguments = TypeVarTuple("_Arguments")


def require_rgb(image: object, least_side_px: int = 64) -> None:
    """Check that an image is an 8-bit RGB array that is large enough to be measured.

    Raises:
        AfterimageError: It is no array, has another type or shape, or a side below ``least_side_px``.
    """
    expected = "an image must be a uint8 array of shape (height, width, 3)"
    if not isinstance(image, np.ndarray):
        raise AfterimageError(f"{expected}, found a {type(image).__name__}.")
    if image.dtype != np.uint8 or image.shape[2:] != (3,):
        raise AfterimageError(f"{expected}, found {image.dtype} {image.shape}.")
    height, width = image.shape[:2]
    if min(height, width) < least_side_px:
        raise AfterimageError(
            f"an image needs at least {least_side_px} px a side to be measured, "
            f"found {width} x {height}."
        )


def once(
    function: Callable[[Image, *_Arguments], _Found],
) -> Callable[[Image, *_Arguments], _Found]:
    """Remember what a function of an image found, or why nothing, for the last four calls that differ.

    The cache key is the image's pixels and the other arguments. All callers share the result, so it
    must not be changed.
    """
    kept: deque[tuple[Image, tuple[*_Arguments], _Found | AfterimageError]] = deque(
        maxlen=_REMEMBERED_IMAGES
    )

    @wraps(function)
    def asked(image: Image, *arguments: *_Arguments) -> _Found:
        for known, others, remembered in kept:
            if others == arguments and (known is image or is_same(known, image)):
                return _found(remembered)
        # A copy, unless the cached image is immutable.
        frozen = image.copy() if image.flags.writeable else image
        frozen.flags.writeable = False
        found: _Found | AfterimageError
        try:
            found = function(frozen, *arguments)
        except AfterimageError as error:
            # Without its traceback, which would keep all that was measured on the way.
            found = AfterimageError(str(error))
        kept.appendleft((frozen, arguments, found))
        return _found(found)

    return asked


def is_same(image: Image, other: Image) -> bool:
    """Tell whether two images have the same pixels: rows from all over them first, which show that they have not."""
    return image.shape == other.shape and all(
        np.array_equal(image[first::_STRIDE], other[first::_STRIDE]) for first in range(_STRIDE)
    )


def _found(found: _Found | AfterimageError) -> _Found:
    if isinstance(found, AfterimageError):
        raise AfterimageError(str(found))
    return found


def widened(window: Window, margin_px: int) -> Window:
    """Return a window with a margin; the image clips it at the far sides by itself."""
    rows, columns = (
        slice(max(part.start - margin_px, 0), part.stop + margin_px) for part in window
    )
    return rows, columns


def window_of(mask: Mask, missing: str) -> Window:
    """Return the smallest window that holds all pixels of a mask.

    Args:
        mask: Shape (height, width).
        missing: The error's sentence where there are none.

    Raises:
        AfterimageError: The mask is empty.
    """
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        raise AfterimageError(missing)
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


# ---- Ink on white paper: how much light each pixel lacks, and where there is any ----

#: What a pixel of full brightness holds per channel.
WHITE = 255
#: Ink in 8-bit steps below which a pixel is background: rounding and ringing of a resized edge.
MIN_INK = 12
_PAPER_STEP = 3
_MIN_PAPER = 0.4
# Ink that a resized outline leaves in the row outside of it stays below this.
_MIN_COVERAGE = 0.2
# Rows from an apex, as shares of the figure's height, between which its two sides are read.
_SIDES_READ = (0.05, 0.25)
# Between the first row of an apex that has visible ink and the apex itself, in rows.
_APEX_BLUR = 1.5


def require_white_paper(image: Image) -> None:
    """Check that most of an image is white.

    Raises:
        AfterimageError: It is not, so that what lacks to white would not be ink.
    """
    share = float((darkest_lack(image[::_PAPER_STEP, ::_PAPER_STEP]) < MIN_INK).mean())
    if share < _MIN_PAPER:
        raise AfterimageError(
            f"looked for a figure on white and found {share:.0%} of the image white, "
            f"expected at least {_MIN_PAPER:.0%}."
        )


def darkest_lack(image: Image) -> NDArray[np.uint8]:
    """Return what the channel that lacks most lacks to white, uint8, shape (height, width)."""
    minimum = np.minimum(image[..., 0], image[..., 1])
    np.minimum(minimum, image[..., 2], out=minimum)
    return WHITE - minimum


def ink_window(image: Image, looked_for: str) -> Window:
    """Return the smallest window that holds all ink.

    Args:
        image: uint8, shape (height, width, channels); ink is in any channel.
        looked_for: What the ink should show, for the error.

    Raises:
        AfterimageError: There is no ink.
    """
    height, width, channels = image.shape
    # By rows and columns of bytes, a tenth of the time that pixels take.
    rows = image.reshape(height, width * channels)
    inked = np.flatnonzero(rows.min(axis=1) <= WHITE - MIN_INK)
    if not len(inked):
        raise AfterimageError(f"looked for {looked_for} and found an empty image.")
    window = slice(inked[0], inked[-1] + 1)
    darkest = rows[window].min(axis=0).reshape(width, channels).min(axis=1)
    columns = np.flatnonzero(darkest <= WHITE - MIN_INK)
    return window, slice(columns[0], columns[-1] + 1)


def black_coverage(image: Image) -> Floats:
    """Return how much of each pixel black ink covers, 0 to 1, shape (height, width)."""
    lightest = np.maximum(np.maximum(image[..., 0], image[..., 1]), image[..., 2])
    return 1.0 - lightest / np.float32(WHITE)


def upper_edge(ink: Floats) -> float:
    """Return the y of the topmost ink in px; ink, 0 to 1, has shape (height, width)."""
    darkest = ink.max(axis=1)
    rows = np.flatnonzero(darkest >= _MIN_COVERAGE)
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


# ---- External pictures: their labels say what they show ----

#: The value of ``limit``: nothing was drawn, so nothing can have been drawn wrongly.
NOT_DRAWN = "none: not drawn here"


def measure_size(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Return the size of a picture; nothing has to hold.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``image_shown`` is "no" where questions come without a picture; ``file`` is noted where it is known.
    """
    height, width, _ = pixels.shape
    value = "no image" if factors.get("image_shown") == "no" else f"{width}x{height}"
    remark = factors.get("file", "")
    columns = {
        "feature": "size_px",
        "value": value,
        "limit": NOT_DRAWN,
        "holds": True,
        "remark": remark,
    }
    return Measured(value, remark=remark, columns=columns)
