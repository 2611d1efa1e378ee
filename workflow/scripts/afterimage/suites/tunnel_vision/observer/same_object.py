"""Objects out of pixels: where the parts of each lie, and which of the lower two is not the upper one again."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Mask, once
from afterimage.suites.tunnel_vision.names import (
    COLOURS,
    DISPLACEMENTS,
    NONE,
    SIDE_PX,
    SIDES,
    WIRE_COLOURS,
)
from afterimage.suites.tunnel_vision.observer.colours import LEVELS

#: How near to a colour its pixels are, Euclidean distance of 8-bit levels.
_NEAR = 45.0
#: Of the largest piece of a colour: smaller ones are mixtures at edges of others.
_LEAST_SHARE = 0.3
_BODY = "grey"


class Moved(NamedTuple):
    """Which lower object has a part elsewhere.

    Attributes:
        side: ``left``, ``right``, or ``none`` where both are the upper one again.
        by_px: How far it was moved, px of an image of 672.
    """

    side: str
    by_px: int


@once
def moved(image: Image) -> Moved:
    """Compare the objects below with the one above, part by part.

    Raises:
        AfterimageError: There are not three objects of the same parts.
    """
    bodies = _sorted(_boxes(_mask(image, _BODY)), "bodies")
    offsets = [
        np.array(_sorted(found, f"{colour} parts")) - bodies
        for colour in WIRE_COLOURS
        if (found := _middles(_mask(image, colour)))
    ]
    if not offsets:
        raise AfterimageError("looked for coloured parts of three objects and found none.")
    # Of the parts of each lower object, the one that is farthest from its place above.
    apart = np.linalg.norm([own[1:] - own[0] for own in offsets], axis=2).max(axis=0)
    by = apart * SIDE_PX / image.shape[1]
    if by.max() < DISPLACEMENTS[0] / 2:
        return Moved(NONE, 0)
    return Moved(SIDES[by.argmax()], round(by.max()))


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Return which lower object has a part elsewhere, and by how much: the factor ``truth``.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), as drawn or as a model's processor leaves it.
        factors: Not read.
    """
    found = moved(pixels)
    return f"{found.side} {found.by_px} px"


def _mask(image: Image, colour: str) -> Mask:
    away = image - LEVELS[list(COLOURS).index(colour)]
    near: Mask = np.einsum("ijk,ijk->ij", away, away) < _NEAR**2
    return near


def _pieces(mask: Mask) -> list[Floats]:
    """Return x and y of every pixel of each piece, shape (2, pixels)."""
    labels, count = ndimage.label(mask)
    areas = np.bincount(labels.ravel(), minlength=count + 1)[1:]
    kept = np.flatnonzero(areas >= _LEAST_SHARE * max(areas, default=0))
    return [np.stack(np.nonzero(labels == 1 + place))[::-1].astype(float) for place in kept]


def _middles(mask: Mask) -> list[Floats]:
    """Return x and y of the middle of each piece."""
    return [piece.mean(axis=1) for piece in _pieces(mask)]


def _boxes(mask: Mask) -> list[Floats]:
    """Return x and y of the middle of the box of each piece, of which parts may hide some."""
    return [(piece.min(axis=1) + piece.max(axis=1)) / 2 for piece in _pieces(mask)]


def _sorted(places: list[Floats], what: str) -> list[Floats]:
    """Return three places: the upper one, then those below from left to right."""
    if len(places) != 3:
        raise AfterimageError(f"looked for three {what} and found {len(places)}.")
    above = min(places, key=lambda place: place[1])
    return [above, *sorted((one for one in places if one is not above), key=lambda place: place[0])]
