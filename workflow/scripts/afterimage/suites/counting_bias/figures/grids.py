"""Grids of cells with dots or strokes: one more from either side to the middle, but for one cell.

The number follows the steps to the nearer of the left and right side, as in the paper's generator. Alone, the cell is
shown four times as large, without the others.
"""

from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.regions import Region
from afterimage.drawing.strokes import Strokes
from afterimage.drawing.text import TextLine
from afterimage.drawing.typefaces import typeface
from afterimage.suites.counting_bias.figures.paper import SIDE_PX, new_canvas
from afterimage.suites.counting_bias.names import ALONE, usual_in_cell

CELL_PX, GAP_PX = 48, 4
#: A cell that stands alone is so much larger.
ALONE_TIMES = 4
_DOT_PX, _DOT_PITCH_PX = 10, 15
#: Places of a die by number, in pitches from the middle; seven is six and the middle one.
_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    7: [(-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1)],
}
#: Strokes of a tally: width, from stroke to stroke, height; how far the fifth reaches beyond its four, px.
_STROKE_PX, _STROKE_PITCH_PX, _STROKE_HEIGHT_PX, _BEYOND_PX = 3, 6, 30, 3
#: Between a group of five and the next stroke, px.
_GROUP_GAP_PX = 4
#: Where the fifth begins and ends, fractions of the strokes' height from the top.
_FIFTH_FROM, _FIFTH_TO = 0.8, 0.2
_LABEL_PX, _LABEL_GAP_PX = 18, 6
_FONT = "LiberationSans"


def draw(mark: str, size: int, context: str, alteration: int, row: int, column: int) -> Drawing:
    """Draw a grid, one cell of which has more or less than the pattern asks for, or that cell alone."""
    canvas = new_canvas()
    odd = usual_in_cell(column, size) + alteration
    if context == ALONE:
        side = CELL_PX * ALONE_TIMES
        corner = (SIDE_PX - side) // 2
        _cells(canvas, [corner], side)
        _fill_cells(canvas, mark, {(corner, corner): odd}, ALONE_TIMES)
        return Drawing(canvas.pixels(), {"cell_px": side})
    pitch = CELL_PX + GAP_PX
    # Labels stand to the left and above; with them the grid is in the middle.
    first = (SIDE_PX - size * pitch + GAP_PX + _LABEL_PX + _LABEL_GAP_PX) // 2
    starts = [first + pitch * number for number in range(size)]
    _cells(canvas, starts, CELL_PX)
    numbers = {
        (left, top): usual_in_cell(across, size)
        for top in starts
        for across, left in enumerate(starts)
    }
    _fill_cells(canvas, mark, {**numbers, (starts[column], starts[row]): odd}, 1)
    _labels(canvas, starts, first - GAP_PX - _LABEL_GAP_PX)
    return Drawing(canvas.pixels(), {"cell_px": CELL_PX})


def _cells(canvas: Canvas, starts: list[int], side: int) -> None:
    """Paint white cells between black lines."""
    first, last = starts[0] - GAP_PX, starts[-1] + side + GAP_PX
    canvas.fill(first, first, last, last, BLACK)
    for top in starts:
        for left in starts:
            canvas.fill(left, top, left + side, top + side, WHITE)


def _fill_cells(
    canvas: Canvas, mark: str, numbers: Mapping[tuple[int, int], int], times: int
) -> None:
    """Paint so many dots or strokes into cells, given by their left upper corners."""
    if mark == "tally":
        _tally(canvas, numbers, times)
        return
    half = times * CELL_PX / 2
    dots = [
        (left + half + times * _DOT_PITCH_PX * x, top + half + times * _DOT_PITCH_PX * y)
        for (left, top), number in numbers.items()
        for x, y in _PIPS[number]
    ]
    canvas.paint(Discs(np.array(dots), times * _DOT_PX), BLACK)


def _tally(canvas: Canvas, numbers: Mapping[tuple[int, int], int], times: int) -> None:
    """Paint strokes in groups of four that a fifth crosses, in the middle of each cell; all fifths at once."""
    height = times * _STROKE_HEIGHT_PX
    low, high = [], []
    for corner, number in numbers.items():
        upright, fifths = _stroke_places(number)
        first = min([*upright, *(start for start, _ in fifths)])
        last = max([*(place + _STROKE_PX for place in upright), *(end for _, end in fifths)])
        left = corner[0] + times * ((CELL_PX - last + first) // 2 - first)
        top = corner[1] + times * (CELL_PX - _STROKE_HEIGHT_PX) // 2
        for place in upright:
            x0 = left + times * place
            canvas.fill(x0, top, x0 + times * _STROKE_PX, top + height, BLACK)
        low += [(left + times * start, top + _FIFTH_FROM * height) for start, _ in fifths]
        high += [(left + times * end, top + _FIFTH_TO * height) for _, end in fifths]
    if low:
        canvas.paint(Strokes(np.array(low), np.array(high), times * _STROKE_PX), BLACK)


def _stroke_places(number: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the left sides of upright strokes, px, and where each fifth begins and ends."""
    upright: list[int] = []
    fifths: list[tuple[int, int]] = []
    x = 0
    for drawn in range(1, number + 1):
        if drawn % 5:
            upright.append(x)
            x += _STROKE_PITCH_PX
        else:
            fifths.append((upright[-4] - _BEYOND_PX, upright[-1] + _STROKE_PX + _BEYOND_PX))
            x = fifths[-1][1] + _GROUP_GAP_PX
    return upright, fifths


def _labels(canvas: Canvas, starts: list[int], end: int) -> None:
    """Write letters above the columns and numbers to the left of the rows; ``end`` is where they end, px."""
    polygons = []
    for number, start in enumerate(starts):
        middle, beside = start + CELL_PX / 2, end - _LABEL_PX / 2
        polygons += _written(chr(ord("A") + number), (middle, beside))
        polygons += _written(str(number + 1), (beside, middle))
    canvas.paint(Region(polygons), BLACK)


def _written(text: str, middle: tuple[float, float]) -> list[np.ndarray]:
    font = typeface(_FONT)
    left, top, right, bottom = TextLine(text, font, _LABEL_PX, (0.0, 0.0)).ink_box()
    origin = (middle[0] - (left + right) / 2, middle[1] - (top + bottom) / 2)
    return TextLine(text, font, _LABEL_PX, origin).polygons()
