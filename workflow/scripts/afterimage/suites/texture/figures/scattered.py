"""Cracks and drops: what begins with discs that are spread over an object without touching each other."""

import numpy as np
from scipy.spatial import cKDTree

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import Scene, finished, scene
from afterimage.suites.texture.figures.light import bumped, highlight, lambert, painted
from afterimage.suites.texture.materials import DrawnImage

_TRIES_PER_DISC = 60


def around(scene: Scene, x: float, y: float, reach_px: float) -> tuple[slice, slice]:
    """Return the rows and columns of the samples that lie within a square about a place."""
    step = scene.x[0, 1] - scene.x[0, 0]
    limits = []
    for place, first in ((y, scene.y[0, 0]), (x, scene.x[0, 0])):
        start = int((place - reach_px - first) // step)
        limits.append(slice(max(start, 0), start + int(2 * reach_px / step) + 3))
    return limits[0], limits[1]


def spread_discs(
    scene: Scene,
    number: int,
    radii_px: tuple[float, float],
    gap_px: float,
    generator: np.random.Generator,
) -> np.ndarray:
    """Place discs by lot, large ones first, until there are enough or no room is left.

    Args:
        scene: Where the object is.
        number: How many are wanted.
        radii_px: Smallest and largest radius.
        gap_px: Least distance between two discs, and between a disc and the outline.
        generator: Source of places and sizes.

    Returns:
        One row per disc: x and y of its centre from the object's middle, and its radius, px.
    """
    radii = np.sort(generator.uniform(*radii_px, number))[::-1]
    half = np.array([scene.layout.object_width, scene.layout.object_height]) / 2
    round_object = scene.layout.shape == "sphere"
    placed = np.empty((0, 3))
    for radius in radii:
        for x, y in generator.uniform(-half, half, (_TRIES_PER_DISC, 2)):
            room = (
                half[0] - np.hypot(x, y)
                if round_object
                else min(half[0] - abs(x), half[1] - abs(y))
            )
            clear = np.hypot(placed[:, 0] - x, placed[:, 1] - y) - placed[:, 2]
            if room - radius >= gap_px and (clear - radius >= gap_px).all():
                placed = np.vstack([placed, [x, y, radius]])
                break
    return placed


_CELLS = 60
_TINT = 0.22


def cracked(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw Voronoi cells apart from each other, with little colour.

    The cells, their brightness and the width of the cracks are drawn by lot.
    """
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


def wet(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw a shiny surface with drops of many sizes, some of which have run down and left a trail.

    Places and sizes of the drops, and how far they ran, are drawn by lot.
    """
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
