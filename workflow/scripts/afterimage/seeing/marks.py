"""Small marks on white, each of one colour: discs, squares and the letters T and L in any quarter turn."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from afterimage.seeing.image import Floats, Image, Window, require_rgb, widened

# From this darkness on a pixel belongs to a mark, 8-bit steps; a quarter covered, or thereabouts.
_LEAST_DARKNESS = 56
# Marks below this share of the largest one's area are specks.
_LEAST_SHARE = 0.1
# Area over that of the box: a square has 1, a disc pi / 4, a letter of two thin strokes a third.
_SQUARE_FROM, _DISC_FROM = 0.89, 0.6
# Distance of the ink's middle from that of the box, as a share of its side: an L's is off on both axes (0.19), a T's on
# one.
_L_FROM = 0.09
_LEAST_CHROMA = 40


class Mark(NamedTuple):
    """A small mark.

    Attributes:
        colour: ``red``, ``green`` or ``black``.
        form: ``disc``, ``square``, ``T`` or ``L``.
        x: Of the middle of its box, as a share of the image's width, 0 to 1.
        y: The same down, as a share of the height.
    """

    colour: str
    form: str
    x: float
    y: float


def marks(image: Image) -> list[Mark]:
    """Return the marks on an image, in no particular order; none on an empty one.

    Areas and boxes are taken from how much of each pixel is covered, so that they hold at other sizes than the drawn.

    Args:
        image: uint8 RGB, shape (height, width, 3), from 64 px a side.

    Raises:
        AfterimageError: It is no such image.
    """
    require_rgb(image)
    darkness = 255 - np.minimum(np.minimum(image[..., 0], image[..., 1]), image[..., 2])
    labels, _ = ndimage.label(darkness >= _LEAST_DARKNESS, np.ones((3, 3)))
    found = [
        _measured(image, darkness, labels, number, box)
        for number, box in enumerate(ndimage.find_objects(labels), start=1)
    ]
    largest = max((area for area, _ in found), default=0.0)
    return [mark for area, mark in found if area >= _LEAST_SHARE * largest]


def _measured(
    image: Image, darkness: NDArray[np.uint8], labels: NDArray[np.int32], number: int, box: Window
) -> tuple[float, Mark]:
    window = widened(box, 1)
    near = ndimage.binary_dilation(labels[window] == number, np.ones((3, 3)))
    own = np.where(near, darkness[window], 0.0)
    full = np.quantile(own[labels[window] == number], 0.9)
    coverage = np.clip(own / full, 0, 1)
    # The sum of what each column holds at most is the width to parts of a pixel.
    width, height = coverage.max(axis=0).sum(), coverage.max(axis=1).sum()
    area = float(coverage.sum())
    left, top = _edge(coverage.max(axis=0)), _edge(coverage.max(axis=1))
    middle = np.array([left + width / 2, top + height / 2])
    rows, columns = (np.arange(size) + 0.5 for size in coverage.shape)
    ink = np.array([coverage.sum(axis=0) @ columns, coverage.sum(axis=1) @ rows]) / area
    off = np.abs(ink - middle) / np.array([width, height])
    form = _form(area / (width * height), off)
    x, y = middle + np.array([window[1].start, window[0].start])
    colour = _colour(image[window][coverage >= 0.9].astype(float).mean(axis=0))
    return area, Mark(colour, form, float(x) / image.shape[1], float(y) / image.shape[0])


def _edge(profile: Floats) -> float:
    """Return where a profile of coverage begins, px: behind what its first pixels lack."""
    first = int(np.argmax(profile >= 0.9))
    return float(first - profile[:first].sum())


def _form(filled: float, off: Floats) -> str:
    if filled >= _SQUARE_FROM:
        return "square"
    if filled >= _DISC_FROM:
        return "disc"
    return "L" if off.min() >= _L_FROM else "T"


def _colour(mean: Floats) -> str:
    red, green, _ = mean
    if mean.max() - mean.min() < _LEAST_CHROMA:
        return "black"
    return "red" if red > green else "green"
