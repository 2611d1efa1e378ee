"""Wires of one colour on white between dots on the left, the asked one filled, and coloured squares on the right."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs, Rings
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.suites.tunnel_vision.figures.shapes import paint
from afterimage.suites.tunnel_vision.names import COLUMNS

#: The first column and row, and how far the next ones are, px.
_LEFT, _TOP, _COLUMN_PX, _ROW_PX = 60, 66, 22, 36
#: Where dots and squares are, and their sizes, px.
_START_X, _END_X, _DOT_PX, _END_PX = 36, 640, 26, 30
_WIRE_PX, _RIM_PX = 6, 4


def draw(wires: Sequence[Sequence[Sequence[int]]], colours: Sequence[str], alone: bool) -> Drawing:
    """Draw the wires, 672 x 672.

    Args:
        wires: Column and row of each wire's corners; the first is asked about.
        colours: Of the square at each wire's end.
        alone: Whether the asked wire is the only one; dots and squares are always there.
    """
    canvas = Canvas(WHITE)
    for wire in wires[:1] if alone else wires:
        for corner, following in pairwise(wire):
            ends = np.array([_at(*corner), _at(*following)])
            low, high = ends.min(axis=0) - _WIRE_PX // 2, ends.max(axis=0) + _WIRE_PX // 2
            canvas.fill(*low, *high, BLACK)
    starts = np.array([_at(*wire[0]) for wire in wires], dtype=float)
    canvas.paint(Discs(starts[:1], _DOT_PX), BLACK)
    canvas.paint(Discs(starts[1:], _DOT_PX), WHITE)
    radii = np.full(len(starts) - 1, (_DOT_PX - _RIM_PX) / 2)
    canvas.paint(Rings(starts[1:], radii, _RIM_PX), BLACK)
    for wire, colour in zip(wires, colours, strict=True):
        paint(canvas, colour, "square", _at(*wire[-1]), _END_PX)
    return Drawing(canvas.pixels())


def _at(column: int, row: int) -> tuple[int, int]:
    x = {0: _START_X, COLUMNS: _END_X}.get(column, _LEFT + _COLUMN_PX * column)
    return x, _TOP + _ROW_PX * row
