"""Pieces of one colour each on paper of another: their boxes, their colours, what they look like."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Mask, Window, widened, window_of

#: A pixel belongs to something if it differs from the paper by this much, Euclidean distance of 8-bit levels.
_LEAST_DIFFERENCE = 26.0
#: Pieces below this share of the image are noise.
_LEAST_PIECE = 0.0015
_SURROUNDINGS_PX = 2
#: From this coverage on a pixel is within a piece's box; tips are thin.
_LEAST_COVERAGE = 0.3


class Piece(NamedTuple):
    """A connected piece of one colour.

    Attributes:
        bbox: Left, top, width, height, px.
        colour: Its sRGB-coded colour, 0 to 255, shape (3,); slightly outside where resizing rings.
        coverage: How much of each pixel of its box it covers, 0 to 1, shape (height, width).
        ink: Pixels that it covers, those around its box included.
    """

    bbox: tuple[float, float, float, float]
    colour: Floats
    coverage: Floats
    ink: float


def pieces(image: Image) -> Iterator[Piece]:
    """Yield the pieces on paper of one colour, in no particular order.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Raises:
        AfterimageError: The paper is not of one colour, there is nothing on it, or a piece covers no pixel for certain.
    """
    levels = image.astype(float)
    ground = paper(levels)
    difference = levels - ground
    squared = np.einsum("ijk,ijk->ij", difference, difference)
    labels, _ = ndimage.label(squared > _LEAST_DIFFERENCE**2, np.ones((3, 3)))
    least = _LEAST_PIECE * image.shape[0] * image.shape[1]
    found = 0
    for number, box in enumerate(ndimage.find_objects(labels), start=1):
        if (labels[box] == number).sum() >= least:
            found += 1
            yield _piece(difference, labels, number, box, ground)
    if not found:
        raise AfterimageError("looked for objects on paper of one colour and found none.")


def paper(levels: Floats) -> Floats:
    """Return the colour of the paper, shape (3,): that along the rim, which nothing reaches.

    Raises:
        AfterimageError: The rim has several colours.
    """
    rim = np.concatenate(
        [levels[:2].reshape(-1, 3), levels[-2:].reshape(-1, 3), levels[:, :2].reshape(-1, 3)]
    )
    median: Floats = np.median(rim, axis=0)
    if np.median(np.abs(rim - median)) > _LEAST_DIFFERENCE:
        raise AfterimageError(
            "looked for paper of one colour along the rim and found several colours."
        )
    return median


def _piece(
    difference: Floats, labels: NDArray[np.int32], number: int, box: Window, ground: Floats
) -> Piece:
    window = widened(box, _SURROUNDINGS_PX)
    own = labels[window] == number
    near = ndimage.binary_dilation(own, iterations=_SURROUNDINGS_PX)
    part = difference[window]
    strength = np.linalg.norm(part, axis=2)
    # Most of a piece is covered whole; edges are fainter, ringing of a resized edge is stronger and rare.
    full = np.median(part[own & (strength >= 0.8 * np.quantile(strength[own], 0.9))], axis=0)
    coverage = np.clip(part @ full / (full @ full), 0, 1) * near
    rows, columns = window_of(
        coverage >= _LEAST_COVERAGE, "found a piece without any pixel that is covered for certain."
    )
    bbox = (
        float(window[1].start + columns.start),
        float(window[0].start + rows.start),
        float(columns.stop - columns.start),
        float(rows.stop - rows.start),
    )
    return Piece(bbox, ground + full, coverage[rows, columns], float(coverage.sum()))


def likeness(coverage: Floats, templates: Mapping[str, Mask]) -> list[tuple[str, float]]:
    """Return how like each template a piece is when stretched to its size, the likest first.

    Args:
        coverage: How much of each pixel of its box the piece covers, 0 to 1, shape (height, width).
        templates: Silhouettes by name, all of one size.

    Returns:
        Names with their intersection over union, 0 to 1.
    """
    height, width = next(iter(templates.values())).shape
    cut = Pillow.fromarray(coverage.astype(np.float32))
    stretched = np.asarray(cut.resize((width, height), Pillow.Resampling.BOX))
    found = {
        name: float(np.minimum(stretched, template).sum() / np.maximum(stretched, template).sum())
        for name, template in templates.items()
    }
    return sorted(found.items(), key=lambda like: like[1], reverse=True)
