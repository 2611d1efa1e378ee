"""Seven classical figures, equal by construction, and their traps, which really differ.

A trap differs in the direction in which the classical figure only seems to (paper, figure 7), so that whoever knows the
figure and does not look is wrong about it. All sizes in px on a canvas of 512 px. Figures of lines come first,
then those of areas.
"""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import BLACK, BLUE, RED, WHITE, Colour, grey
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.strokes import Strokes

SIDE_PX = 512

_LINE_PX = 6
_SHAFT_PX, _SHAFT_Y = 200, (170, 342)
_FIN_PX, _FIN_DEG = 52, 35.0
_BAR_PX, _BAR_TOP_Y, _BAR_THICK_PX = 120, (150, 330), 10
_RAIL_TOP, _RAIL_BOTTOM = (90.0, 60.0), (230.0, 452.0)
_T_PX, _T_FOOT_Y = 250, 420
_LONG_PX, _LONG_LINES, _GAP_PX = 400, 5, 80
_HATCH_PX, _HATCH_PITCH_PX, _HATCH_DEG = 44, 40, 40.0

_ORANGE = Colour(230, 120, 20)
_DISC_PX, _DISC_X, _DISC_Y = 64, (152, 388), 256
#: Of the left and the right disc: number of grey circles, their diameter, their distance from the disc's centre.
_AROUND = ((6, 84, 96), (8, 24, 58))
_RING_GREY = grey(140)

_STREET = grey(240)
_BLOCK_PX, _STREET_PX, _BLOCKS = 70, 20, 5
_DOT_PX = 22

_GROUNDS = (40, 236)
_PATCH_PX, _PATCH_LEVEL = 96, 120


