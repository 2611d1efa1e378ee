"""Wires out of pixels: from which dot to which square each leads, and how often the asked one is crossed."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from PIL import Image as Pillow
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.areas import Area, coloured_areas
from afterimage.seeing.image import Image, Mask, Window, once
from afterimage.seeing.wires import RIGHT, Traced, trace
from afterimage.suites.tunnel_vision.names import SIDE_PX

# Below this in every channel a pixel is more than half covered by a wire.
_INK_BELOW = 128
# Dots lie left of this, of the image's width.
_DOTS_END = 0.09
# A wire's width as a share of a dot's; more than this of a dot's box is ink where it is filled.
_WIDTH, _FILLED = 6 / 26, 0.7


class Wires(NamedTuple):
    """What the wires of an image join.

    Attributes:
        ends: Colour of the square at the end of each wire, the asked one first.
        crossings: How often others cross the asked wire.
    """

    ends: tuple[str, ...]
    crossings: int


@once
def wires(image: Image) -> Wires:
    """Follow every wire from the dot where it starts.

    Raises:
        AfterimageError: No dot is filled, or several are; a wire ends at no square, or two at one.
    """
    image = _enlarged(image)
    ink, squares = image.max(axis=2) < _INK_BELOW, coloured_areas(image)
    margin = ink[:, : round(_DOTS_END * image.shape[1])]
    labels, _ = ndimage.label(margin, np.ones((3, 3)))
    asked, others = [], []
    for box in ndimage.find_objects(labels):
        dot = margin[box]
        (asked if dot[:, : dot.shape[0]].mean() >= _FILLED else others).append(box)
    if len(asked) != 1:
        raise AfterimageError(f"looked for one filled dot on the left and found {len(asked)}.")
    traced = [found for box in (*asked, *others) if (found := _from_dot(ink, box)) is not None]
    ends = tuple(_square_at(one, squares) for one in traced)
    if len({*ends}) != len(ends):
        raise AfterimageError(f"looked for one wire at each square and found: {', '.join(ends)}.")
    return Wires(ends, traced[0].crossings)


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Return how many wires there are, where the asked one leads and how often it is crossed: the factor ``truth``.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), as drawn or as a model's processor leaves it.
        factors: Not read.
    """
    found = wires(pixels)
    return f"{len(found.ends)} wires, {found.ends[0]}, {found.crossings} crossings"


def _enlarged(image: Image) -> Image:
    """Return a small image at the size at which wires have a middle, as far as their steps are whole pixels."""
    if image.shape[1] >= SIDE_PX:
        return image
    size = SIDE_PX, round(SIDE_PX * image.shape[0] / image.shape[1])
    return np.asarray(Pillow.fromarray(image).resize(size, Pillow.Resampling.BICUBIC))


def _from_dot(ink: Mask, box: Window) -> Traced | None:
    """Follow the wire on the right of a dot; None where there is none."""
    rows, columns = box
    size = rows.stop - rows.start
    start = columns.start + size + 1, (rows.start + rows.stop - 1) // 2
    return trace(ink, start, _WIDTH * size, RIGHT) if ink[start[::-1]] else None


def _square_at(end: Traced, squares: list[Area]) -> str:
    near = [
        one.hue
        for one in squares
        if one.top <= end.y < one.bottom and abs(end.x - one.left) < one.width / 3
    ]
    if len(near) != 1:
        raise AfterimageError(
            f"looked for a square at the end of each wire and found {len(near)} at ({end.x}, {end.y})."
        )
    return near[0]
