"""Dots on white: those of a digit differ in colour from the others, and each one has a lightness of its own."""

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

#: Radii of the dots, places tried for each, and the least gap between two, px.
_RADII_PX, _TRIES, _GAP_PX = tuple(range(11, 3, -1)), 1500, 2
#: L*a*b* midway between the two kinds of dots, and the direction in which they differ. No axis is without hue: what
#: lacks to white then tells lightness from how much of the paper is covered, blurred or not.
_MIDDLE = {"red_green": (58.0, 0.0, 35.0), "light": (50.0, 3.0, 12.0)}
_ALONG = {"red_green": (0.0, 1.0, 0.0), "light": (1.0, 0.0, 0.0)}
#: L* of a dot is up to so far from that of its kind.
_JITTER = 6.0
_WHITE = 255.0


class Dots(NamedTuple):
    """Where dots lie.

    Attributes:
        square: Of the squares of the image the one in which each dot's centre lies, shape (dots,).
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
        digit: What the dots form.
        axis: ``red_green`` or ``light``.
        difference: Between the two kinds of dots, CIEDE2000.
        way: 1 where those of the digit are the redder or lighter ones, else -1.
        blur_px: Standard deviation of a Gaussian blur; 0 for none.
        places: Seed of the dots' places.
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
    """Return what is added to each dot's L*: evenly spread in each square, so that no square is lighter for it."""
    steps = np.empty(len(square))
    for own in (square == number for number in range(CELLS**2)):
        size = own.sum()
        even = (2 * np.arange(size) + 1) / max(size, 1) - 1
        steps[own] = _JITTER * generator.permutation(even)
    return steps


@lru_cache
def _reach(axis: str, difference: float) -> float:
    """Return how far from the middle both kinds of dots lie for their difference to be this, L*a*b*."""
    middle, along = np.array(_MIDDLE[axis]), np.array(_ALONG[axis])

    def excess(reach: float) -> float:
        return float(deltaE_ciede2000(middle - reach * along, middle + reach * along)) - difference

    return float(brentq(excess, 0, 60)) if difference else 0.0


@lru_cache(maxsize=len(PLATES))
def _dots(seed: tuple[int, ...]) -> Dots:
    """Pack dots at whole pixels and tell which pixel belongs to which."""
    generator = np.random.default_rng(list(seed))

    def tried(radius: float) -> np.ndarray:
        return generator.integers(int(radius), SIDE_PX - int(radius), size=(_TRIES, 2)).astype(
            float
        )

    centres, radii = packed(tried, _RADII_PX, _GAP_PX)
    owner = np.zeros((SIDE_PX, SIDE_PX), dtype=int)
    share = np.zeros((SIDE_PX, SIDE_PX))
    across = np.arange(SIDE_PX) + 0.5
    for number, ((x, y), radius) in enumerate(zip(centres, radii, strict=True)):
        columns, rows = (slice(max(int(at - radius) - 1, 0), int(at + radius) + 2) for at in (x, y))
        distance = np.hypot(across[None, columns] - x, across[rows, None] - y)
        covered = np.clip(radius + 0.5 - distance, 0, 1)
        inside = covered > 0
        owner[rows, columns][inside] = number
        share[rows, columns][inside] = covered[inside]
    column, row = (centres // CELL_PX).astype(int).T
    return Dots(row * CELLS + column, owner, share)
