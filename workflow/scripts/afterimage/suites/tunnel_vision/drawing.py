"""Drawing the three tasks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, from_hexadecimal
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Discs, Rings
from afterimage.suites.tunnel_vision.tasks import COLOURS, COLUMNS


def paint(canvas: Canvas, colour: str, form: str, centre: tuple[int, int], side: int) -> None:
    """Paint a shape within a square about its centre.

    Args:
        canvas: What is painted on.
        colour: One of COLOURS.
        form: One of SHAPES.
        centre: In px.
        side: Of the square, px; even, and of a cross a multiple of 3.
    """
    x, y = centre
    half, third, ink = side // 2, side // 6, from_hexadecimal(COLOURS[colour])
    if form == "circle":
        canvas.paint(Discs(np.array([centre], dtype=float), side), ink)
    elif form == "triangle":
        corners = [(x, y - half), (x + half, y + half), (x - half, y + half)]
        canvas.paint(Region([np.array(corners, dtype=float)]), ink)
    elif form == "cross":
        canvas.fill(x - half, y - third, x + half, y + third, ink)
        canvas.fill(x - third, y - half, x + third, y + half, ink)
    else:
        canvas.fill(x - half, y - half, x + half, y + half, ink)


# ---- follow ----

_CELLS, _CELL_PX, _MARGIN_PX = 4, 160, 16
_SHAPE_PX, _LABEL_PX = 72, 42
#: Horizontal offsets of shape and label from the middle of their cell, px.
_SHAPE_X, _LABEL_X = -30, 36


def draw_follow(cells: Sequence[Sequence[Sequence[str] | None]]) -> Drawing:
    """Draw a board, 672 x 672.

    Args:
        cells: Row by row, colour and form of the shape, and those of its label; None without one.
    """
    canvas = Canvas(WHITE)
    for index, (shape, label) in enumerate(cells):
        row, column = divmod(index, _CELLS)
        x, y = (_MARGIN_PX + _CELL_PX * index + _CELL_PX // 2 for index in (column, row))
        for item, offset, side in ((shape, _SHAPE_X, _SHAPE_PX), (label, _LABEL_X, _LABEL_PX)):
            if item is not None:
                colour, form = item
                paint(canvas, colour, form, (x + offset, y), side)
    return Drawing(canvas.pixels())


# ---- same object ----

#: Centres of the upper object and of the lower left and lower right ones, px.
_MIDDLES = ((336, 180), (176, 492), (496, 492))
_BODY_PX, _PART_PX = 160, 36


def draw_same_object(objects: Sequence[Sequence[Sequence[Any]]]) -> Drawing:
    """Draw three objects, 672 x 672.

    Args:
        objects: For each its parts on the upper, right, lower and left side: colour, form, and offset to the right or
            down from the middle of the side, px.
    """
    canvas = Canvas(WHITE)
    half = _BODY_PX // 2
    for (x, y), parts in zip(_MIDDLES, objects, strict=True):
        paint(canvas, "grey", "square", (x, y), _BODY_PX)
        for index, (colour, form, shift) in enumerate(parts):
            offset = -half if index in (0, 3) else half
            across = index % 2 == 0
            centre = (x + shift, y + offset) if across else (x + offset, y + shift)
            paint(canvas, colour, form, centre, _PART_PX)
    return Drawing(canvas.pixels())


# ---- trace ----

#: Positions of the first column and row, and their pitches, px.
_LEFT, _TOP, _COLUMN_PX, _ROW_PX = 60, 66, 22, 36
#: Positions and sizes of dots and squares, px.
_START_X, _END_X, _DOT_PX, _END_PX = 36, 640, 26, 30
_WIRE_PX, _RIM_PX = 6, 4


def draw_trace(
    wires: Sequence[Sequence[Sequence[int]]], colours: Sequence[str], alone: bool
) -> Drawing:
    """Draw the wires, 672 x 672.

    Args:
        wires: Column and row of each wire's corners; the first is asked about.
        colours: Of the square at each wire's end.
        alone: Whether only the first wire is drawn; dots and squares always are.
    """
    canvas = Canvas(WHITE)
    for wire in wires[:1] if alone else wires:
        for corner, following in pairwise(wire):
            ends = np.array([_at(*corner), _at(*following)])
            left, top = ends.min(axis=0) - _WIRE_PX // 2
            right, bottom = ends.max(axis=0) + _WIRE_PX // 2
            canvas.fill(left, top, right, bottom, BLACK)
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
