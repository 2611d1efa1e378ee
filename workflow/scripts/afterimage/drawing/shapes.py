"""Shapes: discs, rings, sectors of annuli; rectangles, strokes along segments and chains of them; packed discs."""

from collections.abc import Callable, Iterator, Sequence
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


@dataclass(frozen=True)
class Arch:
    """A sector of an annulus, symmetric about the vertical through its centre.

    Attributes:
        centre: Centre of the two circles, px.
        inner_radius, outer_radius: Radii, px.
        half_angle_deg: Half of the opening angle, 0..90 deg, measured from straight up.
    """

    centre: tuple[float, float]
    inner_radius: float
    outer_radius: float
    half_angle_deg: float

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``."""
        cx, cy = snap(self.centre)
        inner, outer = snap(self.inner_radius), snap(self.outer_radius)
        side_x, side_y = _unit_up(self.half_angle_deg)
        corner_x, lowest = outer * side_x, inner * side_y
        x0, x1 = int(np.floor(cx - corner_x - 1)), int(np.ceil(cx + corner_x + 1))
        y0, y1 = int(np.floor(cy - outer - 1)), int(np.ceil(cy - lowest + 1))
        box = frame.cut(x0, y0, x1, y1)
        columns = np.abs(np.arange(box.x0, box.x1) + 0.5 - cx)
        x = np.broadcast_to(columns, (box.y1 - box.y0, columns.size))
        y = (cy - (np.arange(box.y0, box.y1) + 0.5))[:, None]
        radius = np.sqrt(columns * columns + y * y)
        across = x * side_y - y * side_x
        along = x * side_x + y * side_y
        past_side = along - np.minimum(np.maximum(along, inner), outer)
        to_side = np.sqrt(past_side * past_side + across * across)
        outside_circles = np.maximum(radius - outer, inner - radius)
        within_angle = np.where(
            outside_circles > 0,
            np.minimum(outside_circles, to_side),
            -np.minimum(-outside_circles, to_side),
        )
        distance = np.where(across <= 0, within_angle, to_side)
        rows = np.arange(box.y0, box.y1)[:, None] * frame.stride
        position = rows + np.arange(box.x0, box.x1)
        yield from_distance(position.ravel(), distance.ravel())


def _unit_up(angle_deg: float) -> tuple[float, float]:
    """Return the (sideways, upward) unit vector of an angle from straight up."""
    x, y = snap([np.sin(np.radians(angle_deg)) * 1024, np.cos(np.radians(angle_deg)) * 1024])
    length = np.sqrt(x * x + y * y)
    return x / length, y / length


# ---- Discs and rings ----


@dataclass(frozen=True)
class Discs:
    """Filled circles.

    Attributes:
        centres: Shape (n, 2), px.
        diameter: Diameter of every disc, px.
    """

    centres: np.ndarray
    diameter: float

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``."""
        centres, radius = snap(self.centres), snap(self.diameter / 2)
        owner, row = rows_between(centres[:, 1] - radius - 0.5, centres[:, 1] + radius + 0.5, frame)
        dy = row + 0.5 - centres[owner, 1]
        inside, edge = inside_and_edge(
            owner,
            row,
            outer=_chord(centres[owner, 0], dy, radius + 0.5 + SLACK_PX, frame),
            inner=_chord(centres[owner, 0], dy, radius - 0.5 - SLACK_PX, frame),
        )
        for block in edge.blocks():
            flat, _, from_centre = _radii(block, centres, frame)
            yield from_distance(flat, from_centre - radius)
        yield from surely_inside(inside, frame)


@dataclass(frozen=True)
class Rings:
    """Circles drawn as strokes.

    Attributes:
        centres: Shape (n, 2), px.
        radii: Radii of the centre lines, shape (n,), px.
        width: Width of the stroke, px.
    """

    centres: np.ndarray
    radii: np.ndarray
    width: float

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``."""
        centres, radii = snap(self.centres), snap(self.radii)
        reach = radii + self.width / 2 + 0.5
        owner, row = rows_between(centres[:, 1] - reach, centres[:, 1] + reach, frame)
        dy = row + 0.5 - centres[owner, 1]
        hole = radii - self.width / 2 - 0.5
        _, edge = inside_and_edge(
            owner,
            row,
            outer=_chord(centres[owner, 0], dy, reach[owner] + SLACK_PX, frame),
            inner=_chord(centres[owner, 0], dy, hole[owner] - SLACK_PX, frame),
        )
        for block in edge.blocks():
            flat, run, from_centre = _radii(block, centres, frame)
            off_line = np.abs(from_centre - radii[block.owner][run])
            yield from_distance(flat, off_line - self.width / 2)


def _radii(
    spans: Spans, centres: np.ndarray, frame: Frame
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return position, number of the run and distance from the own centre of all pixels."""
    flat, run = spans.positions(frame.stride)
    dy = spans.row + 0.5 - centres[spans.owner, 1]
    dx = flat - (spans.row * frame.stride + centres[spans.owner, 0] - 0.5)[run]
    return flat, run, np.sqrt(dx * dx + (dy * dy)[run])


def _chord(
    x: np.ndarray, dy: np.ndarray, radius: np.ndarray, frame: Frame
) -> tuple[np.ndarray, np.ndarray]:
    """Return the run of columns that a circle about ``x`` cuts from the row ``dy`` below it."""
    room = radius * np.abs(radius) - dy * dy
    half = np.sqrt(np.maximum(room, 0.0))
    start, stop = columns_between(x - half, x + half, frame)
    return start, np.where(room > 0, stop, start)


# ---- Rectangles and strokes ----


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


def _slab(
    slope: np.ndarray, offset: np.ndarray, half: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray]:
    """Solve ``|slope * x + offset| <= half`` for x; an empty solution has low > high."""
    level = slope == 0
    safe = np.where(level, 1.0, slope)
    centre = np.where(level, 0.0, -offset / safe)
    everywhere = np.where(np.abs(offset) <= half, np.inf, -np.inf)
    reach = np.where(level, everywhere, half / np.abs(safe))
    return centre - reach, centre + reach


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


# ---- Packed at random ----


def packed(
    tried: Callable[[float], np.ndarray], radii: Sequence[float], gap: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return centres, shape (discs, 2), and radii of discs that keep clear of each other.

    Args:
        tried: Returns the centres that are tried for a radius, one after the other, shape (n, 2).
        radii: In the order in which they are packed, large ones first.
        gap: Least distance between two rims.
    """
    # Few draw packed discs, and scipy is slow to load.
    from scipy.spatial.distance import cdist

    centres, taken = np.empty((0, 2)), np.empty(0)
    for radius in radii:
        candidates = tried(radius)
        # Most places are lost to discs of other radii, which are looked at all at once.
        apart = cdist(candidates, centres, "sqeuclidean")
        for centre in candidates[(apart >= (taken + radius + gap) ** 2).all(axis=1)]:
            near = ((centres - centre) ** 2).sum(axis=1)
            if (near >= (taken + radius + gap) ** 2).all():
                centres, taken = np.vstack([centres, centre]), np.append(taken, radius)
    return centres, taken
