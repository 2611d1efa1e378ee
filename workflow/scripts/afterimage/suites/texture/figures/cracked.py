"""Cracked: Voronoi cells apart from each other, with little colour."""

import numpy as np
from scipy.spatial import cKDTree

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import finished, scene
from afterimage.suites.texture.figures.light import lambert, painted
from afterimage.suites.texture.figures.spread import spread_discs
from afterimage.suites.texture.materials import DrawnImage

_CELLS = 60
_TINT = 0.22


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; the cells, their brightness and the width of the cracks are drawn by lot."""
    surface = scene(image.layout)
    middles = spread_discs(surface, _CELLS, (5.0, 8.0), 2.0, generator)[:, :2]
    # Cracks are not straight: places are bent a little before they are given to a cell.
    bent_x = (
        surface.x + 1.6 * np.sin(surface.y / 4.1) + 0.8 * np.sin(surface.y / 1.7 + surface.x / 5)
    )
    bent_y = (
        surface.y + 1.6 * np.sin(surface.x / 3.7) + 0.8 * np.sin(surface.x / 1.9 - surface.y / 5)
    )
    distances, cells = cKDTree(middles).query(np.stack([bent_x, bent_y], axis=2), k=2)
    between = distances[..., 1] - distances[..., 0]
    tone = generator.uniform(0.85, 1.1, len(middles))[cells[..., 0]]
    crack = np.clip((between - 1.2) / 1.6, 0.06, 1)
    shade = (0.22 + 0.80 * lambert(surface)) * tone * crack
    return Drawing(finished(image.layout, 1.25 * painted(shade, image.hue, _TINT)))
