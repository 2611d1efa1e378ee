"""Rough: a relief of noise at several scales, shaded."""

import numpy as np
from scipy import ndimage

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import OVERSAMPLING, finished, scene
from afterimage.suites.texture.figures.light import bumped, lambert, painted
from afterimage.suites.texture.materials import DrawnImage

#: Widths of the bumps, px, and their heights, px.
_BUMPS_PX = ((7.0, 2.6), (3.2, 1.5), (1.6, 0.55))


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; the bumps are drawn by lot."""
    surface = scene(image.layout)
    height = sum(
        amplitude * _noise(generator, surface.x.shape, width) for width, amplitude in _BUMPS_PX
    )
    shade = 0.10 + 0.95 * lambert(surface, bumped(surface, height))
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def _noise(generator: np.random.Generator, shape: tuple[int, int], width_px: float) -> np.ndarray:
    """Return smooth noise of mean 0 and standard deviation 1."""
    noise = ndimage.gaussian_filter(generator.standard_normal(shape), width_px * OVERSAMPLING / 2)
    return (noise - noise.mean()) / noise.std()
