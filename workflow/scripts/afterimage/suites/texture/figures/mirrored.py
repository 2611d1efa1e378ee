"""What shows its surroundings: a polished mirror, and a body that one sees through."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import Scene, corner, finished, ground, scene
from afterimage.suites.texture.figures.light import ALBEDO, highlight, lambert, mirrored_direction
from afterimage.suites.texture.materials import DrawnImage

#: What is mirrored, by the sine of the height over the horizon: brightness runs from the first number, at the lower
#: end, to the second; between parts it jumps. A floor, darkest where it ends; a sky, brightest at the horizon.
_PARTS = (
    (-1.00, 0.00, 0.55, 0.02),
    (0.00, 1.00, 1.10, 0.20),
)
_LAMP = 1.10
#: Between which sines to the right and of the height the lamp stands; a plate mirrors it as a band.
_LAMP_ACROSS = (-0.52, -0.08)
_LAMP_UP = (0.44, 0.68)
_EDGE = 0.016
_BRIGHTEST = 0.80
_SCREW_PX = 9.0
_SCREW_INSET_PX = 20.0
_SLOT_PX = 1.4


def metallic(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw a polished mirror of the metal's own colour; a tile is a plate, screwed down at its corners.

    Nothing is left to chance.
    """
    surface = scene(image.layout)
    towards = mirrored_direction(surface)
    across, up = towards[..., 0], -towards[..., 1]
    if image.layout.shape == "sphere":
        brightness = _mirrored(up + 0.12 * across, _within(across, _LAMP_ACROSS))
    else:
        # A tile bulges little; it is tilted so that it mirrors as much of the surrounding as a sphere's middle does.
        brightness = _mirrored(2.9 * (0.8 * up - 0.6 * across), np.ones(up.shape))
        brightness = _with_screws(surface, brightness)
    colour = 0.45 + 0.55 * ALBEDO[image.hue] / ALBEDO[image.hue].max()
    light = np.minimum(0.72 * brightness, _BRIGHTEST)[..., None] * colour
    return Drawing(finished(image.layout, light))


def _mirrored(height: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """Return how bright the surrounding is.

    Args:
        height: Sines of the height over the horizon.
        beside: Where the lamp stands, as far as right and left go, 0 to 1.
    """
    height = np.clip(height, -1, 1)
    brightness = np.zeros(height.shape)
    for start, end, low, high in _PARTS:
        level = low + (high - low) * np.clip((height - start) / (end - start), 0, 1)
        share = _step(height - start) if start > -1 else np.ones(height.shape)
        brightness += (level - brightness) * share
    lamp = beside * _within(height, _LAMP_UP)
    return brightness + (_LAMP - brightness) * lamp


def _within(value: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """Return 1 between two limits and 0 beyond them, with a short way between."""
    return _step(value - limits[0]) * _step(limits[1] - value)


def _with_screws(surface: Scene, brightness: np.ndarray) -> np.ndarray:
    """Put a screw into each corner: a dark rim, a head that is bright towards the lamp, and a slot."""
    half = surface.layout.object_width / 2, surface.layout.object_height / 2
    x = np.abs(surface.x) - (half[0] - _SCREW_INSET_PX)
    y = np.abs(surface.y) - (half[1] - _SCREW_INSET_PX)
    distance = np.hypot(x, y)
    # The same way up in every corner.
    x, y = x * np.sign(surface.x), y * np.sign(surface.y)
    head = 0.55 - 0.40 * (x + y) / (np.sqrt(2) * _SCREW_PX)
    slot = np.abs(x - y) / np.sqrt(2) < _SLOT_PX
    head = np.where(slot, 0.04, head)
    rimmed = np.where(distance < _SCREW_PX + 1.8, 0.04, brightness)
    return np.where(distance < _SCREW_PX, head, rimmed)


def _step(over: np.ndarray) -> np.ndarray:
    """Return 0 below an edge and 1 above it, with a short way between."""
    return 1 / (1 + np.exp(-np.clip(over / _EDGE, -60, 60)))


#: A sphere shows what is behind it upside down, a tile in its place but larger; both bend more at the rim.
_MAGNIFICATION = {"sphere": -0.55, "tile": 0.72}
#: What comes through of the light, by hue as far as the tint goes.
_THROUGH, _TINT = 1.25, 0.35


def transparent(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the ground seen bent through the object, and light along its rim; nothing is left to chance."""
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
