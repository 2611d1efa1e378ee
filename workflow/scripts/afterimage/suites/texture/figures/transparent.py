"""Transparent: the ground seen bent through the object, and light along its rim."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import corner, finished, ground, scene
from afterimage.suites.texture.figures.light import ALBEDO, highlight, lambert
from afterimage.suites.texture.materials import DrawnImage

#: A sphere shows what is behind it upside down, a tile in its place but larger; both bend more at the rim.
_MAGNIFICATION = {"sphere": -0.55, "tile": 0.72}
#: What comes through of the light, by hue as far as the tint goes.
_THROUGH, _TINT = 1.25, 0.35


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; nothing is left to chance."""
    layout = image.layout
    surface = scene(layout)
    left, top = corner(layout)
    factor = _MAGNIFICATION[layout.shape]
    reach = np.hypot(surface.x, surface.y) / surface.radius_px
    factor = factor * (1 + 0.35 * np.clip(reach, 0, 1.5) ** 4)
    behind = ground(
        factor * surface.x + left + layout.object_width / 2,
        factor * surface.y + top + layout.object_height / 2,
    )
    colour = 1 - _TINT + _TINT * ALBEDO[image.hue] / ALBEDO[image.hue].max()
    # More contrast than the ground itself has: glass gathers the light.
    light = _THROUGH * (behind + 0.8 * (behind - behind.mean()))[..., None] * colour
    rim = (1 - surface.normal[..., 2]) ** 3 if layout.shape == "sphere" else _tile_rim(surface)
    light = light * (1 - 0.5 * rim[..., None]) + 0.75 * rim[..., None]
    light += (0.10 * lambert(surface) + 0.25 * highlight(surface, 30))[..., None] * 0.5
    return Drawing(finished(layout, np.minimum(light, 0.84)))


def _tile_rim(surface) -> np.ndarray:
    return np.clip(1 - surface.inside / 6, 0, 1) ** 2