def mueller_lyer(percent: int) -> Drawing:
    """Draw two red shafts: fins outward on the upper, inward on the lower; the upper one is ``percent`` longer."""
    lengths = (_even(_SHAFT_PX * (1 + percent / 100)), _SHAFT_PX)
    canvas = _paper()
    for y, length_px, outward in zip(_SHAFT_Y, lengths, (1, -1), strict=True):
        canvas.paint(_fins(y, length_px, outward), BLACK)
    for y, length_px in zip(_SHAFT_Y, lengths, strict=True):
        _level_bar(canvas, length_px, y - _LINE_PX // 2, _LINE_PX, RED)
    return _drawn(canvas, {"upper_px": lengths[0], "lower_px": lengths[1]})


def ponzo(percent: int) -> Drawing:
    """Draw two blue bars between converging black rails; the upper one, in the narrow part, is ``percent`` longer."""
    lengths = (_even(_BAR_PX * (1 + percent / 100)), _BAR_PX)
    canvas = _paper()
    middle = SIDE_PX / 2
    starts = np.array([(middle + side * _RAIL_TOP[0], _RAIL_TOP[1]) for side in (-1, 1)])
    ends = np.array([(middle + side * _RAIL_BOTTOM[0], _RAIL_BOTTOM[1]) for side in (-1, 1)])
    canvas.paint(Strokes(starts, ends, _LINE_PX), BLACK)
    for top, length_px in zip(_BAR_TOP_Y, lengths, strict=True):
        _level_bar(canvas, length_px, top, _BAR_THICK_PX, BLUE)
    return _drawn(canvas, {"upper_px": lengths[0], "lower_px": lengths[1]})


def vertical_horizontal(percent: int) -> Drawing:
    """Draw a blue vertical line on the middle of a red horizontal one; the vertical one is ``percent`` longer."""
    vertical, horizontal = _even(_T_PX * (1 + percent / 100)), _T_PX
    canvas = _paper()
    _level_bar(canvas, horizontal, _T_FOOT_Y, _LINE_PX, RED)
    left = SIDE_PX // 2 - _LINE_PX // 2
    canvas.fill(left, _T_FOOT_Y - vertical, left + _LINE_PX, _T_FOOT_Y, BLUE)
    return _drawn(canvas, {"vertical_px": vertical, "horizontal_px": horizontal})


def zoellner(percent: int) -> Drawing:
    """Draw five long red lines with oblique hatches; gaps between neighbours are ``percent`` wider at one end."""
    # The mean gap stays; far over near is then 1 + percent / 100.
    share = percent / (200 + percent)
    near, far = _GAP_PX * (1 - share), _GAP_PX * (1 + share)
    places = np.arange(_LONG_LINES) - (_LONG_LINES - 1) / 2
    lean = np.where(np.arange(_LONG_LINES) % 2 == 0, 1.0, -1.0)
    rise = (far - near) / 4 * lean
    middle_y = SIDE_PX / 2 + places * _GAP_PX
    left, right = (SIDE_PX - _LONG_PX) / 2, (SIDE_PX + _LONG_PX) / 2
    starts = np.stack([np.full(_LONG_LINES, left), middle_y - rise], axis=-1)
    ends = np.stack([np.full(_LONG_LINES, right), middle_y + rise], axis=-1)
    canvas = _paper()
    canvas.paint(_hatches(starts, ends, lean), BLACK)
    canvas.paint(Strokes(starts, ends, _LINE_PX), RED)
    return _drawn(canvas, {"narrow_gap_px": near, "wide_gap_px": far})


def ebbinghaus(percent: int) -> Drawing:
    """Draw two orange discs, one among large and one among small grey circles; the latter is ``percent`` larger."""
    diameters = (_DISC_PX, round(_DISC_PX * (1 + percent / 100)))
    canvas = _paper()
    for x, diameter, (count, around_px, apart) in zip(_DISC_X, diameters, _AROUND, strict=True):
        angles = np.arange(count) * 360 / count
        centres = np.stack([x + apart * cosine(angles), _DISC_Y + apart * sine(angles)], axis=-1)
        canvas.paint(Discs(centres, around_px), _RING_GREY)
        canvas.paint(Discs(np.array([[x, _DISC_Y]], dtype=float), diameter), _ORANGE)
    return _drawn(canvas, {"left_px": diameters[0], "right_px": diameters[1]})


def hermann_grid(percent: int) -> Drawing:
    """Draw black squares with light streets between; dots at the crossings make the streets ``percent`` lighter."""
    level = _STREET.red if not percent else round(_STREET.red / (1 + percent / 100))
    canvas = Canvas(_STREET, SIDE_PX, SIDE_PX)
    pitch = _BLOCK_PX + _STREET_PX
    margin = (SIDE_PX - _BLOCKS * pitch + _STREET_PX) // 2
    corners = [margin + place * pitch for place in range(_BLOCKS)]
    for top in corners:
        for left in corners:
            canvas.fill(left, top, left + _BLOCK_PX, top + _BLOCK_PX, BLACK)
    if percent:
        middles = np.array(corners[1:]) - _STREET_PX / 2
        centres = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
        canvas.paint(Discs(centres, _DOT_PX), grey(level))
    return _drawn(canvas, {"crossing_level": level, "street_level": _STREET.red})


def simultaneous_contrast(percent: int) -> Drawing:
    """Draw a grey square on dark and one on light ground; the one on dark ground is ``percent`` lighter."""
    levels = (round(_PATCH_LEVEL * (1 + percent / 100)), _PATCH_LEVEL)
    canvas = Canvas(grey(_GROUNDS[0]), SIDE_PX, SIDE_PX)
    half = SIDE_PX // 2
    canvas.fill(half, 0, SIDE_PX, SIDE_PX, grey(_GROUNDS[1]))
    top = half - _PATCH_PX // 2
    for start, level in zip((0, half), levels, strict=True):
        left = start + (half - _PATCH_PX) // 2
        canvas.fill(left, top, left + _PATCH_PX, top + _PATCH_PX, grey(level))
    return _drawn(canvas, {"right_level": levels[1], "left_level": levels[0]})


def _hatches(starts: np.ndarray, ends: np.ndarray, lean: np.ndarray) -> Strokes:
    count = _LONG_PX // _HATCH_PITCH_PX
    shares = (np.arange(count) + 0.5) / count
    centres = starts[:, None] + (ends - starts)[:, None] * shares[:, None]
    angle = _HATCH_DEG * lean
    half = np.stack([cosine(angle), sine(angle)], axis=-1)[:, None] * (_HATCH_PX / 2)
    return Strokes((centres - half).reshape(-1, 2), (centres + half).reshape(-1, 2), 4)


def _fins(y: int, length_px: int, outward: int) -> Strokes:
    along = outward * _FIN_PX * float(cosine(_FIN_DEG))
    across = _FIN_PX * float(sine(_FIN_DEG))
    tips = [(side, turn) for side in (-1, 1) for turn in (-1, 1)]
    starts = np.array([(SIDE_PX / 2 + side * length_px / 2, y) for side, _ in tips])
    steps = np.array([(side * along, turn * across) for side, turn in tips])
    return Strokes(starts, starts + steps, _LINE_PX)


def _paper() -> Canvas:
    return Canvas(WHITE, SIDE_PX, SIDE_PX)


def _level_bar(canvas: Canvas, length_px: int, top: int, thick_px: int, colour: tuple) -> None:
    left = (SIDE_PX - length_px) // 2
    canvas.fill(left, top, left + length_px, top + thick_px, colour)


def _even(length_px: float) -> int:
    """Round to an even length, so that a bar about the middle has whole-pixel ends."""
    return 2 * round(length_px / 2)


def _drawn(canvas: Canvas, sizes: dict[str, float]) -> Drawing:
    """Return the drawing with both sizes or shades, and by how many percent the larger exceeds the smaller."""
    difference = 100 * (max(sizes.values()) / min(sizes.values()) - 1)
    told = {**sizes, "difference_percent": difference}
    return Drawing(canvas.pixels(), {name: round(value, 3) for name, value in told.items()})


_DRAW = {
    "zoellner": zoellner,
    "vertical_horizontal": vertical_horizontal,
    "mueller_lyer": mueller_lyer,
    "ponzo": ponzo,
    "hermann_grid": hermann_grid,
    "ebbinghaus": ebbinghaus,
    "simultaneous_contrast": simultaneous_contrast,
}


def draw(kind: str, difference_percent: int) -> Drawing:
    """Draw a figure with a true difference of ``difference_percent``."""
    return _DRAW[kind](difference_percent)
