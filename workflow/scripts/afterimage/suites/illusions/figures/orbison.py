"""Orbison (docs/illusion_figures.md, 4.6): a square over concentric rings.

Strength: density of the rings, one per 12 px at 1; there is no opposite field, so it cannot be
negative. Difference: sagitta of the four sides, 14 px at 1, inward; the corners stay. B: turned by
45 deg, blue.
"""

import math
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, moved
from afterimage.drawing.colour import WHITE, grey
from afterimage.drawing.geometry import turned
from afterimage.drawing.shapes import Polyline, Rings
from afterimage.suites.illusions.parametric import Look, check, drawn

_CENTRE = (336.0, 336.0)
_SPACING_PX, _FIELD_PX, _RING_PX = 12.0, 312.0, 3
_RING_COLOUR = {"A": grey(0x30), "B": grey(0x50)}
_HALF_SIDE_PX, _SIDE_PX = 174.0, 5
_SAGITTA_PX = 14.0
_SEGMENTS = 80
_TURN_DEG = {"A": 0.0, "B": 45.0}


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the square alone, a negative strength an error."""
    strength, difference, nuisance = check(
        "orbison", strength, difference, variant, look, weakest=0.0, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    spacing = _SPACING_PX / strength if strength else math.inf
    if strength:
        radii = spacing * np.arange(1, math.floor(_FIELD_PX / spacing) + 1)
        centres = np.broadcast_to(_CENTRE, (radii.size, 2))
        canvas.paint(Rings(centres, radii, _RING_PX), _RING_COLOUR[nuisance.variant])
    square = turned(_square(difference), _TURN_DEG[nuisance.variant], _CENTRE)
    canvas.paint(Polyline(square, _SIDE_PX, closed=True), nuisance.colour)
    realised = {
        "rings_per_px": round(1 / spacing / nuisance.size, 6),
        "sagitta_nominal_px": _SAGITTA_PX * nuisance.size * difference,
        "sagitta_realised_px": _SAGITTA_PX * nuisance.size * difference,
    }
    return drawn("orbison", moved(canvas.pixels(), nuisance.shift, "edge"), difference, realised)


def _square(difference: float) -> np.ndarray:
    """Return the corners and the points between them, clockwise from the upper left."""
    position = np.linspace(-1, 1, (_SEGMENTS if difference else 1) + 1)[:-1]
    inward = _SAGITTA_PX * difference * (1 - position * position)
    x, y = _HALF_SIDE_PX * position, -_HALF_SIDE_PX + inward
    sides = [np.stack(side, axis=-1) for side in ((x, y), (-y, x), (-x, -y), (y, -x))]
    return np.concatenate(sides) + _CENTRE
