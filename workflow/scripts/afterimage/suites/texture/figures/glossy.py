"""Glossy: Lambert's shading and a narrow highlight."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import finished, scene
from afterimage.suites.texture.figures.light import highlight, lambert, painted
from afterimage.suites.texture.materials import DrawnImage


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; nothing is left to chance."""
    surface = scene(image.layout)
    shade = 0.12 + 0.95 * lambert(surface)
    light = painted(shade, image.hue) + 1.6 * highlight(surface, 70)[..., None]
    return Drawing(finished(image.layout, light))
