"""Circled letter: a string with a red oval round one of its letters.

Paper, task 3. The oval starts from the original's half axes, 0.7 of the letter's advance and
of its height, and grows until all ink of the letter lies inside the inner edge of the stroke, which
in the original touches wide and slanting letters. Letters stand 0.12 em further apart than the font
has them, which is what it takes to keep the middles of neighbours outside the widest strokes; the
original's ovals run across narrow neighbours.
"""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, Colour
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Polyline
from afterimage.drawing.text import TextLine, box_of, typeface
from afterimage.suites.blindtest.seeding import seeded

RED = Colour(255, 0, 0)
SIDE_PX = 512
#: Extra space between letters, em.
TRACKING_EM = 0.12
#: Between the letter's outline and the inner edge of the stroke, px: both edges fade over one px.
INNER_MARGIN_PX = 1.0
#: Free border round text and oval in further copies, px.
BORDER_PX = 6.0

_UNITS_PER_EM = 96
_HALF_AXES = 0.7
#: The inner half axis, in half widths of the letter, as far as the neighbours leave room: the nearer
#: to 1, the higher must the oval be.
_WIDTH_ROOM = 1.25
#: Between the outer edge of the stroke and a neighbour's middle or the canvas' border, px.
_OUTER_MARGIN_PX = 0.5
#: Corners of the polygon that stands for the oval; it strays from it by less than 0.01 px.
_CORNERS = 180
#: Least step in which an oval grows, px.
_GROWTH_PX = 0.02


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return where the line stands: in the middle or, in further copies, ``shift`` px away from it."""
    if not copy:
        return {"shift_px": [0.0, 0.0]}
    left, top, right, bottom = _needed_box(levels)
    low = np.array([BORDER_PX - left, BORDER_PX - top])
    high = np.array([SIDE_PX - BORDER_PX - right, SIDE_PX - BORDER_PX - bottom])
    chosen = generator.uniform(np.minimum(low, 0), np.maximum(high, 0))
    return {"shift_px": (np.round(chosen * 8) / 8).tolist()}


def truth(parameters: Json) -> str:
    """Return the circled letter, in lower case."""
    word: str = parameters["word"]
    return word[parameters["letter_index"]].lower()


def draw(**parameters: Any) -> Drawing:
    """Draw the text and the oval on top of it."""
    line = text_line(parameters)
    index, width = parameters["letter_index"], parameters["line_width_px"]
    x, y, half_width, half_height = oval(line, index, width)
    corners = np.array([x, y]) + _ellipse(half_width, half_height)
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    canvas.paint(Region(line.polygons()), BLACK)
    canvas.paint(Polyline(corners, width, closed=True), RED)
    return Drawing(
        canvas.pixels(),
        {
            "font_size_px": round(line.size_px, 4),
            "oval_centre_px": [round(x, 4), round(y, 4)],
            "oval_half_axes_px": [round(half_width, 4), round(half_height, 4)],
        },
    )


def text_line(parameters: Json) -> TextLine:
    """Return the text as it is set: padding and advances together fill the canvas' width."""
    word, font = parameters["word"], typeface(parameters["font"])
    advances = sum(font.advance(letter) for letter in word) + TRACKING_EM * (len(word) - 1)
    units = _UNITS_PER_EM * advances + 2 * parameters["padding"]
    size = SIDE_PX / units * _UNITS_PER_EM
    _, top, _, bottom = TextLine(word, font, size, (0.0, 0.0)).ink_box()
    dx, dy = parameters["shift_px"]
    left = (SIDE_PX - advances * size) / 2
    baseline = SIDE_PX / 2 - (top + bottom) / 2
    return TextLine(word, font, size, (left + dx, baseline + dy), TRACKING_EM * size)


def oval(line: TextLine, index: int, width: float) -> tuple[float, float, float, float]:
    """Return the centre of the oval round a letter and its half axes, px, to the stroke's middle.

    As wide as the original's or as is good for its shape, but not so wide that its stroke reaches a
    neighbour's middle or the border; then as high as it must be to hold the letter.
    """
    outlines = line.glyph(index)
    left, top, right, bottom = box_of(outlines)
    x, y = (left + right) / 2, (top + bottom) / 2
    offsets = np.concatenate(outlines) - (x, y)
    rim = width / 2 + INNER_MARGIN_PX
    wanted = max(
        _HALF_AXES * line.size_px * line.typeface.advance(line.text[index]),
        _WIDTH_ROOM * (right - left) / 2 + rim,
    )
    half_width = min(wanted, _room(line, index, x) - width / 2 - _OUTER_MARGIN_PX)
    half_height = max(_HALF_AXES * (bottom - top), (bottom - top) / 2 + rim)
    while (missing := rim - _clearance(offsets, half_width, half_height)) > 0:
        half_height += max(missing, _GROWTH_PX)
    return x, y, half_width, half_height


def _clearance(offsets: np.ndarray, half_width: float, half_height: float) -> float:
    """Return the distance from points about the oval's centre to the oval, px."""
    # The oval is symmetric, so that one quarter of it is enough.
    quarter = _ellipse(half_width, half_height)[: _CORNERS // 4 + 1]
    right, down = np.abs(offsets).T[..., None] - quarter.T[:, None]
    return float(np.sqrt((right * right + down * down).min()))


def _ellipse(half_width: float, half_height: float) -> np.ndarray:
    angles = np.arange(_CORNERS) * (360 / _CORNERS)
    return np.stack([half_width * cosine(angles), half_height * sine(angles)], axis=-1)


def _room(line: TextLine, index: int, x: float) -> float:
    """Return the distance from ``x`` to the nearest middle of a neighbour or border, px."""
    neighbours = [other for other in (index - 1, index + 1) if 0 <= other < len(line.text)]
    boxes = [line.ink_box(other) for other in neighbours]
    middles = [(left + right) / 2 for left, _, right, _ in boxes]
    return min(abs(limit - x) for limit in (0, SIDE_PX, *middles))


def _needed_box(levels: Json) -> tuple[float, float, float, float]:
    """Return what text and oval of the unmoved line take up, for the widest stroke."""
    line = text_line({**levels, "shift_px": (0.0, 0.0)})
    left, top, right, bottom = line.ink_box()
    width = 6.0
    x, y, half_width, half_height = oval(line, levels["letter_index"], width)
    reach_x, reach_y = half_width + width / 2, half_height + width / 2
    return (
        min(left, x - reach_x),
        min(top, y - reach_y),
        max(right, x + reach_x),
        max(bottom, y + reach_y),
    )
