"""Objects out of pixels: each piece on the paper, its colour, its box and which class it looks like."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, once, require_rgb
from afterimage.seeing.pieces import Piece, likeness, pieces
from afterimage.suites.pope.observer.colours import colour_name
from afterimage.suites.pope.observer.pictures import pictures

_LEAST_SIDE_PX = 128
#: How well a piece has to fit a picture, and how much better than the next (intersection over union).
_LEAST_LIKENESS, _LEAST_LEAD = 0.6, 0.1


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
