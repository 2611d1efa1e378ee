"""Rims of convex polygons, and areas bounded by polygons of any shape."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from afterimage.drawing.coverage import (
    Coverage,
    Frame,
    Spans,
    columns_between,
    distinct,
    from_distance,
    pixel_centres,
    rows_between,
)
from afterimage.drawing.geometry import snap
from afterimage.drawing.shapes import Bars


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
    signed: np.ndarray = np.where(inside_side <= 0, -distance, distance)
    return signed


def _doubled_area(vertices: np.ndarray, following: np.ndarray) -> float:
    cross = vertices[:, 0] * following[:, 1] - vertices[:, 1] * following[:, 0]
    return float(cross.sum())


# ---- Areas bounded by polygons of any shape, holes included ----


@dataclass(frozen=True)
class Region:
    """The points that closed polygons wind round (non-zero rule), as the outlines of a glyph do.

    No edge may run inside another polygon's filled part, or it would be drawn as a seam.

    Attributes:
        polygons: Closed polygons, each of shape (n, 2), px; holes run the other way round.
    """

    polygons: Sequence[np.ndarray]

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``."""
        starts, ends = _edges(self.polygons)
        near, distance = _near(starts, ends, frame)
        inside = np.zeros(frame.stride * frame.y1, dtype=bool)
        inside[_enclosed(starts, ends, frame)] = True
        share = np.where(inside[near], 0.5 + distance, 0.5 - distance)
        inside[near] = False
        opaque = np.flatnonzero(inside)
        full = share >= 1
        some = ~full & (share > 0)
        yield Coverage(np.concatenate([opaque, near[full]]), near[some], share[some])


def _edges(polygons: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    rounded = [snap(polygon) for polygon in polygons]
    starts = np.concatenate(rounded)
    ends = np.concatenate([np.roll(polygon, -1, axis=0) for polygon in rounded])
    real = (starts != ends).any(axis=1)
    return starts[real], ends[real]


def _near(starts: np.ndarray, ends: np.ndarray, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Return the pixels whose centres lie within 0.5 px of an edge, and that distance, px."""
    bars = Bars.between(starts, ends, 0.0)
    _, reach = bars.spans(frame, outer=0.5, inner=None)
    pixels = bars.coordinates(reach, frame)
    beyond_end = np.maximum(np.abs(pixels.along) - bars.half_length[pixels.bar], 0.0)
    squared = beyond_end * beyond_end + pixels.across * pixels.across
    order = np.argsort(pixels.flat, kind="stable")
    flat, squared = pixels.flat[order], squared[order]
    first = np.flatnonzero(np.diff(flat, prepend=-1))
    if not first.size:
        return flat, squared
    distance = np.sqrt(np.minimum.reduceat(squared, first))
    close = distance < 0.5
    return flat[first][close], distance[close]


def _enclosed(starts: np.ndarray, ends: np.ndarray, frame: Frame) -> np.ndarray:
    """Return the pixels whose centres the polygons wind round."""
    down = ends[:, 1] > starts[:, 1]
    upper, lower = np.where(down[:, None], starts, ends), np.where(down[:, None], ends, starts)
    edge, row = rows_between(upper[:, 1], lower[:, 1], frame)
    y = row + 0.5
    # Half-open, so that a vertex exactly at a row of centres is passed once.
    crossed = (upper[edge, 1] <= y) & (y < lower[edge, 1])
    edge, row, y = edge[crossed], row[crossed], y[crossed]
    slope = (lower[:, 0] - upper[:, 0])[edge] / (lower[:, 1] - upper[:, 1])[edge]
    x = upper[edge, 0] + (y - upper[edge, 1]) * slope
    order = np.lexsort((x, row))
    row, x, turn = row[order], x[order], np.where(down[edge[order]], 1, -1)
    # Every row is left with winding number 0, so the sum may run on across rows.
    wound = np.flatnonzero(np.cumsum(turn)[:-1] != 0) if row.size else np.empty(0, dtype=np.int64)
    start, stop = columns_between(x[wound], x[wound + 1], frame)
    return Spans(wound, row[wound], start, stop).positions(frame.stride)[0]
