"""Reads the pixels, task by task, to verify a stimulus and as the ideal observer's answer."""

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image as Pillow
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options
from afterimage.seeing.image import Floats, Image, Mask, Window, once
from afterimage.seeing.pieces import Area, Piece, coloured_areas, likeness, pieces
from afterimage.seeing.strokes import RIGHT, Traced, trace
from afterimage.suites.tunnel_vision.tasks import (
    COLOURS,
    DISPLACEMENTS,
    NONE,
    SHAPES,
    SIDE_PX,
    SIDES,
    WIRE_COLOURS,
)

#: sRGB-coded, shape (colours, 3).
LEVELS = np.array([list(bytes.fromhex(code[1:])) for code in COLOURS.values()], dtype=float)


def colour_name(colour: Floats) -> str:
    """Return the name of the nearest colour; sRGB-coded, 0 to 255, shape (3,)."""
    return list(COLOURS)[int(((LEVELS - colour) ** 2).sum(axis=1).argmin())]


# ---- follow ----

#: Share of the image's width that separates shapes, which are larger, from labels.
_LARGE = 0.08
#: Largest distance of a label to the right of its shape's centre, share of the image's width.
_REACH = 0.15
_TEMPLATE = 48

#: Name of a shape to the shape on its label; None without a label.
Graph = dict[str, str | None]


@once
def graph(image: Image) -> Graph:
    """Return which shape leads to which.

    Raises:
        AfterimageError: There are no shapes, or a label stands beside none.
    """
    large: list[Piece] = []
    small: list[Piece] = []
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
    """Return the shapes from the first one along ``hops`` labels, or as far as there are labels.

    Raises:
        AfterimageError: The first shape, or the shape on a label, is missing.
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


def measure_follow(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Return the chain of ``level`` hops from the shape ``start``, which has to be the factor ``truth``."""
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


# ---- same object ----

#: Largest distance of pixels from their colour, Euclidean, of 8-bit levels.
_NEAR = 45.0
#: Pieces below this share of a colour's largest piece are mixtures at the edges of other colours.
_MIN_SHARE = 0.3
_BODY = "grey"


class Moved(NamedTuple):
    """The lower object with a moved part.

    Attributes:
        side: ``left``, ``right``, or ``none`` where both are copies of the upper one.
        by_px: Displacement of the part, px of an image of 672.
    """

    side: str
    by_px: int


@once
def moved(image: Image) -> Moved:
    """Compare the lower objects with the upper one, part by part.

    Raises:
        AfterimageError: There are not three objects with the same parts.
    """
    bodies = _sorted(_boxes(_mask(image, _BODY)), "bodies")
    offsets = [
        np.array(_sorted(found, f"{colour} parts")) - bodies
        for colour in WIRE_COLOURS
        if (found := _middles(_mask(image, colour)))
    ]
    if not offsets:
        raise AfterimageError("looked for coloured parts of three objects and found none.")
    # For each lower object, the part farthest from its position on the upper one.
    distances = np.linalg.norm([positions[1:] - positions[0] for positions in offsets], axis=2).max(
        axis=0
    )
    displacement = distances * SIDE_PX / image.shape[1]
    if displacement.max() < DISPLACEMENTS[0] / 2:
        return Moved(NONE, 0)
    return Moved(SIDES[displacement.argmax()], round(displacement.max()))


