"""Objects out of pixels: each piece on the paper, its colour, its box and which class it looks like."""

import colorsys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, once, require_rgb
from afterimage.seeing.pieces import Piece, likeness, pieces
from afterimage.suites.pope.observer.pictures import pictures

_LEAST_SIDE_PX = 128
#: How well a piece has to fit a picture, and how much better than the next (intersection over union).
_LEAST_LIKENESS, _LEAST_LEAD = 0.6, 0.1

#: Words that a question may use; not every one of them is the colour of an object.
COLOUR_WORDS = (
    *("red", "orange", "yellow", "green", "blue", "purple"),
    *("pink", "brown", "black", "white", "grey"),
)

#: Below this value a colour is black.
_BLACK = 0.25
#: Below this saturation it has no hue: white if light.
_COLOURLESS, _WHITE = 0.12, 0.9
#: Upper ends of the ranges of hue, degrees.
_HUES = (
    (14, "red"),
    (41, "brown"),
    (70, "yellow"),
    (170, "green"),
    (255, "blue"),
    (320, "purple"),
    (361, "red"),
)
#: What is dark orange is brown; what is bright is orange, which no object is.
_BROWN = 0.65


class Seen(NamedTuple):
    """One object in an image.

    Attributes:
        name: Its class.
        colour: The name of its colour.
        bbox: Left, top, width, height, px.
        ink: Pixels that it covers.
    """

    name: str
    colour: str
    bbox: tuple[float, float, float, float]
    ink: float


def look(image: Image) -> tuple[Seen, ...]:
    """Return all objects of an image, from left to right.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 128 px a side.

    Raises:
        AfterimageError: The array is no such image, or something in it looks like none of the classes.
    """
    require_rgb(image, _LEAST_SIDE_PX)
    return _seen(image)


def inventory(seen: Sequence[Seen]) -> str:
    """Return what there is in words that can be compared: ``2 red ball; 1 blue car``, sorted by name."""
    counts = Counter((one.name, one.colour) for one in seen)
    return "; ".join(f"{count} {colour} {name}" for (name, colour), count in sorted(counts.items()))


@once
def _seen(image: Image) -> tuple[Seen, ...]:
    found = [
        Seen(_class(piece), colour_name(piece.colour), piece.bbox, piece.ink)
        for piece in pieces(image)
    ]
    return tuple(sorted(found, key=lambda one: one.bbox[:2]))


def _class(piece: Piece) -> str:
    """Return the class whose picture a piece is most like."""
    (best, like), (second, less) = likeness(piece.coverage, pictures())[:2]
    if like < _LEAST_LIKENESS or like - less < _LEAST_LEAD:
        left, top = (int(value) for value in piece.bbox[:2])
        raise AfterimageError(
            f"found something at ({left}, {top}) that is no class for certain: nearest is '{best}' "
            f"({like:.2f}), then '{second}' ({less:.2f})."
        )
    return best


def colour_name(levels: np.ndarray) -> str:
    """Return the name of an sRGB-coded colour, 0 to 255 per channel; "other" for greys and orange."""
    red, green, blue = (float(level) / 255 for level in np.clip(levels, 0, 255))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < _BLACK:
        return "black"
    if saturation < _COLOURLESS:
        return "white" if value >= _WHITE else "other"
    name = next(name for end, name in _HUES if 360 * hue < end)
    return "other" if name == "brown" and value > _BROWN else name
