"""Boards out of pixels: the graph of which shape's label names which."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, Mask, once
from afterimage.seeing.pieces import Piece, likeness, pieces
from afterimage.suites.tunnel_vision.names import SHAPES
from afterimage.suites.tunnel_vision.observer.colours import colour_name

#: Of the image's width: shapes are larger, labels smaller.
_LARGE = 0.08
#: A label lies at most so far from the middle of its shape, to the right, of the image's width.
_REACH = 0.15
_TEMPLATE = 48

#: Name of a shape to the one that its label names; None without a label.
Graph = dict[str, str | None]


@once
def graph(image: Image) -> Graph:
    """Return which shape leads to which.

    Raises:
        AfterimageError: There are no shapes, or a label stands beside none.
    """
    large, small = [], []
    for piece in pieces(image):
        (large if piece.bbox[2] >= _LARGE * image.shape[1] else small).append(piece)
    named = {_name(piece): _middle(piece) for piece in large}
    found: Graph = dict.fromkeys(named)
    for label in small:
        x, y = _middle(label)
        near = [
            name
            for name, (left, row) in named.items()
            if 0 < x - left < _REACH * image.shape[1] and abs(y - row) < _REACH * image.shape[1] / 3
        ]
        if len(near) != 1 or found[near[0]] is not None:
            raise AfterimageError(
                f"looked for a shape left of each label and found {len(near)} beside a {_name(label)}."
            )
        found[near[0]] = _name(label)
    return found


def chain(found: Graph, start: str, hops: int) -> list[str]:
    """Return the shapes from the first to where so many steps lead, or as far as there are labels.

    Raises:
        AfterimageError: The first shape, or one that a label names, is not there.
    """
    names = [start]
    while len(names) <= hops:
        if names[-1] not in found:
            raise AfterimageError(
                f"looked for a large {names[-1]} and found: {', '.join(sorted(found))}."
            )
        following = found[names[-1]]
        if following is None:
            break
        names.append(following)
    return names


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Return the chain of shapes that the pixels show, which has to be the factor ``truth``.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), as drawn or as a model's processor leaves it.
        factors: ``start`` (where it begins) and ``level`` (hops).
    """
    found = graph(pixels)
    if not any(found.values()):
        return f"{len(found)} shapes without labels"
    return " > ".join(chain(found, factors["start"], int(factors["level"])))


def _name(piece: Piece) -> str:
    return f"{colour_name(piece.colour)} {likeness(piece.coverage, _templates())[0][0]}"


def _middle(piece: Piece) -> tuple[float, float]:
    left, top, width, height = piece.bbox
    return left + width / 2, top + height / 2


@lru_cache
def _templates() -> Mapping[str, Mask]:
    """Return the silhouettes of all forms."""
    at = (np.arange(_TEMPLATE) + 0.5) / _TEMPLATE
    x, y = at[None, :], at[:, None]
    middle = [abs(axis - 0.5) < 1 / 6 for axis in (x, y)]
    forms = (
        np.hypot(x - 0.5, y - 0.5) <= 0.5,
        np.ones((_TEMPLATE, _TEMPLATE), dtype=bool),
        2 * abs(x - 0.5) <= y,
        middle[0] | middle[1],
    )
    return dict(zip(SHAPES, forms, strict=True))
