"""Discs spread over an object without touching each other."""

import numpy as np

from afterimage.suites.texture.figures.canvas import Scene

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
