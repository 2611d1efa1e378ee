"""Figures of sizes: of discs, arcs and squares."""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, ZoomedCanvas, flipped, mirrored, moved
from afterimage.drawing.colour import BLACK, BLUE, RED, WHITE, grey
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.shapes import Arch, Discs, Rings
from afterimage.errors import AfterimageError
from afterimage.suites.illusions.parametric import (
    Look,
    check,
    drawn,
    even_lengths_px,
    relative_difference_percent,
)

# ---- Ebbinghaus ----

_SMALL_AT, _LARGE_AT = (133.0, 336.0), (447.0, 336.0)
_SMALL_COUNT, _LARGE_COUNT = 8, 6
_SMALL_PX, _LARGE_PX = 28.0, 116.0
_SMALL_DISTANCE_PX, _LARGE_DISTANCE_PX = 74.0, 122.0
_INDUCER_COLOUR = grey(0x7F)
_EBBINGHAUS_MEAN_PX, _EBBINGHAUS_FAKE_STEP_PX = 96.0, 10.0


def ebbinghaus(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Ebbinghaus (docs/illusion_figures.md, 4.7): two discs, one among small discs, one among large.

    Strength: logarithm of the ratio of the inducers' diameters, 116:28 px at 1, about their geometric mean; the
    distance of the inducers from the target goes linearly with their diameter between the card's two values, their
    number stays. Difference: diameters of the targets, 20.8 % of their mean at 1, the one among small discs larger.
    In A that is the left one at positive strength; negative strengths and B mirror the layout. Strength 0 is the
    two target discs alone.
    """
    strength, difference, nuisance = check(
        "ebbinghaus", strength, difference, variant, look, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    share = (1 - abs(strength)) / 2
    small = round(_SMALL_PX ** (1 - share) * _LARGE_PX**share, 6)
    large = round(_SMALL_PX**share * _LARGE_PX ** (1 - share), 6)
    if strength:
        canvas.paint(_inducers(_SMALL_AT, _SMALL_COUNT, small), _INDUCER_COLOUR)
        canvas.paint(_inducers(_LARGE_AT, _LARGE_COUNT, large), _INDUCER_COLOUR)
    reversed_layout = strength < 0
    step = _EBBINGHAUS_FAKE_STEP_PX * (-difference if reversed_layout else difference)
    among_small, among_large = _EBBINGHAUS_MEAN_PX + step, _EBBINGHAUS_MEAN_PX - step
    canvas.paint(Discs(np.array([_SMALL_AT]), among_small), nuisance.colour)
    canvas.paint(Discs(np.array([_LARGE_AT]), among_large), nuisance.colour)
    pixels = canvas.pixels()
    if reversed_layout != nuisance.is_b:
        pixels = mirrored(pixels)
    full = relative_difference_percent(
        _EBBINGHAUS_MEAN_PX + _EBBINGHAUS_FAKE_STEP_PX,
        _EBBINGHAUS_MEAN_PX - _EBBINGHAUS_FAKE_STEP_PX,
    )
    realised = {
        "small_inducer_diameter_px": small * nuisance.size if strength else 0.0,
        "large_inducer_diameter_px": large * nuisance.size if strength else 0.0,
        "diameter_difference_nominal_percent": round(full * difference, 6),
        "diameter_difference_realised_percent": relative_difference_percent(
            _EBBINGHAUS_MEAN_PX + _EBBINGHAUS_FAKE_STEP_PX * difference,
            _EBBINGHAUS_MEAN_PX - _EBBINGHAUS_FAKE_STEP_PX * difference,
        ),
    }
    return drawn("ebbinghaus", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _inducers(centre: tuple[float, float], count: int, diameter_px: float) -> Discs:
    growth = (diameter_px - _SMALL_PX) / (_LARGE_PX - _SMALL_PX)
    distance = _SMALL_DISTANCE_PX + (_LARGE_DISTANCE_PX - _SMALL_DISTANCE_PX) * growth
    angles = np.arange(count) * 360 / count
    direction = np.stack([cosine(angles), sine(angles)], axis=-1)
    return Discs(np.array(centre) + distance * direction, diameter_px)


# ---- Delboeuf ----

_CLOSE_AT, _WIDE_AT = (154.0, 336.0), (448.0, 336.0)
_CLOSE_PX, _WIDE_PX = 140.0, 280.0
_RING_PX = 3
_DELBOEUF_MEAN_PX, _DELBOEUF_FAKE_STEP_PX = 100.0, 10.0
_DELBOEUF_FULL_PERCENT = 20.0


def delboeuf(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Delboeuf (docs/illusion_figures.md, 4.9): two discs, one in a close ring, one in a wide ring.

    Strength: logarithm of the ratio of the rings' diameters, 280:140 px at 1, about their geometric mean.
    Difference: diameters of the discs, 20 % of their mean at 1, the one in the close ring larger. In A that is the
    left one at positive strength; negative strengths and B mirror the layout. Strength 0 is the two discs alone.
    """
    strength, difference, nuisance = check(
        "delboeuf", strength, difference, variant, look, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    share = (1 - abs(strength)) / 2
    close = round(_CLOSE_PX ** (1 - share) * _WIDE_PX**share, 6)
    wide = round(_CLOSE_PX**share * _WIDE_PX ** (1 - share), 6)
    if strength:
        rings = Rings(np.array([_CLOSE_AT, _WIDE_AT]), np.array([close, wide]) / 2, _RING_PX)
        canvas.paint(rings, BLACK)
    reversed_layout = strength < 0
    step = _DELBOEUF_FAKE_STEP_PX * (-difference if reversed_layout else difference)
    canvas.paint(Discs(np.array([_CLOSE_AT]), _DELBOEUF_MEAN_PX + step), nuisance.colour)
    canvas.paint(Discs(np.array([_WIDE_AT]), _DELBOEUF_MEAN_PX - step), nuisance.colour)
    pixels = canvas.pixels()
    if reversed_layout != nuisance.is_b:
        pixels = mirrored(pixels)
    realised = {
        "close_ring_diameter_px": close * nuisance.size if strength else 0.0,
        "wide_ring_diameter_px": wide * nuisance.size if strength else 0.0,
        "diameter_difference_nominal_percent": _DELBOEUF_FULL_PERCENT * difference,
        "diameter_difference_realised_percent": relative_difference_percent(
            _DELBOEUF_MEAN_PX + _DELBOEUF_FAKE_STEP_PX * difference,
            _DELBOEUF_MEAN_PX - _DELBOEUF_FAKE_STEP_PX * difference,
        ),
    }
    return drawn("delboeuf", moved(pixels, nuisance.shift, "edge"), difference, realised)


# ---- Jastrow ----

_JASTROW_CENTRE_X = 336.0
_MIDDLE_RADIUS_PX, _HALF_THICKNESS_PX, _HALF_ANGLE_DEG = 220.0, 44.0, 35.0
_UPPER_INNER_CROWN_Y, _LOWER_OUTER_CROWN_Y = 306.0, 334.0
_CONTROL_CROWN_Y, _CONTROL_GAP_PX = 276.0, 22.0
_JASTROW_FAKE_STEP = 0.08


def jastrow(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Jastrow (docs/illusion_figures.md, 4.8): two arcs, a long edge facing a short one.

    Strength: half-angle of the arcs, 35 deg at 1, at constant thickness and length along the middle; negative arcs
    open upward. The facing of a long and a short edge is the inducer, so at strength 0 the full arcs stand side by
    side, red on the left (the card's control), whatever the limit of the half-angle would be. Difference: linear
    scale, 16 % between the two at 1. The upper arc is red in both variants; positive values favour the lower, blue
    arc in A and the upper, red arc in B, which is turned by 180 deg.
    """
    strength, difference, nuisance = check(
        "jastrow", strength, difference, variant, look, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    # Turned by 180 deg means, for arcs that are their own mirror image, flipped top to bottom.
    upside_down = (strength < 0) != nuisance.is_b
    favoured_scale, other_scale = (
        1 + _JASTROW_FAKE_STEP * difference,
        1 - _JASTROW_FAKE_STEP * difference,
    )
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
        left, right = _arches_side_by_side(red_scale, blue_scale)
        canvas.paint(left, RED)
        canvas.paint(right, BLUE)
    turn = upside_down if strength else nuisance.is_b
    pixels = flipped(canvas.pixels()) if turn else canvas.pixels()
    realised = {
        "half_angle_deg": half_angle,
        "scale_difference_nominal_percent": 200 * _JASTROW_FAKE_STEP * difference,
        "scale_difference_realised_percent": relative_difference_percent(
            favoured_scale, other_scale
        ),
    }
    return drawn("jastrow", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _arch_radii(half_angle_deg: float, scale: float) -> tuple[float, float]:
    """Return inner and outer radius; the length along the middle does not depend on the angle."""
    middle = _MIDDLE_RADIUS_PX * _HALF_ANGLE_DEG / half_angle_deg
    return (middle - _HALF_THICKNESS_PX) * scale, (middle + _HALF_THICKNESS_PX) * scale


def _upper_arch(half_angle_deg: float, scale: float) -> Arch:
    inner, outer = _arch_radii(half_angle_deg, scale)
    return Arch((_JASTROW_CENTRE_X, _UPPER_INNER_CROWN_Y + inner), inner, outer, half_angle_deg)


def _lower_arch(half_angle_deg: float, scale: float) -> Arch:
    inner, outer = _arch_radii(half_angle_deg, scale)
    return Arch((_JASTROW_CENTRE_X, _LOWER_OUTER_CROWN_Y + outer), inner, outer, half_angle_deg)


def _arches_side_by_side(left_scale: float, right_scale: float) -> tuple[Arch, Arch]:
    """Return the control's arcs: crowns level, 22 px between nearest corners, centred."""
    arches = []
    for side, scale, neighbour in ((-1, left_scale, right_scale), (1, right_scale, left_scale)):
        inner, outer = _arch_radii(_HALF_ANGLE_DEG, scale)
        neighbour_half_width = _arch_radii(_HALF_ANGLE_DEG, neighbour)[1] * float(
            sine(_HALF_ANGLE_DEG)
        )
        x = _JASTROW_CENTRE_X + side * (neighbour_half_width + _CONTROL_GAP_PX / 2)
        arches.append(Arch((x, _CONTROL_CROWN_Y + outer), inner, outer, _HALF_ANGLE_DEG))
    return arches[0], arches[1]


# ---- Irradiation ----

_IRRADIATION_STRENGTHS = (-1.0, 0.0, 1.0)
_SIDE_PX = 672
_CENTRES_X, _IRRADIATION_CENTRE_Y = (168, 504), 336
_IRRADIATION_SQUARE_PX, _IRRADIATION_FULL_PERCENT = 160, 20.0


def irradiation(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw irradiation (docs/illusion_figures.md, 4.21): white on black looks larger than black on white.

    Strength: 1 or, with the halves exchanged, -1; in between the contrast would pass through none, and at low
    contrast the effect turns round. Strength 0 is two black squares, so that the left one's polarity is not kept;
    any in between is an error. Difference: of the squares' sides, 20 % at 1, the left one larger in A. B: mirrored.
    """
    strength, difference, nuisance = check("irradiation", strength, difference, variant, look)
    if strength not in _IRRADIATION_STRENGTHS:
        raise AfterimageError(f"irradiation: strength is {strength:g}, expected -1, 0 or 1.")
    canvas = Canvas(WHITE)
    # The half on which a white square lies: the left one at strength 1, none at 0.
    dark_half = {1.0: 0, -1.0: 1}.get(strength)
    if dark_half is not None:
        left = dark_half * _SIDE_PX // 2
        canvas.fill(left, 0, left + _SIDE_PX // 2, _SIDE_PX, BLACK)
    half_step = _IRRADIATION_SQUARE_PX * _IRRADIATION_FULL_PERCENT / 200 * abs(difference)
    sides = even_lengths_px(_IRRADIATION_SQUARE_PX, half_step)[:: 1 if difference >= 0 else -1]
    for index, (x, side) in enumerate(zip(_CENTRES_X, sides, strict=True)):
        half, colour = side // 2, WHITE if index == dark_half else BLACK
        canvas.fill(
            x - half, _IRRADIATION_CENTRE_Y - half, x + half, _IRRADIATION_CENTRE_Y + half, colour
        )
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "ground_polarity": strength,
        "side_difference_nominal_percent": _IRRADIATION_FULL_PERCENT * difference,
        "side_difference_realised_percent": relative_difference_percent(*sides),
    }
    return drawn("irradiation", moved(pixels, nuisance.shift, "edge"), difference, realised)
