"""Strokes along segments and chains of segments."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from afterimage.drawing.bars import Bars
from afterimage.drawing.coverage import Coverage, Frame, distinct, from_distance, surely_inside


@dataclass(frozen=True)
class Strokes:
    """Straight strokes with square ends exactly at their end points.

    Attributes:
        starts, ends: End points, shape (n, 2), px.
        width: Width of every stroke, px.
    """

    starts: np.ndarray
    ends: np.ndarray
    width: float

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``."""
        bars = Bars.between(self.starts, self.ends, self.width / 2)
        inside, edge = bars.spans(frame, outer=0.5, inner=0.5)
        for block in edge.blocks():
            pixels = bars.coordinates(block, frame)
            beyond_end = np.abs(pixels.along) - bars.half_length[pixels.bar]
            beyond_side = np.abs(pixels.across) - bars.half_width
            within = np.minimum(np.maximum(beyond_end, beyond_side), 0.0)
            out_x, out_y = np.maximum(beyond_end, 0.0), np.maximum(beyond_side, 0.0)
            distance = within + np.sqrt(out_x * out_x + out_y * out_y)
            yield from_distance(pixels.flat, distance)
        yield from surely_inside(inside, frame)


@dataclass(frozen=True)
class Polyline:
    """One stroke along a chain of points, with round joins and round ends.

    Attributes:
        points: Shape (n, 2), px.
        width: Width, px.
        closed: Whether the last point is joined to the first.
    """

    points: np.ndarray
    width: float
    closed: bool = False

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``; overlapping segments count once."""
        ends = np.roll(self.points, -1, axis=0)
        starts = np.asarray(self.points)
        if not self.closed:
            starts, ends = starts[:-1], ends[:-1]
        bars = Bars.between(starts, ends, self.width / 2)
        _, reach = bars.spans(frame, outer=0.5, inner=None, beyond_ends=self.width / 2)
        pixels = bars.coordinates(reach, frame)
        beyond_end = np.maximum(np.abs(pixels.along) - bars.half_length[pixels.bar], 0.0)
        share = 0.5 + self.width / 2 - np.sqrt(beyond_end * beyond_end + pixels.across**2)
        nearest = np.zeros(frame.stride * frame.y1)
        np.maximum.at(nearest, pixels.flat, share)
        once = pixels.flat[distinct(pixels.flat, nearest.size)]
        yield from_distance(once, 0.5 - nearest[once])
