"""Figures of straight lines that look bent."""

import math
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, moved, transposed
from afterimage.drawing.colour import BLACK, WHITE, Colour, grey
from afterimage.drawing.geometry import cosine, sine, turned
from afterimage.drawing.shapes import Polyline, Rings, Strokes
from afterimage.suites.illusions.parametric import Look, Nuisance, check, drawn

# ---- Hering ----

_HERING_CENTRE = 336.0
_RAYS = {"A": 72, "B": 60}
_RAY_COLOUR = {"A": BLACK, "B": grey(0x40)}
_HERING_HOLE_PX, _HERING_FIELD_PX = 22.0, 316.0
_RAY_PX, _LINE_PX = 2.5, 6
_HERING_OFFSET_PX, _FAKE_END_PX, _HERING_SAGITTA_PX = 60.0, 54.0, 18.0
_HALF_LENGTH_PX = 280
_HERING_SEGMENTS = 112


def hering(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Hering (docs/illusion_figures.md, 4.5): two straight lines over a field of rays.

    Strength: number of rays, 72 in A and 60 in B at 1. Negative strength is a Wundt field: the rays leave two
    points beyond the lines and end on the axis between them. The points are the hub reflected in each line, so that
    every ray crosses a line where a ray of the Hering field of the same size does, at the opposite slope.
    Difference: sagitta, 18 px at 1, outward. B is turned by 90 deg (lines lie), blue, with paler rays. Strength 0
    is the two lines alone.
    """
    strength, difference, nuisance = check(
        "hering", strength, difference, variant, look, sized=True
    )
    rays = round(_RAYS[nuisance.variant] * abs(strength))
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    if strength > 0:
        canvas.paint(_hering_rays(rays), _RAY_COLOUR[nuisance.variant])
    if strength < 0:
        _draw_wundt_field(canvas, rays, _RAY_COLOUR[nuisance.variant])
    for side in (-1, 1):
        _draw_bent_line(canvas, side, difference, nuisance)
    pixels = transposed(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "rays": float(rays),
        "sagitta_nominal_px": _HERING_SAGITTA_PX * nuisance.size * difference,
        "sagitta_realised_px": _HERING_SAGITTA_PX * nuisance.size * difference,
    }
    return drawn("hering", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _ray_angles_deg(rays: int) -> np.ndarray:
    """Return the directions of rays, half a step off the horizontal."""
    return (np.arange(rays) + 0.5) * 360 / rays


def _hering_rays(rays: int) -> Strokes:
    angles = _ray_angles_deg(rays)
    direction = np.stack([cosine(angles), sine(angles)], axis=-1)
    return Strokes(
        _HERING_CENTRE + _HERING_HOLE_PX * direction,
        _HERING_CENTRE + _HERING_FIELD_PX * direction,
        _RAY_PX,
    )


def _draw_wundt_field(canvas: ZoomedCanvas, rays: int, colour: Colour) -> None:
    """Draw the rays of both foci, each up to the rim of the field and to the axis between them."""
    angles = _ray_angles_deg(rays)
    direction = np.stack([cosine(angles), sine(angles)], axis=-1)
    focus = np.array([_HERING_CENTRE - 2 * _HERING_OFFSET_PX, _HERING_CENTRE])
    toward = 2 * _HERING_OFFSET_PX * direction[:, 0]
    room = _HERING_FIELD_PX * _HERING_FIELD_PX - 4 * _HERING_OFFSET_PX * _HERING_OFFSET_PX
    to_rim = toward + np.sqrt(toward * toward + room)
    starts, ends = focus + _HERING_HOLE_PX * direction, focus + to_rim[:, None] * direction
    middle, x1, y1 = int(_HERING_CENTRE), canvas.frame.x1, canvas.frame.y1
    canvas.paint(Strokes(starts, ends, _RAY_PX), colour, canvas.frame.cut(0, 0, middle, y1))
    for points in (starts, ends):
        points[:, 0] = 2 * _HERING_CENTRE - points[:, 0]
    canvas.paint(Strokes(starts, ends, _RAY_PX), colour, canvas.frame.cut(middle, 0, x1, y1))


def _draw_bent_line(canvas: ZoomedCanvas, side: int, difference: float, nuisance: Nuisance) -> None:
    position = np.linspace(-1, 1, (_HERING_SEGMENTS if difference else 1) + 1)
    ends = _HERING_OFFSET_PX + (_FAKE_END_PX - _HERING_OFFSET_PX) * difference
    from_axis = ends + _HERING_SAGITTA_PX * difference * (1 - position * position)
    x, y = _HERING_CENTRE + side * from_axis, _HERING_CENTRE + _HALF_LENGTH_PX * position
    # The ends are cut level, so the chain is prolonged beyond them.
    x = np.concatenate([[2 * x[0] - x[1]], x, [2 * x[-1] - x[-2]]])
    y = np.concatenate([[2 * y[0] - y[1]], y, [2 * y[-1] - y[-2]]])
    top, bottom = int(_HERING_CENTRE) - _HALF_LENGTH_PX, int(_HERING_CENTRE) + _HALF_LENGTH_PX
    within = canvas.frame.cut(0, top, canvas.frame.x1, bottom)
    canvas.paint(Polyline(np.stack([x, y], axis=-1), _LINE_PX), nuisance.colour, within=within)


# ---- Orbison ----

_ORBISON_CENTRE = (336.0, 336.0)
_SPACING_PX, _ORBISON_FIELD_PX, _RING_PX = 12.0, 312.0, 3
_RING_COLOUR = {"A": grey(0x30), "B": grey(0x50)}
_HALF_SIDE_PX, _SIDE_PX = 174.0, 5
_ORBISON_SAGITTA_PX = 14.0
_ORBISON_SEGMENTS = 80
_TURN_DEG = {"A": 0.0, "B": 45.0}


def orbison(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Orbison (docs/illusion_figures.md, 4.6): a square over concentric rings.

    Strength: density of the rings, one per 12 px at 1; there is no opposite field, so it cannot be negative.
    Difference: sagitta of the four sides, 14 px at 1, inward; the corners stay. B: turned by 45 deg, blue. Strength
    0 is the square alone, a negative strength an error.
    """
    strength, difference, nuisance = check(
        "orbison", strength, difference, variant, look, weakest=0.0, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    spacing = _SPACING_PX / strength if strength else math.inf
    if strength:
        radii = spacing * np.arange(1, math.floor(_ORBISON_FIELD_PX / spacing) + 1)
        centres = np.broadcast_to(_ORBISON_CENTRE, (radii.size, 2))
        canvas.paint(Rings(centres, radii, _RING_PX), _RING_COLOUR[nuisance.variant])
    square = turned(_bent_square(difference), _TURN_DEG[nuisance.variant], _ORBISON_CENTRE)
    canvas.paint(Polyline(square, _SIDE_PX, closed=True), nuisance.colour)
    realised = {
        "rings_per_px": round(1 / spacing / nuisance.size, 6),
        "sagitta_nominal_px": _ORBISON_SAGITTA_PX * nuisance.size * difference,
        "sagitta_realised_px": _ORBISON_SAGITTA_PX * nuisance.size * difference,
    }
    return drawn("orbison", moved(canvas.pixels(), nuisance.shift, "edge"), difference, realised)


def _bent_square(difference: float) -> np.ndarray:
    """Return the corners and the points between them, clockwise from the upper left."""
    position = np.linspace(-1, 1, (_ORBISON_SEGMENTS if difference else 1) + 1)[:-1]
    inward = _ORBISON_SAGITTA_PX * difference * (1 - position * position)
    x, y = _HALF_SIDE_PX * position, -_HALF_SIDE_PX + inward
    sides = [np.stack(side, axis=-1) for side in ((x, y), (-y, x), (-x, -y), (y, -x))]
    return np.concatenate(sides) + _ORBISON_CENTRE
