"""Poggendorff (docs/illusion_strength.md): an oblique line that vanishes behind a bar and comes out again.

Strength: contrast of the bar and of its edges; there is no opposite bar, so it cannot be negative. Difference: how far
the two parts are out of line, 40 px vertically at 1, shared out between them; positive where the right part is too high
in A, which is how it looks. B: flipped top to bottom, blue.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, flipped, moved
from afterimage.drawing.colour import WHITE, Colour, grey
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Region
from afterimage.suites.illusions.parametric import Look, check, drawn

_CENTRE_PX = 336
_SLOPE_DEG = 50.0
_WIDTH_PX = 6
_LEFT_PX, _RIGHT_PX = (120, 288), (384, 552)
_BAR_PX, _BAR_ROWS_PX, _EDGE_PX = (288, 384), (24, 648), 4
_BAR_LEVEL, _EDGE_LEVEL = 0xD0, 0x00
_OFFSET_PX = 40.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two strokes alone, a negative strength an error."""
    strength, difference, nuisance = check(
        "poggendorff", strength, difference, variant, look, weakest=0.0
    )
    canvas = Canvas(WHITE)
    if strength:
        _draw_bar(canvas, strength)
    lower = _OFFSET_PX * difference / 2
    for ends, down in ((_LEFT_PX, lower), (_RIGHT_PX, -lower)):
        canvas.paint(Region([_stroke(*ends, down)]), nuisance.colour)
    pixels = flipped(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "bar_contrast": strength,
        "offset_nominal_px": _OFFSET_PX * difference,
        "offset_realised_px": _OFFSET_PX * difference,
    }
    return drawn("poggendorff", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _draw_bar(canvas: Canvas, strength: float) -> None:
    (left, right), (top, bottom) = _BAR_PX, _BAR_ROWS_PX
    canvas.fill(left, top, right, bottom, _faded(_BAR_LEVEL, strength))
    edge = _faded(_EDGE_LEVEL, strength)
    canvas.fill(left, top, left + _EDGE_PX, bottom, edge)
    canvas.fill(right - _EDGE_PX, top, right, bottom, edge)


def _faded(level: int, strength: float) -> Colour:
    return grey(int(255 - strength * (255 - level) + 0.5))


def _stroke(left: int, right: int, down: float) -> np.ndarray:
    """Return a stroke that is cut vertically at both ends, clockwise on the screen."""
    x = np.array([left, right], dtype=float)
    slope = float(sine(_SLOPE_DEG)) / float(cosine(_SLOPE_DEG))
    y = _CENTRE_PX - slope * (x - _CENTRE_PX) + down
    half = _WIDTH_PX / 2 / float(cosine(_SLOPE_DEG))
    corners = [(x[0], y[0] - half), (x[1], y[1] - half), (x[1], y[1] + half), (x[0], y[0] + half)]
    return np.array(corners)
