"""Objects out of pixels: what differs from the paper, piece by piece, its colour, its box and what it looks like."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.suites.pope.observer.colours import colour_name
from afterimage.suites.pope.observer.pictures import SIDE, pictures

_LEAST_SIDE_PX = 128
#: A pixel belongs to something if it differs from the paper by this much, Euclidean distance of 8-bit levels; an
#: object's colour is at least twice as far from any paper.
_LEAST_DIFFERENCE = 26.0
#: Pieces below this share of the image are noise, not objects.
_LEAST_PIECE = 0.0015
#: How well a piece has to fit a picture, and how much better than the next (intersection over union).
_LEAST_LIKENESS, _LEAST_LEAD = 0.6, 0.1
_SURROUNDINGS_PX = 2
#: From this coverage on a pixel is within an object's box; tips are thin.
_LEAST_COVERAGE = 0.3
_REMEMBERED_IMAGES = 4


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


def look(image: np.ndarray) -> tuple[Seen, ...]:
    """Return all objects of an image, from left to right.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 128 px a side.

    Raises:
        AfterimageError: The array is no such image, or something in it looks like none of the classes.
    """
    shape, kind = getattr(image, "shape", None), getattr(image, "dtype", None)
    if kind != np.uint8 or shape is None or len(shape) != 3 or shape[2] != 3:
        raise AfterimageError(
            f"an image must be a uint8 array of shape (height, width, 3), found {kind} {shape}."
        )
    if min(shape[:2]) < _LEAST_SIDE_PX:
        raise AfterimageError(
            f"an image needs at least {_LEAST_SIDE_PX} px a side to be looked at, found {shape[1]} x {shape[0]}."
        )
    return _look_once(shape, image.tobytes())


def inventory(seen: Sequence[Seen]) -> str:
    """Return what there is in words that can be compared: ``2 red ball; 1 blue car``, sorted by name."""
    counts = Counter((one.name, one.colour) for one in seen)
    return "; ".join(f"{count} {colour} {name}" for (name, colour), count in sorted(counts.items()))


@lru_cache(maxsize=_REMEMBERED_IMAGES)
def _look_once(shape: tuple[int, ...], pixels: bytes) -> tuple[Seen, ...]:
    image = np.frombuffer(pixels, dtype=np.uint8).reshape(shape).astype(float)
    paper = _paper(image)
    difference = image - paper
    squared = np.einsum("ijk,ijk->ij", difference, difference)
    labels, _ = ndimage.label(squared > _LEAST_DIFFERENCE**2, np.ones((3, 3)))
    least = _LEAST_PIECE * shape[0] * shape[1]
    found = []
    for number, window in enumerate(ndimage.find_objects(labels), start=1):
        if window is not None and (labels[window] == number).sum() >= least:
            found.append(_identified(difference, labels, number, window, paper))
    if not found:
        raise AfterimageError("looked for objects on paper of one colour and found none.")
    return tuple(sorted(found, key=lambda one: (one.bbox[0], one.bbox[1])))


def _paper(image: np.ndarray) -> np.ndarray:
    """Return the colour of the paper: that along the rim, which no object reaches."""
    rim = np.concatenate(
        [image[:2].reshape(-1, 3), image[-2:].reshape(-1, 3), image[:, :2].reshape(-1, 3)]
    )
    paper = np.median(rim, axis=0)
    if np.median(np.abs(rim - paper)) > _LEAST_DIFFERENCE:
        raise AfterimageError(
            "looked for paper of one colour along the rim and found several colours."
        )
    return paper


def _identified(
    difference: np.ndarray,
    labels: np.ndarray,
    number: int,
    window: tuple[slice, slice],
    paper: np.ndarray,
) -> Seen:
    rows, columns = (
        slice(max(part.start - _SURROUNDINGS_PX, 0), part.stop + _SURROUNDINGS_PX)
        for part in window
    )
    piece = labels[rows, columns] == number
    near = ndimage.binary_dilation(piece, iterations=_SURROUNDINGS_PX)
    part = difference[rows, columns]
    strength = np.linalg.norm(part, axis=2)
    # Most of a piece is covered whole; edges are fainter, ringing of a resized edge is stronger and rare.
    full = np.median(part[piece & (strength >= 0.8 * np.quantile(strength[piece], 0.9))], axis=0)
    coverage = np.clip(part @ full / (full @ full), 0, 1) * near
    bbox = _bbox(coverage, columns.start, rows.start)
    name = _likest(coverage, bbox, columns.start, rows.start)
    return Seen(name, colour_name(paper + full), bbox, float(coverage.sum()))


def _bbox(coverage: np.ndarray, left: int, top: int) -> tuple[float, float, float, float]:
    inked = coverage >= _LEAST_COVERAGE
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if not len(rows):
        raise AfterimageError("found a piece without any pixel that is covered for certain.")
    return (
        float(left + columns[0]),
        float(top + rows[0]),
        float(columns[-1] + 1 - columns[0]),
        float(rows[-1] + 1 - rows[0]),
    )


def _likest(
    coverage: np.ndarray, bbox: tuple[float, float, float, float], left: int, top: int
) -> str:
    """Return the class whose picture a piece is most like."""
    x, y, width, height = (int(value) for value in bbox)
    cut = coverage[y - top : y - top + height, x - left : x - left + width].astype(np.float32)
    stretched = np.asarray(Image.fromarray(cut).resize((SIDE, SIDE), Image.Resampling.BOX))
    likeness = {
        name: float(np.minimum(stretched, picture).sum() / np.maximum(stretched, picture).sum())
        for name, picture in pictures().items()
    }
    best, second = sorted(likeness, key=likeness.get, reverse=True)[:2]
    if likeness[best] < _LEAST_LIKENESS or likeness[best] - likeness[second] < _LEAST_LEAD:
        raise AfterimageError(
            f"found something at ({x}, {y}) that is no class for certain: nearest is '{best}' "
            f"({likeness[best]:.2f}), then '{second}' ({likeness[second]:.2f})."
        )
    return best
