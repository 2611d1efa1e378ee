"""Hering (docs/illusion_figures.md, 4.5): two straight lines over a field of rays.

Strength: number of rays, 72 in A and 60 in B at 1. Negative strength is a Wundt field: the rays
leave two points beyond the lines and end on the axis between them. The points are the hub reflected
in each line, so that every ray crosses a line where a ray of the Hering field of the same size
does, at the opposite slope. Difference: sagitta, 18 px at 1, outward. B is turned by 90 deg (lines
lie), blue, with paler rays.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, moved, transposed
from afterimage.drawing.colour import BLACK, WHITE, Colour, grey
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.shapes import Polyline, Strokes
from afterimage.suites.illusions.parametric import Look, Nuisance, check, drawn

_CENTRE = 336.0
_RAYS = {"A": 72, "B": 60}
_RAY_COLOUR = {"A": BLACK, "B": grey(0x40)}
_HOLE_PX, _FIELD_PX = 22.0, 316.0
_RAY_PX, _LINE_PX = 2.5, 6
_OFFSET_PX, _FAKE_END_PX, _SAGITTA_PX = 60.0, 54.0, 18.0
_HALF_LENGTH_PX = 280
_SEGMENTS = 112


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two lines alone."""
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
        _draw_line(canvas, side, difference, nuisance)
    pixels = transposed(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "rays": float(rays),
        "sagitta_nominal_px": _SAGITTA_PX * nuisance.size * difference,
        "sagitta_realised_px": _SAGITTA_PX * nuisance.size * difference,
    }
    return drawn("hering", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _angles_deg(rays: int) -> np.ndarray:
    """Return the directions of rays, half a step off the horizontal."""
    return (np.arange(rays) + 0.5) * 360 / rays


def _hering_rays(rays: int) -> Strokes:
    angles = _angles_deg(rays)
    direction = np.stack([cosine(angles), sine(angles)], axis=-1)
    return Strokes(_CENTRE + _HOLE_PX * direction, _CENTRE + _FIELD_PX * direction, _RAY_PX)


def _draw_wundt_field(canvas: ZoomedCanvas, rays: int, colour: Colour) -> None:
    """Draw the rays of both foci, each up to the rim of the field and to the axis between them."""
    angles = _angles_deg(rays)
    direction = np.stack([cosine(angles), sine(angles)], axis=-1)
    focus = np.array([_CENTRE - 2 * _OFFSET_PX, _CENTRE])
    toward = 2 * _OFFSET_PX * direction[:, 0]
    room = _FIELD_PX * _FIELD_PX - 4 * _OFFSET_PX * _OFFSET_PX
    to_rim = toward + np.sqrt(toward * toward + room)
    starts, ends = focus + _HOLE_PX * direction, focus + to_rim[:, None] * direction
    middle, x1, y1 = int(_CENTRE), canvas.frame.x1, canvas.frame.y1
    canvas.paint(Strokes(starts, ends, _RAY_PX), colour, canvas.frame.cut(0, 0, middle, y1))
    for points in (starts, ends):
        points[:, 0] = 2 * _CENTRE - points[:, 0]
    canvas.paint(Strokes(starts, ends, _RAY_PX), colour, canvas.frame.cut(middle, 0, x1, y1))


def _draw_line(canvas: ZoomedCanvas, side: int, difference: float, nuisance: Nuisance) -> None:
    position = np.linspace(-1, 1, (_SEGMENTS if difference else 1) + 1)
    ends = _OFFSET_PX + (_FAKE_END_PX - _OFFSET_PX) * difference
    from_axis = ends + _SAGITTA_PX * difference * (1 - position * position)
    x, y = _CENTRE + side * from_axis, _CENTRE + _HALF_LENGTH_PX * position
    # The ends are cut level, so the chain is prolonged beyond them.
    x = np.concatenate([[2 * x[0] - x[1]], x, [2 * x[-1] - x[-2]]])
    y = np.concatenate([[2 * y[0] - y[1]], y, [2 * y[-1] - y[-2]]])
    top, bottom = int(_CENTRE) - _HALF_LENGTH_PX, int(_CENTRE) + _HALF_LENGTH_PX
    within = canvas.frame.cut(0, top, canvas.frame.x1, bottom)
    canvas.paint(Polyline(np.stack([x, y], axis=-1), _LINE_PX), nuisance.colour, within=within)
