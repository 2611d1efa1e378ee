"""From pixels to coloured and dark areas."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from afterimage.seeing.image import Floats, Image, Mask, Window

# Distance of the largest from the smallest channel from which a pixel has a hue, in 8-bit steps.
_LEAST_CHROMA = 24
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
    return chroma(image) >= _LEAST_CHROMA


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
    for place in np.unique(nearest[coloured]):
        name = list(_HUES)[place]
        labels, _ = ndimage.label(nearest == place, np.ones((3, 3)))
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
    own = labels[box] == label
    strength = np.where(own, chroma(image[box]), 0).astype(np.float64)
    full = float(np.percentile(strength[own], 90))
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
