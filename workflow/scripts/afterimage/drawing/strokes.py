"""Oriented rectangles about segments, and strokes along segments and chains of segments."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from afterimage.drawing.coverage import (
    SLACK_PX,
    Coverage,
    Frame,
    Spans,
    columns_between,
    distinct,
    from_distance,
    inside_and_edge,
    rows_between,
    surely_inside,
)
from afterimage.drawing.geometry import snap


class BarPixels(NamedTuple):
    """Pixels near bars: position, number of the bar, coordinates along and across it (px)."""

    flat: np.ndarray
    bar: np.ndarray
    along: np.ndarray
    across: np.ndarray


@dataclass(frozen=True)
class Bars:
    """Oriented rectangles about segments, the common frame of everything drawn along a line.

    Attributes:
        middle: Middles, shape (n, 2), px.
        direction: Unit vectors along the segments, shape (n, 2).
        half_length: Half of each segment's length, shape (n,), px.
        half_width: Half of the common width, px.
    """

    middle: np.ndarray
    direction: np.ndarray
    half_length: np.ndarray
    half_width: float

    @classmethod
    def between(cls, starts: np.ndarray, ends: np.ndarray, half_width: float) -> "Bars":
        """Return the rectangles about segments, whose ends are rounded to 1/1024 px first."""
        starts, ends = snap(starts), snap(ends)
        span = ends - starts
        lengths = np.sqrt(span[:, 0] * span[:, 0] + span[:, 1] * span[:, 1])
        return cls((starts + ends) / 2, span / lengths[:, None], lengths / 2, half_width)

    def spans(
        self, frame: Frame, outer: float, inner: float | None, beyond_ends: float = 0.0
    ) -> tuple[Spans, Spans]:
        """Return the runs inside by ``inner`` px and those of the remainder out to ``outer`` px."""
        ux, uy = np.abs(self.direction[:, 0]), np.abs(self.direction[:, 1])
        reach_along = self.half_length + beyond_ends + outer
        reach_across = self.half_width + outer
        height = reach_along * uy + reach_across * ux
        owner, row = rows_between(self.middle[:, 1] - height, self.middle[:, 1] + height, frame)
        dy = row + 0.5 - self.middle[owner, 1]
        outside = self._crossing(owner, dy, reach_along[owner], reach_across, SLACK_PX, frame)
        if inner is None:
            empty = (np.zeros_like(row), np.zeros_like(row))
            return inside_and_edge(owner, row, outside, empty)
        within = self._crossing(
            owner, dy, self.half_length[owner] - inner, self.half_width - inner, -SLACK_PX, frame
        )
        return inside_and_edge(owner, row, outside, within)

    def _crossing(
        self,
        owner: np.ndarray,
        dy: np.ndarray,
        half_length: np.ndarray,
        half_width: float,
        slack: float,
        frame: Frame,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Cut rows with the rectangles: the run of columns inside both pairs of parallel edges."""
        ux, uy = self.direction[owner, 0], self.direction[owner, 1]
        low_a, high_a = _slab(ux, dy * uy, half_length + slack)
        low_b, high_b = _slab(-uy, dy * ux, half_width + slack)
        x = self.middle[owner, 0]
        low = np.clip(x + np.maximum(low_a, low_b), frame.x0 - 1.0, frame.x1 + 1.0)
        high = np.clip(x + np.minimum(high_a, high_b), frame.x0 - 1.0, frame.x1 + 1.0)
        return columns_between(low, high, frame)

    def coordinates(self, spans: Spans, frame: Frame) -> "BarPixels":
        """Return the pixels of runs with their coordinates along and across their own segment."""
        flat, run = spans.positions(frame.stride)
        ux, uy = self.direction[spans.owner, 0], self.direction[spans.owner, 1]
        dy = spans.row + 0.5 - self.middle[spans.owner, 1]
        column = flat - (spans.row * frame.stride)[run]
        dx = column + 0.5 - self.middle[spans.owner, 0][run]
        along = dx * ux[run] + (dy * uy)[run]
        across = (dy * ux)[run] - dx * uy[run]
        return BarPixels(flat, spans.owner[run], along, across)


def _slab(slope: np.ndarray, offset: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve ``|slope * x + offset| <= half`` for x; an empty solution has low > high."""
    level = slope == 0
    safe = np.where(level, 1.0, slope)
    centre = np.where(level, 0.0, -offset / safe)
    everywhere = np.where(np.abs(offset) <= half, np.inf, -np.inf)
    reach = np.where(level, everywhere, half / np.abs(safe))
    return centre - reach, centre + reach


# ---- Strokes ----


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
