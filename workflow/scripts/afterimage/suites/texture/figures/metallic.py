"""Metallic: a banded surrounding mirrored in the metal's own colour."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import finished, scene
from afterimage.suites.texture.figures.light import ALBEDO, mirrored_direction
from afterimage.suites.texture.materials import DrawnImage

#: Bands of the surrounding: where they begin, as the sine of the height over the horizon, and how bright they are.
_BANDS = (
    (-1.00, 0.10),
    (-0.62, 0.42),
    (-0.40, 0.06),
    (-0.16, 0.60),
    (-0.02, 1.30),
    (0.10, 0.16),
    (0.30, 0.95),
    (0.46, 0.30),
    (0.72, 0.80),
    (0.90, 0.35),
)
_EDGE = 0.018


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; nothing is left to chance."""
    surface = scene(image.layout)
    towards = mirrored_direction(surface)
    # A tile bulges little; it is tilted so that it mirrors as much of the surrounding as a sphere's middle does.
    stretch = 1.0 if image.layout.shape == "sphere" else 3.4
    height = np.clip(-stretch * towards[..., 1] + 0.10 * towards[..., 0], -1, 1)
    brightness = np.full(height.shape, _BANDS[0][1])
    for (start, level), (_, before) in zip(_BANDS[1:], _BANDS, strict=False):
        brightness += (level - before) / (1 + np.exp(-np.clip((height - start) / _EDGE, -60, 60)))
    colour = 0.45 + 0.55 * ALBEDO[image.hue] / ALBEDO[image.hue].max()
    return Drawing(finished(image.layout, np.minimum(0.72 * brightness, 0.80)[..., None] * colour))
