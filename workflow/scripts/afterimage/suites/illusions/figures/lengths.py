"""Figures of lengths: of lines, bars and gaps, and of the parts of a height."""

import math
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, ZoomedCanvas, flipped, mirrored, moved, quarter_turned
from afterimage.drawing.colour import BLACK, BLUE, RED, WHITE, Colour
from afterimage.drawing.geometry import cosine, length
from afterimage.drawing.polygons import Outline
from afterimage.drawing.shapes import Discs, Polyline, Strokes
from afterimage.suites.illusions.parametric import (
    Look,
    check,
    drawn,
    even_lengths_px,
    relative_difference_percent,
    whole_tens_px,
)

# ---- Mueller-Lyer ----

_MUELLER_CENTRE_X = 336
_MUELLER_CENTRE_Y, _FROM_CENTRE_PX = 336, 108
#: The lengths at a size are whole and even where these are multiples of 20.
_MUELLER_MEAN_PX, _MUELLER_FAKE_STEP = 300, 0.1
_MUELLER_WIDTH_PX = 6
_FIN_PX, _FIN_DEG = 84, 35.0
_MUELLER_FULL_PERCENT = 20.0


def mueller_lyer(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Mueller-Lyer (docs/illusion_figures.md, 4.3): two shafts, one with fins out, one with fins in.

    Strength: projection of the fins on the shaft's line, 68.8 px at 1 (84 px at 35 deg); the fins keep their length
    of 84 px and turn, so that they would stand upright at 0. Negative strength exchanges fins out and fins in.
    Difference: length of the shafts, 20 % of their mean at 1, longer with fins out. In A the upper shaft has its
    fins out at positive strength; B is that figure turned: fins in left, out right. Strength 0 is the two shafts
    alone.
    """
    strength, difference, nuisance = check(
        "mueller_lyer", strength, difference, variant, look, sized=True
    )
    mean_px = whole_tens_px("mueller_lyer", _MUELLER_MEAN_PX, nuisance.size)
    heights = [
        _MUELLER_CENTRE_Y + round(side * _FROM_CENTRE_PX * nuisance.size) for side in (-1, 1)
    ]
    fin_px = _FIN_PX * nuisance.size
    upper, lower = even_lengths_px(mean_px, _MUELLER_FAKE_STEP * mean_px * difference)
    projection = fin_px * float(cosine(_FIN_DEG)) * strength
    canvas = Canvas(WHITE)
    if strength:
        for y, length_px, outward in zip(heights, (upper, lower), (1, -1), strict=True):
            canvas.paint(_fins(y, length_px, fin_px, outward * projection), BLACK)
    for y, length_px in zip(heights, (upper, lower), strict=True):
        left, top = _MUELLER_CENTRE_X - length_px // 2, y - _MUELLER_WIDTH_PX // 2
        canvas.fill(left, top, left + length_px, top + _MUELLER_WIDTH_PX, nuisance.colour)
    pixels = canvas.pixels()
    if nuisance.is_b:
        pixels = quarter_turned(flipped(pixels))
    realised = {
        "fin_projection_px": round(projection, 6),
        "length_difference_nominal_percent": _MUELLER_FULL_PERCENT * difference,
        "length_difference_realised_percent": relative_difference_percent(upper, lower),
    }
    return drawn("mueller_lyer", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _fins(y: int, length_px: int, fin_px: float, projection: float) -> Strokes:
    """Return the four fins of a shaft; positive projections point away from it."""
    height = math.sqrt(fin_px * fin_px - projection * projection)
    starts, ends = [], []
    for side in (-1, 1):
        for direction in (-1, 1):
            x = _MUELLER_CENTRE_X + side * length_px / 2
            starts.append((x, y))
            ends.append((x + side * projection, y + direction * height))
    return Strokes(np.array(starts), np.array(ends), _MUELLER_WIDTH_PX)


# ---- Fick ----

_FICK_CENTRE_X = 336
_FICK_CENTRE_Y, _CONTROL_FROM_CENTRE_PX = 336, 100
_FICK_WIDTH_PX = 6
_FICK_MEAN_PX, _FICK_FAKE_STEP = 360, 0.1
_FICK_FULL_PERCENT = 20.0


def fick(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Fick, or vertical-horizontal (docs/illusion_figures.md, 4.4): one bar stands on the middle of another.

    Strength: where on the lying bar the other stands, at its middle (T) at 1, nearer its left end below; negative
    strengths turn the figure by 90 deg counter-clockwise, so that the standing bar lies. At strength 0 the two bars
    lie parallel and apart, the standing one above (the card's control), because relative placement is the inducer.
    Difference: lengths, 20 % of their mean at 1, the standing bar longer. A: standing bar red; B: T upside down,
    standing bar blue.
    """
    strength, difference, nuisance = check("fick", strength, difference, variant, look, sized=True)
    mean_px = whole_tens_px("fick", _FICK_MEAN_PX, nuisance.size)
    foot_y = _FICK_CENTRE_Y + mean_px // 2
    standing, lying = even_lengths_px(mean_px, _FICK_FAKE_STEP * mean_px * difference)
    standing_colour, lying_colour = (BLUE, RED) if nuisance.is_b else (RED, BLUE)
    canvas = Canvas(WHITE)
    attachment = round(lying * abs(strength) / 2)
    if strength:
        x = _FICK_CENTRE_X - lying // 2 + attachment - _FICK_WIDTH_PX // 2
        canvas.fill(x, foot_y - standing, x + _FICK_WIDTH_PX, foot_y, standing_colour)
        _lay_bar(canvas, foot_y, lying, lying_colour)
    else:
        distance = round(_CONTROL_FROM_CENTRE_PX * nuisance.size)
        _lay_bar(canvas, _FICK_CENTRE_Y - distance - _FICK_WIDTH_PX // 2, standing, standing_colour)
        _lay_bar(canvas, _FICK_CENTRE_Y + distance - _FICK_WIDTH_PX // 2, lying, lying_colour)
    pixels = canvas.pixels()
    if strength and nuisance.is_b:
        pixels = flipped(pixels)
    if strength < 0:
        pixels = quarter_turned(pixels)
    realised = {
        "length_difference_nominal_percent": _FICK_FULL_PERCENT * difference,
        "length_difference_realised_percent": relative_difference_percent(standing, lying),
    }
    if strength:
        realised["attachment_realised_fraction"] = round(attachment / lying, 6)
    return drawn("fick", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _lay_bar(canvas: Canvas, y: int, length_px: int, colour: Colour) -> None:
    left = _FICK_CENTRE_X - length_px // 2
    canvas.fill(left, y, left + length_px, y + _FICK_WIDTH_PX, colour)


# ---- Sander ----

_FOOT_X, _FOOT_Y, _SANDER_TOP_Y = 384, 440, 232
_SLANT_PX = 96.0
_HALF_SPAN_PX, _SANDER_FAKE_STEP_PX = 216.0, 40.0
_OUTLINE_PX, _DIAGONAL_PX = 4, 6

_Point = tuple[float, float]


def sander(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Sander (docs/illusion_figures.md, 4.12): the diagonals of the two parts of a parallelogram.

    Strength: slant of the parallelogram, 96 px at 1; the diagonals do not move with it. Difference: their lengths,
    19 % of their mean at 1, the one in the wide part longer; the corners follow. A: wide part left, red; B is the
    mirror image with the colours exchanged, and so is a figure of negative strength. Strength 0 is the two
    diagonals alone.
    """
    strength, difference, nuisance = check(
        "sander", strength, difference, variant, look, sized=True
    )
    reversed_layout = strength < 0
    wide = -difference if reversed_layout else difference
    corners = _diagonal_tops(wide)
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    if strength:
        _draw_parallelogram(canvas, corners, _SLANT_PX * abs(strength))
    turn = reversed_layout != nuisance.is_b
    colours = (BLUE, RED) if turn else (RED, BLUE)
    _draw_diagonals(canvas, corners, colours)
    pixels = mirrored(canvas.pixels()) if turn else canvas.pixels()
    realised = {
        "slant_px": _SLANT_PX * nuisance.size * strength,
        "length_difference_nominal_percent": round(_diagonals_differ_percent(1.0) * difference, 6),
        "length_difference_realised_percent": _diagonals_differ_percent(difference),
    }
    return drawn("sander", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _diagonal_tops(wide: float) -> tuple[_Point, _Point]:
    """Return the upper ends of the diagonals, that of the wide part first."""
    step = _SANDER_FAKE_STEP_PX * wide
    return (_FOOT_X - _HALF_SPAN_PX - step, _SANDER_TOP_Y), (
        _FOOT_X + _HALF_SPAN_PX - step,
        _SANDER_TOP_Y,
    )


def _diagonals_differ_percent(difference: float) -> float:
    lengths = [length((_FOOT_X, _FOOT_Y), corner) for corner in _diagonal_tops(difference)]
    return relative_difference_percent(*lengths)


def _draw_parallelogram(canvas: ZoomedCanvas, corners: tuple[_Point, _Point], slant: float) -> None:
    (left, _), (right, _) = corners
    outline = [
        (left - slant, _FOOT_Y),
        (right - slant, _FOOT_Y),
        (right, _SANDER_TOP_Y),
        (left, _SANDER_TOP_Y),
    ]
    canvas.paint(Polyline(np.array(outline), _OUTLINE_PX, closed=True), BLACK)
    foot, top = np.array([(_FOOT_X, _FOOT_Y)]), np.array([(_FOOT_X + slant, _SANDER_TOP_Y)])
    canvas.paint(Strokes(foot, top, _OUTLINE_PX), BLACK)


def _draw_diagonals(
    canvas: ZoomedCanvas, corners: tuple[_Point, _Point], colours: tuple[Colour, Colour]
) -> None:
    """Draw each diagonal on its own side of the foot, so that neither covers the other."""
    x1, y1 = canvas.frame.x1, canvas.frame.y1
    halves = canvas.frame.cut(0, 0, _FOOT_X, y1), canvas.frame.cut(_FOOT_X, 0, x1, y1)
    for corner, colour, half in zip(corners, colours, halves, strict=True):
        stroke = Strokes(np.array([(_FOOT_X, _FOOT_Y)]), np.array([corner]), _DIAGONAL_PX)
        canvas.paint(stroke, colour, within=half)


# ---- Ponzo ----

_PONZO_CENTRE_X = 336
_LINE_TOP_Y, _LINE_BOTTOM_Y = 84, 604
_LINE_MIDDLE_PX, _FULL_SPREAD_PX = 152.0, 100.0
_LINE_PX, _BAR_PX = 4, 8
_BAR_TOP_Y = (216, 456)
_PONZO_MEAN_PX, _PONZO_FAKE_STEP_PX = 160, 16
_PONZO_FULL_PERCENT = 20.0


def ponzo(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Ponzo (docs/illusion_figures.md, 4.15): two bars between two converging lines.

    Strength: half-angle of the fan, 21 deg at 1; each line turns about its own middle. Negative strengths and B
    converge below (the figure flipped top to bottom). Difference: length of the bars, 20 % of their mean at 1, the
    one at the narrow end longer; at strength 0 the upper in A, the lower in B. Excluded by the paper. Strength 0 is
    the two bars alone.
    """
    strength, difference, nuisance = check("ponzo", strength, difference, variant, look)
    upside_down = strength < 0
    step = _PONZO_FAKE_STEP_PX * (-difference if upside_down else difference)
    lengths = even_lengths_px(_PONZO_MEAN_PX, step)
    half_height = (_LINE_BOTTOM_Y - _LINE_TOP_Y) / 2
    half_angle = np.arctan2(_FULL_SPREAD_PX, half_height) * abs(strength)
    canvas = Canvas(WHITE)
    if strength:
        canvas.paint(_fan(half_height * np.tan(half_angle)), BLACK)
    for top, length_px in zip(_BAR_TOP_Y, lengths, strict=True):
        left = _PONZO_CENTRE_X - length_px // 2
        canvas.fill(left, top, left + length_px, top + _BAR_PX, nuisance.colour)
    pixels = canvas.pixels()
    if upside_down != nuisance.is_b:
        pixels = flipped(pixels)
    longer, shorter = even_lengths_px(_PONZO_MEAN_PX, _PONZO_FAKE_STEP_PX * difference)
    realised = {
        "fan_half_angle_deg": round(float(np.degrees(half_angle)), 6),
        "length_difference_nominal_percent": _PONZO_FULL_PERCENT * difference,
        "length_difference_realised_percent": relative_difference_percent(longer, shorter),
    }
    return drawn("ponzo", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _fan(spread_px: float) -> Strokes:
    near, far = _LINE_MIDDLE_PX - spread_px, _LINE_MIDDLE_PX + spread_px
    starts = [(_PONZO_CENTRE_X + side * near, _LINE_TOP_Y) for side in (-1, 1)]
    ends = [(_PONZO_CENTRE_X + side * far, _LINE_BOTTOM_Y) for side in (-1, 1)]
    return Strokes(np.array(starts), np.array(ends), _LINE_PX)


# ---- Oppel-Kundt ----

_LEFT_X, _MIDDLE_X, _RIGHT_X = 96, 336, 576
_ROWS_PX = (276, 396)
_OPPEL_WIDTH_PX, _FILLING_PX = 6, 4
_MAX_OPPEL_STROKES = 9
_OPPEL_FAKE_STEP_PX = 24
_OPPEL_FULL_PERCENT = 20.0


def oppel_kundt(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Oppel-Kundt (docs/illusion_strength.md): a gap that is filled with strokes looks wider than an empty one.

    Strength: how many strokes fill the gap, 9 at 1; negative ones fill the other gap. Difference: 20 % of the gaps'
    mean at 1, the left one wider in A. All strokes are equally tall: taller ones between weaken the effect or turn
    it round (Wackermann and Kastner 2009). B: mirrored, blue. Strength 0 is the three strokes alone.
    """
    strength, difference, nuisance = check("oppel_kundt", strength, difference, variant, look)
    middle = _MIDDLE_X + round(_OPPEL_FAKE_STEP_PX * difference)
    canvas = Canvas(WHITE)
    filled = (_LEFT_X, middle) if strength > 0 else (middle, _RIGHT_X)
    count = int(_MAX_OPPEL_STROKES * abs(strength))
    if count:
        x = np.linspace(*filled, count + 2)[1:-1]
        tops, feet = (np.stack([x, np.full(count, float(row))], axis=1) for row in _ROWS_PX)
        canvas.paint(Strokes(tops, feet, _FILLING_PX), BLACK)
    for centre in (_LEFT_X, middle, _RIGHT_X):
        left = centre - _OPPEL_WIDTH_PX // 2
        canvas.fill(left, _ROWS_PX[0], left + _OPPEL_WIDTH_PX, _ROWS_PX[1], nuisance.colour)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    gaps = (middle - _LEFT_X, _RIGHT_X - middle)
    realised = {
        "filling_strokes": count,
        "gap_difference_nominal_percent": _OPPEL_FULL_PERCENT * difference,
        "gap_difference_realised_percent": relative_difference_percent(*gaps),
    }
    return drawn("oppel_kundt", moved(pixels, nuisance.shift, "edge"), difference, realised)


# ---- Triangle bisection ----

_TRIANGLE_CENTRE_X, _TRIANGLE_TOP_Y, _BOTTOM_Y = 336.0, 76.0, 596.0
_TRIANGLE_HALF_BASE_PX, _RECTANGLE_HALF_BASE_PX = 300.22, 200.0
_STROKE_PX, _DOT_PX = 4, 22
_TRIANGLE_MIDDLE_Y, _TRIANGLE_FAKE_STEP_PX = 336.0, 32.0


def triangle_bisection(
    strength: float, difference: float, variant: str, **look: Unpack[Look]
) -> Drawing:
    """Draw triangle bisection (docs/illusion_figures.md, 4.11): a dot half-way up an equilateral triangle.

    Strength: taper of the black figure, 1 - top width / base, from the triangle at 1 to the control's rectangle at
    0; the base goes linearly between the two. Negative strength and B have the narrow end below. Difference: position
    of the dot, 32 px toward the narrow end at 1; at strength 0 upward in A, downward in B. Strength 0 is a rectangle
    with the same dot.
    """
    strength, difference, nuisance = check(
        "triangle_bisection", strength, difference, variant, look, sized=True
    )
    upside_down = strength < 0
    up = -difference if upside_down else difference
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    canvas.paint(Outline(_tapered(abs(strength)), _STROKE_PX), BLACK)
    dot_y = _TRIANGLE_MIDDLE_Y - _TRIANGLE_FAKE_STEP_PX * up
    canvas.paint(Discs(np.array([(_TRIANGLE_CENTRE_X, dot_y)]), _DOT_PX), nuisance.colour)
    pixels = canvas.pixels()
    if upside_down != nuisance.is_b:
        pixels = flipped(pixels)
    step = _TRIANGLE_FAKE_STEP_PX * difference
    half_height = (_BOTTOM_Y - _TRIANGLE_TOP_Y) / 2
    realised = {
        "taper": abs(strength),
        "position_nominal_px": nuisance.size * step,
        "position_realised_px": nuisance.size * step,
        "distance_difference_realised_percent": relative_difference_percent(
            half_height + step, half_height - step
        ),
    }
    return drawn("triangle_bisection", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _tapered(taper: float) -> np.ndarray:
    """Return the outer corners; the full taper has three, because a doubled apex has no edge."""
    base = _RECTANGLE_HALF_BASE_PX + (_TRIANGLE_HALF_BASE_PX - _RECTANGLE_HALF_BASE_PX) * taper
    top = base * (1 - taper)
    lower = [(_TRIANGLE_CENTRE_X + base, _BOTTOM_Y), (_TRIANGLE_CENTRE_X - base, _BOTTOM_Y)]
    upper = [
        (_TRIANGLE_CENTRE_X - top, _TRIANGLE_TOP_Y),
        (_TRIANGLE_CENTRE_X + top, _TRIANGLE_TOP_Y),
    ]
    return np.array(lower + (upper if top > 0 else upper[:1]))
