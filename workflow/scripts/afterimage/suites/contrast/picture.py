"""A grating in one of two round fields on grey, or nothing; dithered all over."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.colour import grey_pixels
from afterimage.suites.contrast.names import CENTRES, EDGE, RADIUS, SIDE_PX

_GREY = 128
#: Levels above and below grey at full contrast.
_REACH = 127


def draw(
    noise: Sequence[int],
    frequency: int = 0,
    contrast: float = 0.0,
    side: str = "",
    orientation: str = "vertical",
    phase: int = 0,
) -> Drawing:
    """Draw the image, 672 x 672: level = 128 + 127 c w sin(2 pi f u / 672 + phase), plus dither, rounded.

    One level of 256 is 0.8 % of contrast. The dither is the sum of two uniform variates of a level's width
    (Lipshitz, Wannamaker and Vanderkooy 1992, Quantization and dither: a theoretical survey): mean and noise are then
    the same whatever lies below, so that a weak pattern is there on average and no edge tells where a field is. One
    uniform variate would leave grey itself without noise.

    Args:
        noise: Seed of the dither.
        frequency: Cycles per image width.
        contrast: In percent of full contrast; 0 for no pattern.
        side: ``left`` or ``right``.
        orientation: Of the stripes, ``vertical`` or ``horizontal``.
        phase: Degrees.
    """
    generator = np.random.default_rng(list(noise))
    levels = generator.random((SIDE_PX, SIDE_PX)) + generator.random((SIDE_PX, SIDE_PX))
    levels += _GREY - 1
    if contrast:
        u = (np.arange(SIDE_PX) + 0.5) / SIDE_PX
        wave = np.sin(2 * np.pi * frequency * u + np.radians(phase))
        stripes = wave[None, :] if orientation == "vertical" else wave[:, None]
        levels += _REACH * contrast / 100 * _field(side) * stripes
    return Drawing(grey_pixels(np.floor(levels + 0.5).astype(np.uint8)))


@lru_cache
def _field(side: str) -> np.ndarray:
    """Return a field's weight at each pixel, 0 to 1, falling along a cosine at its edge."""
    at = (np.arange(SIDE_PX) + 0.5) / SIDE_PX
    x, y = CENTRES[side]
    distance = np.hypot(at[None, :] - x, at[:, None] - y)
    return 0.5 + 0.5 * np.cos(np.pi * np.clip((distance - RADIUS + EDGE) / EDGE, 0, 1))
