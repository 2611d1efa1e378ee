"""Boards of chess, go, sudoku and xiangqi, and their twins: as many rows and columns, all lines alike.

A row or column comes or goes at the end (shift a) or at the beginning (shift b); star points, blocks, river and palaces
keep their places relative to the other end.
"""

from itertools import pairwise

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import BLACK, WHITE, Colour, from_hexadecimal
from afterimage.drawing.strokes import Strokes
from afterimage.suites.counting_bias.figures.paper import DARK, centred, new_canvas
from afterimage.suites.counting_bias.names import BOARDS, DIMENSIONS, FAMILIAR, LINED

#: From line to line, px.
PITCH_PX = {"chess": 56, "go": 28, "sudoku": 56, "xiangqi": 56}
#: Width of a plain twin's cells, fraction of their height.
_NARROW = 0.8
_LINE_PX, _BLOCK_LINE_PX, _FRAME_PX = 2, 5, 4
#: From the outermost line of a lined board to its rim, px.
_MARGIN_PX = 28
_LIGHT_SQUARE, _DARK_SQUARE = from_hexadecimal("#F0D9B5"), from_hexadecimal("#B58863")
_FRAME, _GO = from_hexadecimal("#3B2A1A"), from_hexadecimal("#DCB35C")
_XIANGQI = from_hexadecimal("#EFD9A7")
_STAR_POINTS, _STAR_POINT_PX = (3, 9, 15), 8
#: Sudoku: every so-manieth line is thick.
_BLOCK = 3
#: Xiangqi: the river lies below this horizontal (from 0); the palaces between these verticals, so many lines high.
_RIVER, _PALACE, _PALACE_HEIGHT = 4, (3, 5), 2

#: Positions of lines, px: horizontals' y, verticals' x.
Lines = tuple[list[int], list[int]]


def draw(subject: str, dimension: str, context: str, alteration: int, shift: str) -> Drawing:
    """Draw a board with one row or column more or less than usual, or as it is (alteration 0)."""
    size = list(BOARDS[subject])
    size[DIMENSIONS.index(dimension)] += alteration
    # What comes or goes at the beginning moves everything that is counted from there.
    moved = [0, 0]
    if shift == "b":
        moved[DIMENSIONS.index(dimension)] = alteration
    canvas = new_canvas()
    pitch = PITCH_PX[subject]
    across = pitch if context == FAMILIAR else round(_NARROW * pitch)
    lines = _lines(size, subject in LINED, pitch, across, shift)
    if context == FAMILIAR:
        _PAINTERS[subject](canvas, lines, (moved[0], moved[1]))
    else:
        _grid(canvas, lines, DARK)
    return Drawing(canvas.pixels(), {"cell_width_px": across, "cell_height_px": pitch})


def _lines(size: list[int], lined: bool, pitch: int, across: int, shift: str) -> Lines:
    """Return where lines lie: as many as are counted, or those around the squares that are."""
    rows, columns = (count - 1 if lined else count for count in size)
    left, top = centred(columns * across, rows * pitch, shift)
    horizontals = [top + pitch * number for number in range(rows + 1)]
    return horizontals, [left + across * number for number in range(columns + 1)]


def _grid(canvas: Canvas, lines: Lines, colour: Colour) -> None:
    ys, xs = lines
    for y in ys:
        _line(canvas, (xs[0], y), (xs[-1], y), _LINE_PX, colour)
    for x in xs:
        _line(canvas, (x, ys[0]), (x, ys[-1]), _LINE_PX, colour)


def _line(
    canvas: Canvas, start: tuple[int, int], end: tuple[int, int], width: int, colour: Colour
) -> None:
    """Fill a level or upright line, its ends square and half its width beyond the end points."""
    before = width // 2
    after = width - before
    canvas.fill(start[0] - before, start[1] - before, end[0] + after, end[1] + after, colour)


def _chess(canvas: Canvas, lines: Lines, moved: tuple[int, int]) -> None:
    ys, xs = lines
    rim = _FRAME_PX
    canvas.fill(xs[0] - rim, ys[0] - rim, xs[-1] + rim, ys[-1] + rim, _FRAME)
    for row, (top, bottom) in enumerate(pairwise(ys)):
        for column, (left, right) in enumerate(pairwise(xs)):
            dark = (row + column - sum(moved)) % 2
            canvas.fill(left, top, right, bottom, _DARK_SQUARE if dark else _LIGHT_SQUARE)


def _board(canvas: Canvas, lines: Lines, colour: Colour) -> None:
    ys, xs = lines
    rim = _MARGIN_PX
    canvas.fill(xs[0] - rim, ys[0] - rim, xs[-1] + rim, ys[-1] + rim, colour)


def _go(canvas: Canvas, lines: Lines, moved: tuple[int, int]) -> None:
    _board(canvas, lines, _GO)
    _grid(canvas, lines, BLACK)
    ys, xs = lines
    points = [(xs[x + moved[1]], ys[y + moved[0]]) for y in _STAR_POINTS for x in _STAR_POINTS]
    canvas.paint(Discs(np.array(points, dtype=float), _STAR_POINT_PX), BLACK)


def _sudoku(canvas: Canvas, lines: Lines, moved: tuple[int, int]) -> None:
    ys, xs = lines
    canvas.fill(xs[0], ys[0], xs[-1], ys[-1], WHITE)
    _grid(canvas, lines, BLACK)
    last_y, last_x = len(ys) - 1, len(xs) - 1
    for number, y in enumerate(ys):
        if number in (0, last_y) or (number - moved[0]) % _BLOCK == 0:
            _line(canvas, (xs[0], y), (xs[-1], y), _BLOCK_LINE_PX, BLACK)
    for number, x in enumerate(xs):
        if number in (0, last_x) or (number - moved[1]) % _BLOCK == 0:
            _line(canvas, (x, ys[0]), (x, ys[-1]), _BLOCK_LINE_PX, BLACK)


def _xiangqi(canvas: Canvas, lines: Lines, moved: tuple[int, int]) -> None:
    ys, xs = lines
    _board(canvas, lines, _XIANGQI)
    _grid(canvas, lines, BLACK)
    river = _RIVER + moved[0]
    inside = _LINE_PX // 2
    canvas.fill(
        xs[0] + inside, ys[river] + inside, xs[-1] - inside, ys[river + 1] - inside, _XIANGQI
    )
    left, right = (xs[place + moved[1]] for place in _PALACE)
    diagonals = []
    for first in (0, len(ys) - 1 - _PALACE_HEIGHT):
        top, bottom = ys[first], ys[first + _PALACE_HEIGHT]
        diagonals += [((left, top), (right, bottom)), ((right, top), (left, bottom))]
    starts, ends = (np.array(side, dtype=float) for side in zip(*diagonals, strict=True))
    canvas.paint(Strokes(starts, ends, _LINE_PX), BLACK)


_PAINTERS = {"chess": _chess, "go": _go, "sudoku": _sudoku, "xiangqi": _xiangqi}
