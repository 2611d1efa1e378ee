"""Wet: a shiny surface with drops of many sizes, some of which have run down and left a trail."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import Scene, finished, scene
from afterimage.suites.texture.figures.light import bumped, highlight, lambert, painted
from afterimage.suites.texture.figures.spread import around, spread_discs
from afterimage.suites.texture.materials import DrawnImage

_RADII_PX = (1.6, 9.0)
_DROPS = 70
_GAP_PX = 1.5
#: The largest drops run: how many, how far in halves of the object, and how wide the trail is beside the drop.
_RUNNING = 5
_RUN = (0.55, 1.0)
_TRAIL = 0.55
_TRAIL_STEP_PX = 1.0
#: How much flatter than half a ball a drop lies.
_FLAT = 0.6


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; places and sizes of the drops, and how far they ran, are drawn by lot."""
    surface = scene(image.layout)
    drops = spread_discs(surface, _DROPS, _RADII_PX, _GAP_PX, generator)
    discs = np.vstack([drops, _trails(surface, drops[:_RUNNING], generator)])
    height, inside = _water(surface, discs)
    wetted = np.clip(inside / 0.8 + 0.5, 0, 1)
    dry = (0.10 + 0.80 * lambert(surface)) * _shadow(surface, discs)
    # Water gathers the light on its far side and is bright there; its rim towards the lamp is a little darker.
    gathered = lambert(surface, bumped(surface, -_FLAT * height))
    drop = (0.10 + 0.80 * lambert(surface)) * (0.25 + 1.20 * gathered**2) + 0.07
    shade = dry + (drop - dry) * wetted
    flat_shine = 1.3 * highlight(surface, 60)
    drop_shine = 5.0 * highlight(surface, 18, bumped(surface, 1.3 * height))
    shine = flat_shine + (drop_shine - flat_shine) * wetted
    return Drawing(finished(image.layout, painted(shade, image.hue) + shine[..., None]))


def _trails(surface: Scene, drops: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the discs that make up the trails above some drops, from the drop up, ever narrower."""
    trails = [np.empty((0, 3))]
    for x, y, radius in drops:
        length = surface.radius_px * generator.uniform(*_RUN)
        phase = generator.uniform(0, 2 * np.pi)
        way = np.arange(0, length, _TRAIL_STEP_PX)
        aside = 0.25 * radius * (np.sin(way / 14 + phase) - np.sin(phase))
        width = radius * np.maximum(_TRAIL * (1 - way / length), 1 - way / radius)
        discs = np.stack([x + aside, y - way, np.maximum(width, 1.0)], axis=1)
        trails.append(discs[_is_on(surface, discs)])
    return np.vstack(trails)


def _is_on(surface: Scene, discs: np.ndarray) -> np.ndarray:
    """Return which discs lie wholly within the outline."""
    half = np.array([surface.layout.object_width, surface.layout.object_height]) / 2
    x, y, radius = discs.T
    if surface.layout.shape == "sphere":
        return np.hypot(x, y) + radius < half[0] - 1
    return (np.abs(x) + radius < half[0] - 1) & (np.abs(y) + radius < half[1] - 1)


def _water(surface: Scene, discs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the water's height over the surface and how far each sample lies inside it, px."""
    height = np.zeros(surface.x.shape)
    inside = np.full(surface.x.shape, -np.inf)
    for x, y, radius in discs:
        near = around(surface, x, y, radius + 1)
        distance = np.hypot(surface.x[near] - x, surface.y[near] - y)
        inside[near] = np.maximum(inside[near], radius - distance)
        dome = np.sqrt(np.clip(radius**2 - distance**2, 0, None))
        height[near] = np.maximum(height[near], dome)
    return height, inside


def _shadow(surface: Scene, discs: np.ndarray) -> np.ndarray:
    """Return what is left of the light beside the water, on its side away from the lamp."""
    left = np.ones(surface.x.shape)
    for x, y, radius in discs:
        aside = 0.25 * min(radius, 5)
        near = around(surface, x + aside, y + aside, radius + 2)
        distance = np.hypot(surface.x[near] - x - aside, surface.y[near] - y - aside)
        shade = 0.5 + 0.5 * np.clip((distance - radius) / 1.5 + 0.5, 0, 1)
        left[near] = np.minimum(left[near], shade)
    return left
