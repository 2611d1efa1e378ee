"""A grating or noise in one of two round fields on grey, or nothing; dithered all over."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.colour import grey_pixels
from afterimage.suites.contrast.design import CENTRES, EDGE, RADIUS, SIDE_PX

_GREY = 128
#: Levels above and below grey at full contrast.
_REACH = 127
#: Noise is clipped at this multiple of its root mean square, so that at 64 % no level is beyond black or white.
_CUT = 2.0


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
    the same at every level, so that a weak pattern is present on average and no edge shows where a field is. With one
    uniform variate, plain grey would have no noise.

    Args:
        noise: Seed of the dither, and of noise as a pattern.
        frequency: Cycles per image width.
        contrast: In percent of full contrast; 0 for no pattern. Of noise that of a grating with the same root mean
            square.
        side: ``left`` or ``right``.
        orientation: Of the stripes, ``vertical`` or ``horizontal``; empty for noise of one octave around the frequency.
        phase: Degrees.
    """
    generator = np.random.default_rng(list(noise))
    levels = generator.random((SIDE_PX, SIDE_PX)) + generator.random((SIDE_PX, SIDE_PX))
    levels += _GREY - 1
    if contrast:
        if orientation:
            u = (np.arange(SIDE_PX) + 0.5) / SIDE_PX
            wave = np.sin(2 * np.pi * frequency * u + np.radians(phase))
            pattern = wave[None, :] if orientation == "vertical" else wave[:, None]
        else:
            pattern = _noise(generator, frequency, side)
        levels += _REACH * contrast / 100 * _field(side) * pattern
    return Drawing(grey_pixels(np.floor(levels + 0.5).astype(np.uint8)))


def _noise(generator: np.random.Generator, frequency: int, side: str) -> np.ndarray:
    """Return noise of one octave around a frequency, shape (672, 672), with a sine's root mean square in the field."""
    spectrum = np.fft.rfft2(generator.standard_normal((SIDE_PX, SIDE_PX)))
    down, across = (
        frequencies(SIDE_PX, 1 / SIDE_PX) for frequencies in (np.fft.fftfreq, np.fft.rfftfreq)
    )
    octaves = np.abs(np.log2(np.maximum(np.hypot(down[:, None], across), 0.5) / frequency))
    noise = np.fft.irfft2(np.where(octaves <= 0.5, spectrum, 0), s=(SIDE_PX, SIDE_PX))
    # The soft edge of the field weighs the pattern twice: where it is drawn and where it is measured.
    weight = _field(side) ** 4 / (_field(side) ** 4).sum()
    noise = np.clip(noise / np.sqrt((weight * noise**2).sum()), -_CUT, _CUT)
    # The last bits of a transform differ between mathematical libraries.
    rounded: np.ndarray = np.round(noise / np.sqrt(2 * (weight * noise**2).sum()), 9)
    return rounded


@lru_cache
def _field(side: str) -> np.ndarray:
    """Return a field's weight at each pixel, 0 to 1, falling along a cosine at its edge."""
    at = (np.arange(SIDE_PX) + 0.5) / SIDE_PX
    x, y = CENTRES[side]
    distance = np.hypot(at[None, :] - x, at[:, None] - y)
    return 0.5 + 0.5 * np.cos(np.pi * np.clip((distance - RADIUS + EDGE) / EDGE, 0, 1))
