"""Sander (docs/illusion_figures.md, 4.12): the diagonals of the two parts of a parallelogram.

Strength: slant of the parallelogram, 96 px at 1; the diagonals do not move with it. Difference:
their lengths, 19 % of their mean at 1, the one in the wide part longer; the corners follow. A: wide
part left, red; B is the mirror image with the colours exchanged, and so is a figure of negative
strength.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, mirrored, moved
from afterimage.drawing.colour import BLACK, BLUE, RED, WHITE, Colour
from afterimage.drawing.geometry import length
from afterimage.drawing.shapes import Polyline, Strokes
from afterimage.suites.illusions.parametric import Look, check, drawn, relative_difference_percent

_FOOT_X, _FOOT_Y, _TOP_Y = 384, 440, 232
_SLANT_PX = 96.0
_HALF_SPAN_PX, _FAKE_STEP_PX = 216.0, 40.0
_OUTLINE_PX, _DIAGONAL_PX = 4, 6

_Point = tuple[float, float]


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two diagonals alone."""
    strength, difference, nuisance = check(
        "sander", strength, difference, variant, look, sized=True
    )
    reversed_layout = strength < 0
    wide = -difference if reversed_layout else difference
    corners = _corners(wide)
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    if strength:
        _draw_frame(canvas, corners, _SLANT_PX * abs(strength))
    turn = reversed_layout != nuisance.is_b
    colours = (BLUE, RED) if turn else (RED, BLUE)
    _draw_diagonals(canvas, corners, colours)
    pixels = mirrored(canvas.pixels()) if turn else canvas.pixels()
    realised = {
        "slant_px": _SLANT_PX * nuisance.size * strength,
        "length_difference_nominal_percent": round(_difference_percent(1.0) * difference, 6),
        "length_difference_realised_percent": _difference_percent(difference),
    }
    return drawn("sander", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _corners(wide: float) -> tuple[_Point, _Point]:
    """Return the upper ends of the diagonals, that of the wide part first."""
    step = _FAKE_STEP_PX * wide
    return (_FOOT_X - _HALF_SPAN_PX - step, _TOP_Y), (_FOOT_X + _HALF_SPAN_PX - step, _TOP_Y)


def _difference_percent(difference: float) -> float:
    lengths = [length((_FOOT_X, _FOOT_Y), corner) for corner in _corners(difference)]
    return relative_difference_percent(*lengths)


def _draw_frame(canvas: ZoomedCanvas, corners: tuple[_Point, _Point], slant: float) -> None:
    (left, _), (right, _) = corners
    outline = [
        (left - slant, _FOOT_Y),
        (right - slant, _FOOT_Y),
        (right, _TOP_Y),
        (left, _TOP_Y),
    ]
    canvas.paint(Polyline(np.array(outline), _OUTLINE_PX, closed=True), BLACK)
    foot, top = np.array([(_FOOT_X, _FOOT_Y)]), np.array([(_FOOT_X + slant, _TOP_Y)])
    canvas.paint(Strokes(foot, top, _OUTLINE_PX), BLACK)


def _draw_diagonals(
    canvas: ZoomedCanvas, corners: tuple[_Point, _Point], colours: tuple[Colour, Colour]
) -> None:
    """Draw each diagonal on its own side of the foot, so that neither covers the other."""
    x1, y1 = canvas.frame.x1, canvas.frame.y1
    halves = canvas.frame.cut(0, 0, _FOOT_X, y1), canvas.frame.cut(_FOOT_X, 0, x1, y1)
    for corner, colour, half in zip(corners, colours, halves, strict=True):
        stroke = Strokes(np.array([(_FOOT_X, _FOOT_Y)]), np.array([corner]), _DIAGONAL_PX)
        canvas.paint(stroke, colour, within=half)
