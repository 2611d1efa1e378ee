"""Boards and grids.

A board of chess, go, sudoku or xiangqi; its twin has as many rows and columns, and all lines alike. A row or column
is added or removed at the end (shift a) or at the beginning (shift b); star points, blocks, river and palaces keep
their positions relative to the other end.

A grid of cells with dots or strokes, one more with each step from either side to the middle, as in the paper's
generator; one cell may differ. Shown alone, that cell is four times as large.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas, moved
from afterimage.drawing.colour import BLACK, WHITE, Colour, from_hexadecimal, to_levels
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Discs, Strokes
from afterimage.drawing.text import TextLine, typeface
from afterimage.suites.counting_bias.tasks import (
    ALONE,
    BOARDS,
    DIMENSIONS,
    FAMILIAR,
    LINED,
    SHIFTS,
    usual_in_cell,
)

SIDE_PX = 672
#: Not white, so that white stripes at the border of a flag stay visible.
GROUND = from_hexadecimal("#DDE3E8")
#: The greys of plain twins.
DARK, LIGHT = from_hexadecimal("#5A5A5A"), from_hexadecimal("#C8C8C8")

#: Margin that a fresh edition keeps at the image's edges, px.
_EDGE_PX = 8

#: Inner radius of a five-pointed star, fraction of the outer one.
_INNER = 0.382


def new_canvas() -> Canvas:
    return Canvas(GROUND, SIDE_PX, SIDE_PX)


def centred(width: int, height: int, shift: str) -> tuple[int, int]:
    """Return left and top, px, of a drawing centred on the canvas and moved by the shift."""
    return (SIDE_PX - width) // 2 + SHIFTS[shift], (SIDE_PX - height) // 2 + SHIFTS[shift]


def paint_stars(
    canvas: Canvas, centres: list[tuple[float, float]], radius: float, colour: Colour
) -> None:
    """Paint upright five-pointed stars; centres, px, are rounded so that all stars of a size have the same pixels."""
    angles = 36.0 * np.arange(10) - 90
    reach = np.where(np.arange(10) % 2, _INNER * radius, radius)
    star = np.stack([reach * cosine(angles), reach * sine(angles)], axis=-1)
    canvas.paint(Region([star + np.round(centre) for centre in centres]), colour)


def in_edition(pixels: np.ndarray, look: Json | None) -> np.ndarray:
    """Return a drawing as a fresh edition shows it: moved and in another light.

    Args:
        pixels: The picture on its ground.
        look: ``place``, the offset to the right and down as shares of the margins, -1 to 1; ``light``, factors of red,
            green and blue; ``haze``, the level of black. None for the public edition.
    """
    if look is None:
        return pixels
    is_drawn = (pixels != GROUND).any(axis=2)
    margins = []
    for axis in (0, 1):
        taken = np.flatnonzero(is_drawn.any(axis=axis))
        margins.append((int(taken[0]) - _EDGE_PX, SIDE_PX - 1 - int(taken[-1]) - _EDGE_PX))
    shift = [
        round(share * max((before if share < 0 else after), 0))
        for share, (before, after) in zip(look["place"], margins, strict=True)
    ]
    lit = np.array(look["light"]) * (1 - look["haze"] / 255)
    return to_levels(moved(pixels, (shift[0], shift[1]), "edge") * lit + look["haze"])


# ---- boards ----

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
#: Sudoku: every third line is thick.
_BLOCK = 3
#: Xiangqi: the river is below this horizontal (from 0); the palaces are between these verticals, this many rows high.
_RIVER, _PALACE, _PALACE_HEIGHT = 4, (3, 5), 2

#: Positions of lines, px: horizontals' y, verticals' x.
Lines = tuple[list[int], list[int]]


def draw_boards(
    subject: str,
    dimension: str,
    context: str,
    alteration: int,
    shift: str,
    look: Json | None = None,
) -> Drawing:
    size = list(BOARDS[subject])
    size[DIMENSIONS.index(dimension)] += alteration
    # A line added or removed at the beginning moves everything that is counted from there.
    offset = [0, 0]
    if shift == "b":
        offset[DIMENSIONS.index(dimension)] = alteration
    canvas = new_canvas()
    pitch = PITCH_PX[subject]
    across = pitch if context == FAMILIAR else round(_NARROW * pitch)
    lines = _lines(size, subject in LINED, pitch, across, shift)
    if context == FAMILIAR:
        _PAINTERS[subject](canvas, lines, (offset[0], offset[1]))
    else:
        _grid(canvas, lines, DARK)
    return Drawing(
        in_edition(canvas.pixels(), look), {"cell_width_px": across, "cell_height_px": pitch}
    )


def _lines(size: list[int], lined: bool, pitch: int, across: int, shift: str) -> Lines:
    """Return the lines: as many as ``size`` where lines are counted, else those around so many squares."""
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
    """Fill a horizontal or vertical line with square ends, half its width beyond the end points."""
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
    left, right = (xs[column + moved[1]] for column in _PALACE)
    diagonals = []
    for first in (0, len(ys) - 1 - _PALACE_HEIGHT):
        top, bottom = ys[first], ys[first + _PALACE_HEIGHT]
        diagonals += [((left, top), (right, bottom)), ((right, top), (left, bottom))]
    starts, ends = (np.array(side, dtype=float) for side in zip(*diagonals, strict=True))
    canvas.paint(Strokes(starts, ends, _LINE_PX), BLACK)


_PAINTERS = {"chess": _chess, "go": _go, "sudoku": _sudoku, "xiangqi": _xiangqi}


# ---- grids ----

CELL_PX, GAP_PX = 48, 4
#: A cell shown alone is this many times as large.
ALONE_TIMES = 4
_DOT_PX, _DOT_PITCH_PX = 10, 15
#: Positions of dots by their number, in pitches from the middle, as on a die; seven is six and the middle one.
_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    7: [(-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1)],
}
#: Strokes of a tally: width, pitch, height; how far the fifth extends beyond its four, px.
_STROKE_PX, _STROKE_PITCH_PX, _STROKE_HEIGHT_PX, _BEYOND_PX = 3, 6, 30, 3
#: Between a group of five and the next stroke, px.
_GROUP_GAP_PX = 4
#: Where the fifth begins and ends, fractions of the strokes' height from the top.
_FIFTH_FROM, _FIFTH_TO = 0.8, 0.2
_LABEL_PX, _LABEL_GAP_PX = 18, 6
_FONT = "LiberationSans"


def draw_grids(
    mark: str,
    size: int,
    context: str,
    alteration: int,
    row: int,
    column: int,
    look: Json | None = None,
) -> Drawing:
    """Draw a grid with one altered cell, or that cell alone."""
    canvas = new_canvas()
    odd = usual_in_cell(column, size) + alteration
    if context == ALONE:
        side = CELL_PX * ALONE_TIMES
        corner = (SIDE_PX - side) // 2
        _cells(canvas, [corner], side)
        _fill_cells(canvas, mark, {(corner, corner): odd}, ALONE_TIMES)
        return Drawing(in_edition(canvas.pixels(), look), {"cell_px": side})
    pitch = CELL_PX + GAP_PX
    # Grid and labels, which are to the left and above, are centred together.
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
    return Drawing(in_edition(canvas.pixels(), look), {"cell_px": CELL_PX})


def _cells(canvas: Canvas, starts: list[int], side: int) -> None:
    first, last = starts[0] - GAP_PX, starts[-1] + side + GAP_PX
    canvas.fill(first, first, last, last, BLACK)
    for top in starts:
        for left in starts:
            canvas.fill(left, top, left + side, top + side, WHITE)


def _fill_cells(
    canvas: Canvas, mark: str, numbers: Mapping[tuple[int, int], int], times: int
) -> None:
    """Paint dots or strokes into cells, given by their left upper corners."""
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
    """Paint strokes in groups of four crossed by a fifth, centred in each cell; all fifths at once."""
    height = times * _STROKE_HEIGHT_PX
    low, high = [], []
    for corner, number in numbers.items():
        upright, fifths = _stroke_positions(number)
        first = min([*upright, *(start for start, _ in fifths)])
        last = max([*(x + _STROKE_PX for x in upright), *(end for _, end in fifths)])
        left = corner[0] + times * ((CELL_PX - last + first) // 2 - first)
        top = corner[1] + times * (CELL_PX - _STROKE_HEIGHT_PX) // 2
        for x in upright:
            x0 = left + times * x
            canvas.fill(x0, top, x0 + times * _STROKE_PX, top + height, BLACK)
        low += [(left + times * start, top + _FIFTH_FROM * height) for start, _ in fifths]
        high += [(left + times * end, top + _FIFTH_TO * height) for _, end in fifths]
    if low:
        canvas.paint(Strokes(np.array(low), np.array(high), times * _STROKE_PX), BLACK)


def _stroke_positions(number: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the left edges of upright strokes and both ends of each fifth, px."""
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
        middle, margin = start + CELL_PX / 2, end - _LABEL_PX / 2
        polygons += _label_polygons(chr(ord("A") + number), (middle, margin))
        polygons += _label_polygons(str(number + 1), (margin, middle))
    canvas.paint(Region(polygons), BLACK)


def _label_polygons(text: str, centre: tuple[float, float]) -> list[np.ndarray]:
    font = typeface(_FONT)
    left, top, right, bottom = TextLine(text, font, _LABEL_PX, (0.0, 0.0)).ink_box()
    origin = (centre[0] - (left + right) / 2, centre[1] - (top + bottom) / 2)
    return TextLine(text, font, _LABEL_PX, origin).polygons()
