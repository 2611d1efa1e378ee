"""Which pixels a shape covers, and how much of each.

For a signed distance ``sd`` (negative inside) at the pixel centre the coverage is
``clip(0.5 - sd, 0, 1)`` (docs/illusion_figures.md, section 2). Only pixels that can be covered are ever
looked at: shapes give, per row of pixels, an outer interval that holds every pixel with ``sd < 0.5`` and an inner one
in which ``sd <= -0.5`` throughout; distances are computed for the pixels between the two alone.

Coordinates in px, x to the right, y down; pixel (i, j) covers ``[i, i+1) x [j, j+1)``. Shapes are
data: each class in the neighbouring modules has a method ``coverage(frame)`` and knows its exact
distance. They round their vertices and centres to 1/1024 px and take only additions,
multiplications, divisions and square roots on the way to a pixel, because IEEE 754 defines the last
bit of these.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

#: Intervals are widened (outer) and narrowed (inner) by this much, px, so that rounding errors only
#: ever cost an extra look at a pixel.
SLACK_PX = 1e-6

#: Pixels looked at in one go: intermediate results then stay in the processor's cache and below the
#: size from which the C library asks the system for fresh memory each time.
BLOCK_PIXELS = 12_000


class Frame(NamedTuple):
    """A rectangle of whole pixels, ``[x0, x1) x [y0, y1)``, on a canvas ``stride`` pixels wide."""

    x0: int
    y0: int
    x1: int
    y1: int
    stride: int

    def cut(self, x0: int, y0: int, x1: int, y1: int) -> "Frame":
        """Return the part of the frame inside ``[x0, x1) x [y0, y1)``."""
        return Frame(
            max(x0, self.x0), max(y0, self.y0), min(x1, self.x1), min(y1, self.y1), self.stride
        )


class Coverage(NamedTuple):
    """The pixels of one or more shapes of one colour, as positions in the row-by-row order.

    ``partial`` holds a pixel once for each shape that covers part of it.
    """

    opaque: np.ndarray
    partial: np.ndarray
    share: np.ndarray


class Spans(NamedTuple):
    """Runs of pixels: ``owner`` is the number of the shape that each run belongs to."""

    owner: np.ndarray
    row: np.ndarray
    start: np.ndarray
    stop: np.ndarray

    def blocks(self) -> Iterator["Spans"]:
        """Yield the runs in portions of about ``BLOCK_PIXELS`` pixels."""
        before = np.cumsum(self.stop - self.start)
        total = int(before[-1]) if before.size else 0
        cuts = np.searchsorted(before, np.arange(BLOCK_PIXELS, total, BLOCK_PIXELS))
        for low, high in pairwise([0, *cuts.tolist(), before.size]):
            if low < high:
                yield Spans(*(column[low:high] for column in self))

    def positions(self, stride: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the position of every pixel and the number of the run that it lies in."""
        counts = self.stop - self.start
        run = np.repeat(np.arange(counts.size), counts)
        before = np.cumsum(counts) - counts
        first = self.row * stride + self.start - before
        return first[run] + np.arange(run.size), run


def rows_between(
    top: np.ndarray, bottom: np.ndarray, frame: Frame
) -> tuple[np.ndarray, np.ndarray]:
    """Return (shape number, row) for every row with its centre in a shape's ``[top, bottom]``."""
    first = np.clip(np.ceil(top - SLACK_PX - 0.5), frame.y0, frame.y1).astype(np.int64)
    last = np.clip(np.floor(bottom + SLACK_PX - 0.5) + 1, frame.y0, frame.y1).astype(np.int64)
    counts = np.maximum(last - first, 0)
    owner = np.repeat(np.arange(counts.size), counts)
    row = first[owner] + np.arange(owner.size) - (np.cumsum(counts) - counts)[owner]
    return owner, row


def columns_between(
    low: np.ndarray, high: np.ndarray, frame: Frame
) -> tuple[np.ndarray, np.ndarray]:
    """Return the half-open run of columns whose centres lie within ``[low, high]``."""
    start = np.clip(np.ceil(low - 0.5), frame.x0, frame.x1).astype(np.int64)
    stop = np.clip(np.floor(high - 0.5) + 1, frame.x0, frame.x1).astype(np.int64)
    return start, np.maximum(stop, start)


def inside_and_edge(
    owner: np.ndarray,
    row: np.ndarray,
    outer: tuple[np.ndarray, np.ndarray],
    inner: tuple[np.ndarray, np.ndarray],
) -> tuple[Spans, Spans]:
    """Split rows of shapes into runs surely inside and runs whose distance must be computed."""
    (start, stop), (inner_start, inner_stop) = outer, inner
    hollow = inner_stop <= inner_start
    inner_start = np.where(hollow, stop, np.clip(inner_start, start, stop))
    inner_stop = np.where(hollow, stop, np.clip(inner_stop, start, stop))
    inside = Spans(owner, row, inner_start, inner_stop)
    edge = Spans(
        np.concatenate([owner, owner]),
        np.concatenate([row, row]),
        np.concatenate([start, inner_stop]),
        np.concatenate([inner_start, stop]),
    )
    return inside, edge


def from_distance(position: np.ndarray, distance: np.ndarray) -> Coverage:
    """Turn signed distances (px) at pixels into coverage, dropping what is not covered."""
    share = 0.5 - distance
    full = share >= 1
    some = np.flatnonzero((share > 0) & ~full)
    return Coverage(position[full], position[some], share[some])


def surely_inside(spans: Spans, frame: Frame) -> Iterator[Coverage]:
    """Yield the coverage of runs in which every pixel is wholly covered."""
    none = np.empty(0, dtype=np.int64)
    for block in spans.blocks():
        yield Coverage(block.positions(frame.stride)[0], none, np.empty(0))


def distinct(position: np.ndarray, pixels: int) -> np.ndarray:
    """Return a mask that keeps one entry per pixel of a list of positions on ``pixels`` pixels."""
    entry = np.arange(position.size, dtype=np.int32)
    holder = np.empty(pixels, dtype=np.int32)
    holder[position] = entry
    kept: np.ndarray = holder[position] == entry
    return kept


def pixel_centres(position: np.ndarray, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y (px) of the centres of pixels given by their position."""
    row = position // frame.stride
    return position - row * frame.stride + 0.5, row + 0.5
