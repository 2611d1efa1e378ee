"""Discs and rings."""

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
