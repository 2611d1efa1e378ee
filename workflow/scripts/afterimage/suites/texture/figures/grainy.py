"""Grainy: small grains side by side."""

import numpy as np
from scipy.spatial import cKDTree

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import finished, scene
from afterimage.suites.texture.figures.light import bumped, lambert, painted
from afterimage.suites.texture.materials import DrawnImage

_SPACING_PX = 9.5
_RADIUS_PX = 4.6


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; each grain is moved a little from its place in a honeycomb, and has its own brightness."""
    surface = scene(image.layout)
    middles = _places(surface, generator)
    distance, grain = cKDTree(middles).query(np.stack([surface.x, surface.y], axis=2))
    height = np.sqrt(np.clip(_RADIUS_PX**2 - distance**2, 0, None))
    tone = generator.uniform(0.80, 1.15, len(middles))[grain]
    shade = (0.12 + 0.90 * lambert(surface, bumped(surface, 0.75 * height))) * tone
    shade *= np.where(distance < _RADIUS_PX, 1.0, 0.18)
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def _places(surface, generator: np.random.Generator) -> np.ndarray:
    half = _SPACING_PX + np.array([surface.layout.object_width, surface.layout.object_height]) / 2
    rows = np.arange(-half[1], half[1], _SPACING_PX * np.sqrt(3) / 2)
    places = [
        (x + (number % 2) * _SPACING_PX / 2, y)
        for number, y in enumerate(rows)
        for x in np.arange(-half[0], half[0], _SPACING_PX)
    ]
    return np.array(places) + generator.uniform(-0.7, 0.7, (len(places), 2))
