"""Fick, or vertical-horizontal (docs/illusion_figures.md, 4.4): one bar stands on the middle of another.

Strength: where on the lying bar the other stands, at its middle (T) at 1, nearer its left end
below; negative strengths turn the figure by 90 deg counter-clockwise, so that the standing bar
lies. At strength 0 the two bars lie parallel and apart (the card's control), because relative
placement is the inducer. Difference: lengths, 20 % of their mean at 1, the standing bar longer. A:
standing bar red; B: T upside down, standing bar blue.
"""

from typing import Unpack

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, flipped, moved, quarter_turned
from afterimage.drawing.colour import BLUE, RED, WHITE, Colour
from afterimage.suites.illusions.parametric import (
    Look,
    check,
    drawn,
    even_lengths_px,
    relative_difference_percent,
    whole_tens_px,
)

_CENTRE_X = 336
_CENTRE_Y, _CONTROL_FROM_CENTRE_PX = 336, 100
_WIDTH_PX = 6
_MEAN_PX, _FAKE_STEP = 360, 0.1
_FULL_PERCENT = 20.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is both bars lying, the standing one above."""
    strength, difference, nuisance = check("fick", strength, difference, variant, look, sized=True)
    mean_px = whole_tens_px("fick", _MEAN_PX, nuisance.size)
    foot_y = _CENTRE_Y + mean_px // 2
    standing, lying = even_lengths_px(mean_px, _FAKE_STEP * mean_px * difference)
    standing_colour, lying_colour = (BLUE, RED) if nuisance.is_b else (RED, BLUE)
    canvas = Canvas(WHITE)
    attachment = round(lying * abs(strength) / 2)
    if strength:
        x = _CENTRE_X - lying // 2 + attachment - _WIDTH_PX // 2
        canvas.fill(x, foot_y - standing, x + _WIDTH_PX, foot_y, standing_colour)
        _lay(canvas, foot_y, lying, lying_colour)
    else:
        apart = round(_CONTROL_FROM_CENTRE_PX * nuisance.size)
        _lay(canvas, _CENTRE_Y - apart - _WIDTH_PX // 2, standing, standing_colour)
        _lay(canvas, _CENTRE_Y + apart - _WIDTH_PX // 2, lying, lying_colour)
    pixels = canvas.pixels()
    if strength and nuisance.is_b:
        pixels = flipped(pixels)
    if strength < 0:
        pixels = quarter_turned(pixels)
    realised = {
        "length_difference_nominal_percent": _FULL_PERCENT * difference,
        "length_difference_realised_percent": relative_difference_percent(standing, lying),
    }
    if strength:
        realised["attachment_realised_fraction"] = round(attachment / lying, 6)
    return drawn("fick", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _lay(canvas: Canvas, y: int, length_px: int, colour: Colour) -> None:
    left = _CENTRE_X - length_px // 2
    canvas.fill(left, y, left + length_px, y + _WIDTH_PX, colour)
