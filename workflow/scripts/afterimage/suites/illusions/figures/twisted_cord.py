"""Fraser's twisted cords (docs/illusion_strength.md): parallel cords seem to lean as their strands do.

Strength: contrast of the strands, 128 +/- 127 levels at 1; negative strands lean the other way. Difference: convergence
of the cords, 3.8 deg at 1; each turns by half of it about its own middle and takes its strands along. Positive is
convergence toward the top in A. B: flipped top to bottom. The ground has a colour, so that the cords, which have none,
can be told from it.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, flipped, moved
from afterimage.drawing.colour import from_hexadecimal, grey
from afterimage.drawing.geometry import cosine, signed_angle_deg, sine, snap, turned
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Strokes
from afterimage.suites.illusions.parametric import Look, check, drawn

_GROUND = from_hexadecimal("#9FC5E8")
_CENTRES_X, _CENTRE_Y = (226, 446), 336
_WIDTH_PX, _LENGTH_PX = 28, 560
_STRAND_PX, _STRAND_DEG = 9, 20.0
_MIDDLE_LEVEL, _REACH = 128, 127
_FULL_DEG = 3.8
#: A whole-pixel box that holds a cord however it is turned, px from its centre.
_BOX_PX = (30, 284)
#: Half of a strand, px: out of the cord on both sides.
_REACH_PX = 60.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is two plain grey cords."""
    strength, difference, nuisance = check("twisted_cord", strength, difference, variant, look)
    canvas = Canvas(_GROUND)
    axes = []
    for x, lean in zip(_CENTRES_X, (1, -1), strict=True):
        tilt_deg = lean * _FULL_DEG / 2 * difference
        _draw_cord(canvas, x, tilt_deg, lean * strength)
        half = _LENGTH_PX / 2
        upright = np.array([(x, _CENTRE_Y + half), (x, _CENTRE_Y - half)])
        axes.append(snap(turned(upright, tilt_deg, (x, _CENTRE_Y))))
    pixels = flipped(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "strand_contrast": strength,
        "convergence_nominal_deg": _FULL_DEG * difference,
        "convergence_realised_deg": signed_angle_deg(axes[1], axes[0]),
    }
    return drawn("twisted_cord", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _draw_cord(canvas: Canvas, x: int, tilt_deg: float, contrast: float) -> None:
    """Draw one cord: strands over its box, then the ground round about it, so that its rim is blended once.

    Args:
        canvas: Where to draw.
        x: Its centre, px.
        tilt_deg: How far it is turned, clockwise.
        contrast: Of the strands, -1 to 1; positive ones lean clockwise.
    """
    middle, (across, along) = (float(x), float(_CENTRE_Y)), _BOX_PX
    box = (x - across, _CENTRE_Y - along, x + across, _CENTRE_Y + along)
    light, dark = (int(_MIDDLE_LEVEL + sign * _REACH * abs(contrast) + 0.5) for sign in (1, -1))
    canvas.fill(*box, grey(light))
    if contrast:
        ends = [turned(points, tilt_deg, middle) for points in _strands(middle, contrast)]
        canvas.paint(Strokes(ends[0], ends[1], _STRAND_PX), grey(dark), canvas.frame.cut(*box))
    rim, cord = _rectangle(middle, across, along), _rectangle(middle, _WIDTH_PX / 2, _LENGTH_PX / 2)
    canvas.paint(Region([rim, turned(cord, tilt_deg, middle)[::-1]]), _GROUND)


def _strands(middle: tuple[float, float], contrast: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of every dark strand of an upright cord, each of shape (n, 2), px."""
    pitch = 2 * _STRAND_PX / float(sine(_STRAND_DEG))
    number = int((_LENGTH_PX / 2 + _REACH_PX) / pitch)
    middles = np.stack(
        [np.full(2 * number + 1, middle[0]), middle[1] + pitch * np.arange(-number, number + 1)],
        axis=1,
    )
    lean = np.array([np.copysign(sine(_STRAND_DEG), contrast), -cosine(_STRAND_DEG)])
    return middles - _REACH_PX * lean, middles + _REACH_PX * lean


def _rectangle(middle: tuple[float, float], across: float, along: float) -> np.ndarray:
    corners = np.array([(-across, -along), (across, -along), (across, along), (-across, along)])
    return corners + middle
