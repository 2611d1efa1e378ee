"""Wet: a glossy surface with drops on it, each with a highlight of its own."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import Scene, finished, scene
from afterimage.suites.texture.figures.light import bumped, highlight, lambert, painted
from afterimage.suites.texture.figures.spread import around, spread_discs
from afterimage.suites.texture.materials import DrawnImage

_RADII_PX = (4.5, 9.5)
_DROPS = 40


def draw(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; places and sizes of the drops are drawn by lot."""
    surface = scene(image.layout)
    discs = spread_discs(surface, _DROPS, _RADII_PX, 2.5, generator)
    height, inside = _drops(surface, discs)
    shade = 0.10 + 0.85 * lambert(surface)
    shine = 1.6 * highlight(surface, 60)
    # A drop bends the light: it is dark towards the lamp, bright on the far side, and casts a shadow there.
    drop = 0.04 + 1.25 * lambert(surface, bumped(surface, -0.75 * height)) ** 2
    wetted = inside > 0
    shade = np.where(wetted, drop, shade * _shadow(surface, discs))
    shine = np.where(wetted, 3.0 * highlight(surface, 40, bumped(surface, height)), shine)
    light = painted(shade, image.hue) + shine[..., None]
    return Drawing(finished(image.layout, light))


def _drops(surface: Scene, discs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the drops' height over the surface and how far each sample lies inside a drop, px."""
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
    """Return what is left of the light beside the drops, on their side away from the lamp."""
    left = np.ones(surface.x.shape)
    for x, y, radius in discs:
        aside = 0.22 * radius
        near = around(surface, x + aside, y + aside, radius + 2)
        distance = np.hypot(surface.x[near] - x - aside, surface.y[near] - y - aside)
        shade = 0.45 + 0.55 * np.clip((distance - radius) / 1.5 + 0.5, 0, 1)
        left[near] = np.minimum(left[near], shade)
    return left
