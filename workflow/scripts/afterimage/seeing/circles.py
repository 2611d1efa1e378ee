"""Two discs of different colours on white, each fitted to its own rim."""

from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from skimage.measure import find_contours

from afterimage.errors import AfterimageError
from afterimage.seeing.colours import two_colours
from afterimage.seeing.image import Floats, Image, widened
from afterimage.seeing.ink import darkest_lack, ink_window

_NEAR_OTHER_PX = 2
_LEAST_RIM_POINTS = 12


@dataclass(frozen=True)
class Disc:
    """A disc fitted to the part of its rim that borders on the background; px of the image."""

    x: float
    y: float
    radius: float


def fit_discs(image: Image) -> tuple[Disc, Disc]:
    """Fit the two discs of an image, each to its own rim.

    Where the discs overlap, the rim of the lower one is hidden and that of the upper one borders on the
    other disc; both are left out, so that neither the order nor the colours matter.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Raises:
        AfterimageError: The image does not show two discs of different colours.
    """
    window = widened(ink_window(darkest_lack(image), "two discs"), 4)
    inked = image[window]
    colours = two_colours(inked, "two discs")
    coverage = (255 - inked).astype(np.float32) @ np.linalg.pinv(colours).astype(np.float32)
    first, second = coverage[..., 0], coverage[..., 1]
    return _fit(first, second), _fit(second, first)


def gap_px(first: Disc, second: Disc) -> float:
    """Return the distance between the rims in px, negative where the discs overlap."""
    return float(np.hypot(first.x - second.x, first.y - second.y) - first.radius - second.radius)


def _fit(own: Floats, other: Floats) -> Disc:
    """Fit a circle to the contour of half coverage, away from the other disc."""
    near_other = ndimage.binary_dilation(
        other > 0.05, structure=np.ones((3, 3)), iterations=_NEAR_OTHER_PX
    )
    contours = find_contours(np.pad(own, 1), 0.5)
    points = np.concatenate(contours) - 1 if contours else np.empty((0, 2))
    at = np.clip(np.rint(points).astype(int), 0, np.array(own.shape) - 1)
    points = points[~near_other[at[:, 0], at[:, 1]]]
    if len(points) < _LEAST_RIM_POINTS:
        raise AfterimageError("looked for two discs and found a colour without a rim on white.")
    y, x = points.T
    # x^2 + y^2 = 2 a x + 2 b y + c is linear in the centre (a, b).
    system = np.stack([2 * x, 2 * y, np.ones_like(x)], axis=1)
    (a, b, c), *_ = np.linalg.lstsq(system, x**2 + y**2, rcond=None)
    radius = float(np.sqrt(c + a * a + b * b))
    if np.abs(np.hypot(x - a, y - b) - radius).max() > max(1.0, 0.05 * radius):
        raise AfterimageError("looked for two discs and found a shape that is not round.")
    return Disc(float(a), float(b), radius)
