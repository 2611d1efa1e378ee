"""Matte: Lambert's shading alone."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import finished, scene
from afterimage.suites.texture.figures.light import lambert, painted
from afterimage.suites.texture.materials import DrawnImage


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; nothing is left to chance."""
    shade = 0.12 + 0.95 * lambert(scene(image.layout))
    return Drawing(finished(image.layout, painted(shade, image.hue)))
