"""From pixels to areas and pieces of one colour each: their boxes, their colours, what they look like."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Mask, Window, widened, window_of

# Distance of the largest from the smallest channel from which a pixel has a hue, in 8-bit steps.
_MIN_CHROMA = 24
_BLACK_BELOW = 64
#: Hue words and the hue angle at the middle of each, degrees.
_HUES = {"red": 0.0, "orange": 28.0, "yellow": 50.0, "green": 130.0, "blue": 214.0, "purple": 280.0}


class Area(NamedTuple):
    """A connected coloured area.

    Attributes:
        hue: Hue word.
        top, left, bottom, right: Rows and columns that it spans, the last ones excluded.
        area_px: Number of pixels, those on an edge by how much of them is covered.
        coverage: How much of each pixel of the box is covered, 0 to 1, shape (bottom - top, right - left).
    """

    hue: str
    top: int
    left: int
    bottom: int
    right: int
    area_px: float
    coverage: Floats

    @property
    def width(self) -> int:
        """Columns that it spans."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Rows that it spans."""
        return self.bottom - self.top


def chroma(image: Image) -> NDArray[np.int16]:
    """Return how far each pixel is from grey, in 8-bit steps, shape (height, width), int16."""
    apart: NDArray[np.int16] = image.max(axis=2).astype(np.int16) - image.min(axis=2)
    return apart


def lightness(image: Image) -> Floats:
    """Return the mean of the three channels, shape (height, width), float64."""
    mean: Floats = image.mean(axis=2)
    return mean


def is_coloured(image: Image) -> Mask:
    """Tell which pixels have a hue, shape (height, width), bool."""
    return chroma(image) >= _MIN_CHROMA


def is_black(image: Image) -> Mask:
    """Tell which pixels are black ink, shape (height, width), bool."""
    black: Mask = image.max(axis=2) < _BLACK_BELOW
    return black


def coloured_areas(image: Image) -> list[Area]:
    """Return the coloured areas, connected and of one hue each, from left to right.

    On white, grey and black ground alike an edge pixel's distance from grey is in proportion to how much of it is
    covered, so that sizes are known to parts of a pixel.
    """
    coloured = is_coloured(image)
    nearest = np.full(coloured.shape, -1, dtype=np.int8)
    nearest[coloured] = _nearest_hue(image[coloured])
    found = []
    for index in np.unique(nearest[coloured]):
        name = list(_HUES)[index]
        labels, _ = ndimage.label(nearest == index, np.ones((3, 3)))
        for label, box in enumerate(ndimage.find_objects(labels), start=1):
            found.append(_area(image, labels, label, box, name))
    large = max((area.area_px for area in found), default=0)
    # Specks where two colours meet are no things.
    return sorted(
        (area for area in found if area.area_px >= 0.02 * large), key=lambda area: area.left
    )


def hue_angle(colours: NDArray[np.uint8]) -> Floats:
    """Return hue angles in degrees, 0 to 360, of colours of shape (..., 3)."""
    red, green, blue = np.moveaxis(colours.astype(np.float64), -1, 0)
    angle = np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue))
    wrapped: Floats = np.mod(angle, 360)
    return wrapped


def _nearest_hue(colours: NDArray[np.uint8]) -> NDArray[np.intp]:
    apart = hue_angle(colours)[..., None] - np.array(list(_HUES.values()))
    nearest: NDArray[np.intp] = np.abs(np.mod(apart + 180, 360) - 180).argmin(axis=-1)
    return nearest


def _area(image: Image, labels: NDArray[np.int32], label: int, box: Window, name: str) -> Area:
    rows, columns = box
    area = labels[box] == label
    strength = np.where(area, chroma(image[box]), 0).astype(np.float64)
    full = float(np.percentile(strength[area], 90))
    coverage = np.clip(strength / full, 0, 1)
    return Area(
        name,
        rows.start,
        columns.start,
        rows.stop,
        columns.stop,
        float(coverage.sum()),
        coverage,
    )


# ---- Pieces of one colour each on paper of another ----

#: A pixel belongs to something if it differs from the paper by this much, Euclidean distance of 8-bit levels.
_MIN_DIFFERENCE = 26.0
#: Pieces below this share of the image are noise.
_MIN_PIECE = 0.0015
_SURROUNDINGS_PX = 2
#: From this coverage on a pixel is within a piece's box; tips are thin.
_MIN_COVERAGE = 0.3


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
    labels, _ = ndimage.label(squared > _MIN_DIFFERENCE**2, np.ones((3, 3)))
    min_pixels = _MIN_PIECE * image.shape[0] * image.shape[1]
    found = 0
    for number, box in enumerate(ndimage.find_objects(labels), start=1):
        if (labels[box] == number).sum() >= min_pixels:
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
    if np.median(np.abs(rim - median)) > _MIN_DIFFERENCE:
        raise AfterimageError(
            "looked for paper of one colour along the rim and found several colours."
        )
    return median


def _piece(
    difference: Floats, labels: NDArray[np.int32], number: int, box: Window, ground: Floats
) -> Piece:
    window = widened(box, _SURROUNDINGS_PX)
    piece = labels[window] == number
    near = ndimage.binary_dilation(piece, iterations=_SURROUNDINGS_PX)
    part = difference[window]
    strength = np.linalg.norm(part, axis=2)
    # Most of a piece is covered whole; edges are fainter, ringing of a resized edge is stronger and rare.
    full = np.median(part[piece & (strength >= 0.8 * np.quantile(strength[piece], 0.9))], axis=0)
    coverage = np.clip(part @ full / (full @ full), 0, 1) * near
    rows, columns = window_of(
        coverage >= _MIN_COVERAGE, "found a piece without any pixel that is covered for certain."
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
