"""Oppel-Kundt (docs/illusion_strength.md): a gap that is filled with strokes looks wider than an empty one.

Strength: how many strokes fill the gap, 9 at 1; negative ones fill the other gap. Difference: 20 % of the gaps' mean at
1, the left one wider in A. All strokes are equally tall: taller ones between weaken the effect or turn it round
(Wackermann and Kastner 2009). B: mirrored, blue.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.shapes import Strokes
from afterimage.suites.illusions.parametric import Look, check, drawn, relative_difference_percent

_LEFT_X, _MIDDLE_X, _RIGHT_X = 96, 336, 576
_ROWS_PX = (276, 396)
_WIDTH_PX, _FILLING_PX = 6, 4
_MOST = 9
_FAKE_STEP_PX = 24
_FULL_PERCENT = 20.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the three strokes alone."""
    strength, difference, nuisance = check("oppel_kundt", strength, difference, variant, look)
    middle = _MIDDLE_X + round(_FAKE_STEP_PX * difference)
    canvas = Canvas(WHITE)
    filled = (_LEFT_X, middle) if strength > 0 else (middle, _RIGHT_X)
    count = int(_MOST * abs(strength))
    if count:
        x = np.linspace(*filled, count + 2)[1:-1]
        tops, feet = (np.stack([x, np.full(count, float(row))], axis=1) for row in _ROWS_PX)
        canvas.paint(Strokes(tops, feet, _FILLING_PX), BLACK)
    for centre in (_LEFT_X, middle, _RIGHT_X):
        left = centre - _WIDTH_PX // 2
        canvas.fill(left, _ROWS_PX[0], left + _WIDTH_PX, _ROWS_PX[1], nuisance.colour)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    gaps = (middle - _LEFT_X, _RIGHT_X - middle)
    realised = {
        "filling_strokes": count,
        "gap_difference_nominal_percent": _FULL_PERCENT * difference,
        "gap_difference_realised_percent": relative_difference_percent(*gaps),
    }
    return drawn("oppel_kundt", moved(pixels, nuisance.shift, "edge"), difference, realised)
