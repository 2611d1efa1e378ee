"""Rims of convex polygons."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from afterimage.drawing.bars import Bars
from afterimage.drawing.coverage import (
    Coverage,
    Frame,
    distinct,
    from_distance,
    pixel_centres,
)
from afterimage.drawing.geometry import snap


@dataclass(frozen=True)
class Outline:
    """The rim of a convex polygon, wholly inside its edges.

    Attributes:
        vertices: Shape (n, 2), px, in order round the polygon.
        width: Width of the rim, px.
    """

    vertices: np.ndarray
    width: float

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``."""
        vertices = snap(self.vertices)
        following = np.roll(vertices, -1, axis=0)
        bars = Bars.between(vertices, following, self.width)
        _, reach = bars.spans(frame, outer=0.5, inner=None, beyond_ends=0.5)
        flat, _ = reach.positions(frame.stride)
        flat = flat[distinct(flat, frame.stride * frame.y1)]
        x, y = pixel_centres(flat, frame)
        from_rim_middle = np.abs(_polygon_distance(vertices, following, x, y) + self.width / 2)
        yield from_distance(flat, from_rim_middle - self.width / 2)


def _polygon_distance(
    vertices: np.ndarray, following: np.ndarray, x: np.ndarray, y: np.ndarray
) -> np.ndarray:
    """Return the signed distance to a convex polygon, negative inside."""
    nearest = np.full(x.size, np.inf)
    inside_side = np.full(x.size, -np.inf)
    turn = 1.0 if _doubled_area(vertices, following) > 0 else -1.0
    for (ax, ay), (bx, by) in zip(vertices, following, strict=True):
        ex, ey = bx - ax, by - ay
        size = np.sqrt(ex * ex + ey * ey)
        ux, uy = ex / size, ey / size
        px, py = x - ax, y - ay
        across = (px * uy - py * ux) * turn
        past = px * ux + py * uy
        past = past - np.minimum(np.maximum(past, 0.0), size)
        nearest = np.minimum(nearest, past * past + across * across)
        inside_side = np.maximum(inside_side, across)
    distance = np.sqrt(nearest)
    return np.where(inside_side <= 0, -distance, distance)


def _doubled_area(vertices: np.ndarray, following: np.ndarray) -> float:
    cross = vertices[:, 0] * following[:, 1] - vertices[:, 1] * following[:, 0]
    return float(cross.sum())
