"""Woven: bands that cross, each over one and under the next."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import finished, scene
from afterimage.suites.texture.figures.light import bumped, lambert, painted
from afterimage.suites.texture.materials import DrawnImage

_BAND_PX = 9.0


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; where the pattern begins is drawn by lot."""
    surface = scene(image.layout)
    begin_x, begin_y = generator.uniform(0, 2 * _BAND_PX, 2)
    across, down = (surface.x + begin_x) / _BAND_PX, (surface.y + begin_y) / _BAND_PX
    # Which of the two bands lies on top changes from crossing to crossing.
    top = (np.floor(across) + np.floor(down)) % 2 == 0
    along_x, along_y = across % 1, down % 1
    horizontal = np.sin(np.pi * along_y) * (0.45 + 0.55 * np.sin(np.pi * along_x))
    vertical = np.sin(np.pi * along_x) * (0.45 + 0.55 * np.sin(np.pi * along_y))
    height = np.where(top, horizontal, vertical)
    threads = 0.10 * np.sin(2 * np.pi * 3 * np.where(top, down, across))
    shade = (0.15 + 0.80 * lambert(surface, bumped(surface, 2.2 * height))) * (
        0.30 + 0.75 * height**0.6 + threads
    )
    return Drawing(finished(image.layout, painted(shade, image.hue)))