def measure_same_object(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Return the lower object with a moved part and the displacement: the factor ``truth``."""
    found = moved(pixels)
    return f"{found.side} {found.by_px} px"


def _mask(image: Image, colour: str) -> Mask:
    difference = image - LEVELS[list(COLOURS).index(colour)]
    near: Mask = np.einsum("ijk,ijk->ij", difference, difference) < _NEAR**2
    return near


def _pieces(mask: Mask) -> list[Floats]:
    """Return x and y of every pixel of each piece, shape (2, pixels)."""
    labels, count = ndimage.label(mask)
    areas = np.bincount(labels.ravel(), minlength=count + 1)[1:]
    kept = np.flatnonzero(areas >= _MIN_SHARE * max(areas, default=0))
    return [np.stack(np.nonzero(labels == 1 + index))[::-1].astype(float) for index in kept]


def _middles(mask: Mask) -> list[Floats]:
    return [piece.mean(axis=1) for piece in _pieces(mask)]


def _boxes(mask: Mask) -> list[Floats]:
    """Return x and y of the middle of each piece's bounding box; parts may hide some of the piece."""
    return [(piece.min(axis=1) + piece.max(axis=1)) / 2 for piece in _pieces(mask)]


def _sorted(middles: list[Floats], what: str) -> list[Floats]:
    """Return three positions: the upper one, then the lower ones from left to right."""
    if len(middles) != 3:
        raise AfterimageError(f"looked for three {what} and found {len(middles)}.")
    above = min(middles, key=lambda middle: middle[1])
    return [
        above,
        *sorted(
            (middle for middle in middles if middle is not above), key=lambda middle: middle[0]
        ),
    ]


# ---- trace ----

# Below this in every channel a pixel is more than half covered by a wire.
_INK_BELOW = 128
# Dots are left of this share of the image's width.
_DOTS_END = 0.09
# A wire's width as a share of a dot's, and the smallest share of ink in the box of a filled dot.
_WIDTH, _FILLED = 6 / 26, 0.7


class Wires(NamedTuple):
    """Where the wires of an image lead.

    Attributes:
        ends: Colour of the square at the end of each wire, that of the wire from the filled dot first.
        crossings: Number of times that others cross this wire.
    """

    ends: tuple[str, ...]
    crossings: int


@once
def wires(image: Image) -> Wires:
    """Follow every wire from its dot.

    Raises:
        AfterimageError: No dot is filled, or several are; a wire ends at no square, or two wires at the same one.
    """
    image = _enlarged(image)
    ink, squares = image.max(axis=2) < _INK_BELOW, coloured_areas(image)
    margin = ink[:, : round(_DOTS_END * image.shape[1])]
    labels, _ = ndimage.label(margin, np.ones((3, 3)))
    filled_dots: list[Window] = []
    open_dots: list[Window] = []
    for box in ndimage.find_objects(labels):
        dot = margin[box]
        (filled_dots if dot[:, : dot.shape[0]].mean() >= _FILLED else open_dots).append(box)
    if len(filled_dots) != 1:
        raise AfterimageError(
            f"looked for one filled dot on the left and found {len(filled_dots)}."
        )
    traced = [
        found for box in (*filled_dots, *open_dots) if (found := _from_dot(ink, box)) is not None
    ]
    ends = tuple(_square_at(end, squares) for end in traced)
    if len({*ends}) != len(ends):
        raise AfterimageError(f"looked for one wire at each square and found: {', '.join(ends)}.")
    return Wires(ends, traced[0].crossings)


def measure_trace(pixels: np.ndarray, factors: Mapping[str, str]) -> str:
    """Return the number of wires, the end of the first one and its crossings: the factor ``truth``."""
    found = wires(pixels)
    return f"{len(found.ends)} wires, {found.ends[0]}, {found.crossings} crossings"


def _enlarged(image: Image) -> Image:
    """Return an image enlarged to full width if it is smaller, so that wires are wide enough to be followed."""
    if image.shape[1] >= SIDE_PX:
        return image
    size = SIDE_PX, round(SIDE_PX * image.shape[0] / image.shape[1])
    return np.asarray(Pillow.fromarray(image).resize(size, Pillow.Resampling.BICUBIC))


def _from_dot(ink: Mask, box: Window) -> Traced | None:
    """Follow the wire on the right of a dot; None if there is none."""
    rows, columns = box
    size = rows.stop - rows.start
    start = columns.start + size + 1, (rows.start + rows.stop - 1) // 2
    return trace(ink, start, _WIDTH * size, RIGHT) if ink[start[::-1]] else None


def _square_at(end: Traced, squares: list[Area]) -> str:
    near = [
        square.hue
        for square in squares
        if square.top <= end.y < square.bottom and abs(end.x - square.left) < square.width / 3
    ]
    if len(near) != 1:
        raise AfterimageError(
            f"looked for a square at the end of each wire and found {len(near)} at ({end.x}, {end.y})."
        )
    return near[0]


# ---- observer ----

_FOLLOW = re.compile(
    rf"large ({'|'.join(COLOURS)}) ({'|'.join(SHAPES)}) and take (\d+) steps?", re.IGNORECASE
)
_TRACE, _SAME_OBJECT = "wire that starts at the filled dot", "part has been moved"


def answer(image: Image, text: str) -> str:
    """Answer a request whose text has options, one per line, with the full text of one of them.

    Where the image does not determine the answer (no labels, or no option for neither side), it guesses from a hash of
    the image, so that the same request always gets the same answer.

    Raises:
        AfterimageError: The question is about none of the tasks, or no option is right.
    """
    question, options = headed_options(text)
    found = _answer(image, " ".join(question.split()))
    if found is None:
        return _guess(image, options)
    if found == NONE:
        others = [option for option in options if not re.search(r"left|right", option.lower())]
        return others[0] if others else _guess(image, options)
    named = [option for option in options if found in option.lower()]
    if not named:
        raise AfterimageError(f"no option names '{found}'; found: {', '.join(options)}.")
    return named[0]


def _answer(image: Image, question: str) -> str | None:
    if steps := _FOLLOW.search(question):
        colour, form, hops = steps.groups()
        names = chain(graph(image), f"{colour} {form}".lower(), int(hops))
        return names[-1].split()[0] if len(names) == int(hops) + 1 else None
    if _TRACE in question.lower():
        return wires(image).ends[0]
    if _SAME_OBJECT in question.lower():
        return moved(image).side
    raise AfterimageError(f"the question '{question}' asks for none of the tasks.")


def _guess(image: Image, options: list[str]) -> str:
    return options[hashlib.sha256(image.tobytes()).digest()[0] % len(options)]
