"""Ponzo (docs/illusion_figures.md, 4.15): two bars between two converging lines.

Strength: half-angle of the fan, 21 deg at 1; each line turns about its own middle. Negative
strengths and B converge below (the figure flipped top to bottom). Difference: length of the bars,
20 % of their mean at 1, the one at the narrow end longer; at strength 0 the upper in A, the lower
in B. Excluded by the paper.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, flipped, moved
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.shapes import Strokes
from afterimage.suites.illusions.parametric import (
    Look,
    check,
    drawn,
    even_lengths_px,
    relative_difference_percent,
)

_CENTRE_X = 336
_LINE_TOP_Y, _LINE_BOTTOM_Y = 84, 604
_LINE_MIDDLE_PX, _FULL_SPREAD_PX = 152.0, 100.0
_LINE_PX, _BAR_PX = 4, 8
_BAR_TOP_Y = (216, 456)
_MEAN_PX, _FAKE_STEP_PX = 160, 16
_FULL_PERCENT = 20.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two bars alone."""
    strength, difference, nuisance = check("ponzo", strength, difference, variant, look)
    upside_down = strength < 0
    step = _FAKE_STEP_PX * (-difference if upside_down else difference)
    lengths = even_lengths_px(_MEAN_PX, step)
    half_height = (_LINE_BOTTOM_Y - _LINE_TOP_Y) / 2
    half_angle = np.arctan2(_FULL_SPREAD_PX, half_height) * abs(strength)
    canvas = Canvas(WHITE)
    if strength:
        canvas.paint(_fan(half_height * np.tan(half_angle)), BLACK)
    for top, length_px in zip(_BAR_TOP_Y, lengths, strict=True):
        left = _CENTRE_X - length_px // 2
        canvas.fill(left, top, left + length_px, top + _BAR_PX, nuisance.colour)
    pixels = canvas.pixels()
    if upside_down != nuisance.is_b:
        pixels = flipped(pixels)
    longer, shorter = even_lengths_px(_MEAN_PX, _FAKE_STEP_PX * difference)
    realised = {
        "fan_half_angle_deg": round(float(np.degrees(half_angle)), 6),
        "length_difference_nominal_percent": _FULL_PERCENT * difference,
        "length_difference_realised_percent": relative_difference_percent(longer, shorter),
    }
    return drawn("ponzo", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _fan(spread_px: float) -> Strokes:
    near, far = _LINE_MIDDLE_PX - spread_px, _LINE_MIDDLE_PX + spread_px
    starts = [(_CENTRE_X + side * near, _LINE_TOP_Y) for side in (-1, 1)]
    ends = [(_CENTRE_X + side * far, _LINE_BOTTOM_Y) for side in (-1, 1)]
    return Strokes(np.array(starts), np.array(ends), _LINE_PX)
