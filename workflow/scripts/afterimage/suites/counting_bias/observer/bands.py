"""Bands of a flag, counted along two columns."""

import numpy as np
from numpy.typing import NDArray

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, Mask, once, window_of

#: Levels by which neighbouring pixels of one band may differ.
_SAME = 6
#: A run of fewer pixels is an edge between bands.
_LEAST_BAND_PX = 4
#: Columns along which bands are counted: so far inside the right end, px; at this share of the width.
_INSIDE_PX, _SHARE = 10, 0.8


def drawn(image: Image) -> Mask:
    """Return which pixels are not of the ground, the colour of the upper left corner; shape (height, width)."""
    return (np.abs(image.astype(np.int16) - image[0, 0]) > _SAME).any(axis=2)


@once
def count_stripes(image: Image) -> int:
    """Count the bands of a flag.

    Raises:
        AfterimageError: There is no flag, or two columns of it have different numbers.
    """
    rows, columns = window_of(drawn(image), "looked for a flag and found an empty image.")
    width = columns.stop - columns.start
    places = (columns.stop - _INSIDE_PX, columns.start + round(_SHARE * width))
    near_end, further = (runs(image[rows, place]) for place in places)
    if near_end != further:
        raise AfterimageError(
            f"looked for stripes and found {near_end} at the flag's end and {further} at {_SHARE:.0%} of its width; "
            "expected as many."
        )
    return near_end


def runs(pixels: NDArray[np.uint8]) -> int:
    """Count runs of constant colour along a line of pixels, shape (n, 3)."""
    steps = np.abs(np.diff(pixels.astype(np.int16), axis=0)).max(axis=1) > _SAME
    ends = np.flatnonzero(np.concatenate([[True], steps, [True]]))
    return int((np.diff(ends) >= _LEAST_BAND_PX).sum())
