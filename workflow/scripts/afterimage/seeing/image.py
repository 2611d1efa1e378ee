"""Images as arrays: what every observer asks of one, and how requests about the same one share a measurement."""

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import TypeAlias, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

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

    Calls are told apart by the image's pixels and by the other arguments. What is found is shared by all who ask, so it
    must not be changed.
    """
    kept: deque[tuple[Image, tuple[*_Arguments], _Found | AfterimageError]] = deque(
        maxlen=_REMEMBERED_IMAGES
    )

    @wraps(function)
    def asked(image: Image, *arguments: *_Arguments) -> _Found:
        for known, others, remembered in kept:
            if others == arguments and (known is image or np.array_equal(known, image)):
                return _found(remembered)
        # A copy, unless nobody can change the image while it is remembered.
        own = image.copy() if image.flags.writeable else image
        own.flags.writeable = False
        found: _Found | AfterimageError
        try:
            found = function(own, *arguments)
        except AfterimageError as error:
            # Without its traceback, which would keep all that was measured on the way.
            found = AfterimageError(str(error))
        kept.appendleft((own, arguments, found))
        return _found(found)

    return asked


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
