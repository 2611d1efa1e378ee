"""Triangle bisection (docs/illusion_figures.md, 4.11): a dot half-way up an equilateral triangle.

Strength: taper of the black figure, 1 - top width / base, from the triangle at 1 to the control's
rectangle at 0; the base goes linearly between the two. Negative strength and B have the narrow end
below. Difference: place of the dot, 32 px toward the narrow end at 1; at strength 0 upward in A,
downward in B.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, flipped, moved
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.polygons import Outline
from afterimage.drawing.shapes import Discs
from afterimage.suites.illusions.parametric import Look, check, drawn, relative_difference_percent

_CENTRE_X, _TOP_Y, _BOTTOM_Y = 336.0, 76.0, 596.0
_TRIANGLE_HALF_BASE_PX, _RECTANGLE_HALF_BASE_PX = 300.22, 200.0
_STROKE_PX, _DOT_PX = 4, 22
_MIDDLE_Y, _FAKE_STEP_PX = 336.0, 32.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is a rectangle with the same dot."""
    strength, difference, nuisance = check(
        "triangle_bisection", strength, difference, variant, look, sized=True
    )
    upside_down = strength < 0
    up = -difference if upside_down else difference
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    canvas.paint(Outline(_vertices(abs(strength)), _STROKE_PX), BLACK)
    dot_y = _MIDDLE_Y - _FAKE_STEP_PX * up
    canvas.paint(Discs(np.array([(_CENTRE_X, dot_y)]), _DOT_PX), nuisance.colour)
    pixels = canvas.pixels()
    if upside_down != nuisance.is_b:
        pixels = flipped(pixels)
    step = _FAKE_STEP_PX * difference
    half_height = (_BOTTOM_Y - _TOP_Y) / 2
    realised = {
        "taper": abs(strength),
        "position_nominal_px": nuisance.size * step,
        "position_realised_px": nuisance.size * step,
        "distance_difference_realised_percent": relative_difference_percent(
            half_height + step, half_height - step
        ),
    }
    return drawn("triangle_bisection", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _vertices(taper: float) -> np.ndarray:
    """Return the outer corners; the full taper has three, because a doubled apex has no edge."""
    base = _RECTANGLE_HALF_BASE_PX + (_TRIANGLE_HALF_BASE_PX - _RECTANGLE_HALF_BASE_PX) * taper
    top = base * (1 - taper)
    lower = [(_CENTRE_X + base, _BOTTOM_Y), (_CENTRE_X - base, _BOTTOM_Y)]
    upper = [(_CENTRE_X - top, _TOP_Y), (_CENTRE_X + top, _TOP_Y)]
    return np.array(lower + (upper if top > 0 else upper[:1]))
