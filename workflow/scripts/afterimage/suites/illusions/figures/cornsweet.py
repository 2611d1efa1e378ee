"""Craik-O'Brien-Cornsweet (docs/illusion_strength.md): two equal greys that meet in a light and a dark ramp.

Strength: height of the ramps, 48 levels at 1; negative ones turn the edge round. Difference: step of the two plateaus,
128 +/- 20 levels at 1, the left one lighter in A. B: mirrored, blue dots.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import WHITE, grey_pixels, to_levels
from afterimage.drawing.shapes import Discs
from afterimage.suites.illusions.parametric import Look, check, drawn, realised_step, stepped

_COLUMNS_PX, _ROWS_PX = (48, 624), (144, 528)
_EDGE_X, _RAMP_PX, _RAMP_LEVELS = 336, 96, 48
_DOTS = np.array([(120.0, 336.0), (552.0, 336.0)])
_DOT_PX = 14


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 has no ramps, so that its fake is a plain step."""
    strength, difference, nuisance = check("cornsweet", strength, difference, variant, look)
    canvas = Canvas(WHITE)
    row = grey_pixels(_levels(strength, difference)[None])
    canvas.place(_COLUMNS_PX[0], _ROWS_PX[0], row, rows=_ROWS_PX[1] - _ROWS_PX[0])
    canvas.paint(Discs(_DOTS, _DOT_PX), nuisance.colour)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {"ramp_levels": _RAMP_LEVELS * strength, **realised_step(difference)}
    return drawn("cornsweet", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _levels(strength: float, difference: float) -> np.ndarray:
    """Return the grey of each column of the field, uint8."""
    from_edge = np.arange(*_COLUMNS_PX) + 0.5 - _EDGE_X
    ramp = _RAMP_LEVELS * strength * np.clip(1 - np.abs(from_edge) / _RAMP_PX, 0, 1)
    first, second = stepped(difference)
    return to_levels(np.where(from_edge < 0, first + ramp, second - ramp))
