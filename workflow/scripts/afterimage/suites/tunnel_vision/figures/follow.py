"""A board of 4 x 4 cells on white: large shapes, each with a small one on its right that says which comes next."""

from collections.abc import Sequence

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import WHITE
from afterimage.suites.tunnel_vision.figures.shapes import paint

_CELLS, _CELL_PX, _MARGIN_PX = 4, 160, 16
_SHAPE_PX, _LABEL_PX = 72, 42
#: Of shape and label, from the middle of their cell, px.
_SHAPE_X, _LABEL_X = -30, 36


def draw(cells: Sequence[Sequence[Sequence[str] | None]]) -> Drawing:
    """Draw a board, 672 x 672.

    Args:
        cells: Row by row, colour and form of the shape, and those of its label; None for none.
    """
    canvas = Canvas(WHITE)
    for place, (shape, label) in enumerate(cells):
        row, column = divmod(place, _CELLS)
        x, y = (_MARGIN_PX + _CELL_PX * at + _CELL_PX // 2 for at in (column, row))
        paint(canvas, *shape, (x + _SHAPE_X, y), _SHAPE_PX)
        if label is not None:
            paint(canvas, *label, (x + _LABEL_X, y), _LABEL_PX)
    return Drawing(canvas.pixels())
