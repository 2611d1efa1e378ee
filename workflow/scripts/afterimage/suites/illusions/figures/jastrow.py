"""Jastrow (docs/illusion_figures.md, 4.8): two arcs, a long edge facing a short one.

Strength: half-angle of the arcs, 35 deg at 1, at constant thickness and length along the middle;
negative arcs open upward. The facing of a long and a short edge is the inducer, so at strength 0
the full arcs stand side by side (the card's control), whatever the limit of the half-angle would
be. Difference: linear scale, 16 % between the two at 1. The upper arc is red in both variants;
positive values favour the lower, blue arc in A and the upper, red arc in B, which is turned by 180
deg.
"""

from typing import Unpack

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, flipped, moved
from afterimage.drawing.colour import BLUE, RED, WHITE
from afterimage.drawing.geometry import sine
from afterimage.drawing.shapes import Arch
from afterimage.suites.illusions.parametric import Look, check, drawn, relative_difference_percent

_CENTRE_X = 336.0
_MIDDLE_RADIUS_PX, _HALF_THICKNESS_PX, _HALF_ANGLE_DEG = 220.0, 44.0, 35.0
_UPPER_INNER_CROWN_Y, _LOWER_OUTER_CROWN_Y = 306.0, 334.0
_CONTROL_CROWN_Y, _CONTROL_GAP_PX = 276.0, 22.0
_FAKE_STEP = 0.08


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two arcs side by side, red on the left."""
    strength, difference, nuisance = check(
        "jastrow", strength, difference, variant, look, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    # Turned by 180 deg means, for arcs that are their own mirror image, flipped top to bottom.
    upside_down = (strength < 0) != nuisance.is_b
    favoured_scale, other_scale = 1 + _FAKE_STEP * difference, 1 - _FAKE_STEP * difference
    red_scale, blue_scale = (
        (favoured_scale, other_scale) if nuisance.is_b else (other_scale, favoured_scale)
    )
    if strength:
        half_angle = _HALF_ANGLE_DEG * abs(strength)
        upper, lower = (blue_scale, red_scale) if upside_down else (red_scale, blue_scale)
        colours = (BLUE, RED) if upside_down else (RED, BLUE)
        canvas.paint(_upper_arch(half_angle, upper), colours[0])
        canvas.paint(_lower_arch(half_angle, lower), colours[1])
    else:
        half_angle = _HALF_ANGLE_DEG
        left, right = _side_by_side(red_scale, blue_scale)
        canvas.paint(left, RED)
        canvas.paint(right, BLUE)
    turn = upside_down if strength else nuisance.is_b
    pixels = flipped(canvas.pixels()) if turn else canvas.pixels()
    realised = {
        "half_angle_deg": half_angle,
        "scale_difference_nominal_percent": 200 * _FAKE_STEP * difference,
        "scale_difference_realised_percent": relative_difference_percent(
            favoured_scale, other_scale
        ),
    }
    return drawn("jastrow", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _radii(half_angle_deg: float, scale: float) -> tuple[float, float]:
    """Return inner and outer radius; the length along the middle does not depend on the angle."""
    middle = _MIDDLE_RADIUS_PX * _HALF_ANGLE_DEG / half_angle_deg
    return (middle - _HALF_THICKNESS_PX) * scale, (middle + _HALF_THICKNESS_PX) * scale


def _upper_arch(half_angle_deg: float, scale: float) -> Arch:
    inner, outer = _radii(half_angle_deg, scale)
    return Arch((_CENTRE_X, _UPPER_INNER_CROWN_Y + inner), inner, outer, half_angle_deg)


def _lower_arch(half_angle_deg: float, scale: float) -> Arch:
    inner, outer = _radii(half_angle_deg, scale)
    return Arch((_CENTRE_X, _LOWER_OUTER_CROWN_Y + outer), inner, outer, half_angle_deg)


def _side_by_side(left_scale: float, right_scale: float) -> tuple[Arch, Arch]:
    """Return the control's arcs: crowns level, 22 px between nearest corners, centred."""
    arches = []
    for side, scale, neighbour in ((-1, left_scale, right_scale), (1, right_scale, left_scale)):
        inner, outer = _radii(_HALF_ANGLE_DEG, scale)
        neighbour_half_width = _radii(_HALF_ANGLE_DEG, neighbour)[1] * float(sine(_HALF_ANGLE_DEG))
        x = _CENTRE_X + side * (neighbour_half_width + _CONTROL_GAP_PX / 2)
        arches.append(Arch((x, _CONTROL_CROWN_Y + outer), inner, outer, _HALF_ANGLE_DEG))
    return arches[0], arches[1]
