"""Fick, or vertical-horizontal (docs/illusion_figures.md, 4.4): one bar stands on the middle of another.

Strength: where on the lying bar the other stands, at its middle (T) at 1, nearer its left end
below; negative strengths turn the figure by 90 deg counter-clockwise, so that the standing bar
lies. At strength 0 the two bars lie parallel and apart (the card's control), because relative
placement is the inducer. Difference: lengths, 20 % of their mean at 1, the standing bar longer. A:
standing bar red; B: T upside down, standing bar blue.
"""

from collections.abc import Sequence

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas, flipped, moved, quarter_turned
from afterimage.drawing.colour import BLUE, RED, WHITE
from afterimage.suites.illusions.parametric import (
    check,
    drawn,
    even_lengths_px,
    relative_difference_percent,
)

_CENTRE_X = 336
_FOOT_Y = 516
_WIDTH_PX = 6
_CONTROL_TOP_Y = (233, 433)
_MEAN_PX, _FAKE_STEP_PX = 360, 36
_FULL_PERCENT = 20.0


def draw(
    strength: float, difference: float, variant: str, shift: Sequence[int] = (0, 0)
) -> Drawing:
    """Draw the figure; strength 0 is both bars lying, the standing one above."""
    strength, difference, nuisance = check("fick", strength, difference, variant, shift)
    standing, lying = even_lengths_px(_MEAN_PX, _FAKE_STEP_PX * difference)
    standing_colour, lying_colour = (BLUE, RED) if nuisance.is_b else (RED, BLUE)
    canvas = Canvas(WHITE)
    attachment = round(lying * abs(strength) / 2)
    if strength:
        x = _CENTRE_X - lying // 2 + attachment - _WIDTH_PX // 2
        canvas.fill(x, _FOOT_Y - standing, x + _WIDTH_PX, _FOOT_Y, standing_colour)
        _lay(canvas, _FOOT_Y, lying, lying_colour)
    else:
        _lay(canvas, _CONTROL_TOP_Y[0], standing, standing_colour)
        _lay(canvas, _CONTROL_TOP_Y[1], lying, lying_colour)
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


def _lay(canvas: Canvas, y: int, length_px: int, colour: tuple[int, int, int]) -> None:
    left = _CENTRE_X - length_px // 2
    canvas.fill(left, y, left + length_px, y + _WIDTH_PX, colour)
