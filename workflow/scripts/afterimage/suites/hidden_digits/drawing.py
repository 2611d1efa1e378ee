"""Draws dots on white; those of the digit differ in colour from the others, and lightness varies from dot to dot."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.optimize import brentq
from skimage.color import deltaE_ciede2000, lab2rgb

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.colour import to_levels
from afterimage.drawing.shapes import packed
from afterimage.suites.hidden_digits.design import CELL_PX, CELLS, PLATES, SIDE_PX, squares

#: Radii of the dots, px, positions tried for each radius, and the smallest gap between two dots, px.
_RADII_PX, _TRIES, _GAP_PX = tuple(range(11, 3, -1)), 1500, 2
#: L*a*b* midway between the two kinds of dots, and the direction in which they differ. Both axes have hue, so that the
#: difference from white separates lightness from the covered share of the paper, blurred or not.
_MIDDLE = {"red_green": (58.0, 0.0, 35.0), "light": (50.0, 3.0, 12.0)}
_ALONG = {"red_green": (0.0, 1.0, 0.0), "light": (1.0, 0.0, 0.0)}
#: L* of a dot differs by up to this from that of its kind.
_JITTER = 6.0
_WHITE = 255.0


class Dots(NamedTuple):
    """Positions of dots.

    Attributes:
        square: The square of the image that contains each dot's centre, shape (dots,).
        owner: The dot at each pixel, shape (672, 672).
        share: How much of the pixel it covers, 0 to 1.
    """

    square: np.ndarray
    owner: np.ndarray
    share: np.ndarray


def draw(
    digit: str,
    axis: str,
    difference: float,
    way: int,
    blur_px: float,
    places: Sequence[int],
    jitter: Sequence[int],
) -> Drawing:
    """Draw the image, 672 x 672.

    Args:
        digit: The digit that the dots form.
        axis: ``red_green`` or ``light``.
        difference: Between the two kinds of dots, CIEDE2000.
        way: 1 where the digit's dots are the redder or lighter ones, else -1.
        blur_px: Standard deviation of a Gaussian blur; 0 for none.
        places: Seed of the dots' positions.
        jitter: Seed of the dots' lightness.
    """
    dots = _dots(tuple(places))
    sign = way * np.where(np.array(squares(digit))[dots.square], 1, -1)
    lab = np.array(_MIDDLE[axis]) + _reach(axis, difference) * sign[:, None] * np.array(
        _ALONG[axis]
    )
    lab[:, 0] += _spread(np.random.default_rng(list(jitter)), dots.square)
    colours = _WHITE * lab2rgb(lab[None])[0]
    levels = _WHITE + dots.share[..., None] * (colours[dots.owner] - _WHITE)
    if blur_px:
        levels = gaussian_filter(levels, (blur_px, blur_px, 0), mode="nearest")
    # The last bits of powers and sums differ between mathematical libraries.
    return Drawing(to_levels(np.round(levels, 9)), {"dots": len(sign)})


def _spread(generator: np.random.Generator, square: np.ndarray) -> np.ndarray:
    """Return offsets of each dot's L*, evenly spread within each square, so that no square gets lighter."""
    steps = np.empty(len(square))
    for in_square in (square == number for number in range(CELLS**2)):
        size = in_square.sum()
        offsets = (2 * np.arange(size) + 1) / max(size, 1) - 1
        steps[in_square] = _JITTER * generator.permutation(offsets)
    return steps


@lru_cache
def _reach(axis: str, difference: float) -> float:
    """Return the distance from the middle, L*a*b*, at which both kinds of dots differ by this CIEDE2000."""
    middle, along = np.array(_MIDDLE[axis]), np.array(_ALONG[axis])

    def excess(reach: float) -> float:
        return float(deltaE_ciede2000(middle - reach * along, middle + reach * along)) - difference

    return float(brentq(excess, 0, 60)) if difference else 0.0


@lru_cache(maxsize=len(PLATES))
def _dots(seed: tuple[int, ...]) -> Dots:
    """Pack dots at whole pixels and assign pixels to them."""
    generator = np.random.default_rng(list(seed))

    def tried(radius_px: float) -> np.ndarray:
        return generator.integers(
            int(radius_px), SIDE_PX - int(radius_px), size=(_TRIES, 2)
        ).astype(float)

    centres, radii = packed(tried, _RADII_PX, _GAP_PX)
    owner = np.zeros((SIDE_PX, SIDE_PX), dtype=int)
    share = np.zeros((SIDE_PX, SIDE_PX))
    across = np.arange(SIDE_PX) + 0.5
    for number, ((x, y), radius) in enumerate(zip(centres, radii, strict=True)):
        columns, rows = (
            slice(max(int(centre - radius) - 1, 0), int(centre + radius) + 2) for centre in (x, y)
        )
        distance = np.hypot(across[None, columns] - x, across[rows, None] - y)
        covered = np.clip(radius + 0.5 - distance, 0, 1)
        inside = covered > 0
        owner[rows, columns][inside] = number
        share[rows, columns][inside] = covered[inside]
    column, row = (centres // CELL_PX).astype(int).T
    return Dots(row * CELLS + column, owner, share)
