"""Figures of lines: Zöllner, vertical-horizontal, Müller-Lyer, Ponzo."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, BLUE, RED, WHITE
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


def mueller_lyer(percent: int) -> Drawing:
    """Draw two red shafts: fins outward on the upper, inward on the lower; the upper one is ``percent`` longer."""
    lengths = (_even(_SHAFT_PX * (1 + percent / 100)), _SHAFT_PX)
    canvas = _paper()
    for y, length_px, outward in zip(_SHAFT_Y, lengths, (1, -1), strict=True):
        canvas.paint(_fins(y, length_px, outward), BLACK)
    for y, length_px in zip(_SHAFT_Y, lengths, strict=True):
        _level_bar(canvas, length_px, y - _LINE_PX // 2, _LINE_PX, RED)
    return Drawing(canvas.pixels(), _lengths("upper", "lower", lengths))


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
    return Drawing(canvas.pixels(), _lengths("upper", "lower", lengths))


def vertical_horizontal(percent: int) -> Drawing:
    """Draw a blue vertical line on the middle of a red horizontal one; the vertical one is ``percent`` longer."""
    vertical, horizontal = _even(_T_PX * (1 + percent / 100)), _T_PX
    canvas = _paper()
    _level_bar(canvas, horizontal, _T_FOOT_Y, _LINE_PX, RED)
    left = SIDE_PX // 2 - _LINE_PX // 2
    canvas.fill(left, _T_FOOT_Y - vertical, left + _LINE_PX, _T_FOOT_Y, BLUE)
    return Drawing(canvas.pixels(), _lengths("vertical", "horizontal", (vertical, horizontal)))


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
    realised = {"narrow_gap_px": round(near, 3), "wide_gap_px": round(far, 3)}
    return Drawing(
        canvas.pixels(), realised | {"difference_percent": round(100 * (far / near - 1), 3)}
    )


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


def _lengths(first: str, second: str, lengths: tuple[int, int]) -> dict[str, float]:
    return {
        f"{first}_px": lengths[0],
        f"{second}_px": lengths[1],
        "difference_percent": round(100 * (lengths[0] / lengths[1] - 1), 3),
    }
