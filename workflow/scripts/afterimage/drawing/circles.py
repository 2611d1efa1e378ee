"""Discs, rings and sectors of annuli."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from afterimage.drawing.coverage import (
    SLACK_PX,
    Coverage,
    Frame,
    Spans,
    columns_between,
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
