"""Figures of the direction of lines: parallel or not, in line or not."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, ZoomedCanvas, flipped, mirrored, moved
from afterimage.drawing.colour import BLACK, WHITE, Colour, from_hexadecimal, grey, grey_pixels
from afterimage.drawing.geometry import cosine, signed_angle_deg, sine, snap, turned
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Strokes
from afterimage.suites.illusions.parametric import Look, check, drawn

# ---- Cafe wall ----

_WALL = (28, 644)
_CAFE_LEFT, _CAFE_RIGHT = 32, 640
_CAFE_ROWS, _ROW_PITCH = 9, 68
_MORTARS = range(1, _CAFE_ROWS)
#: Neighbouring mortars that tilt toward each other, one pair for each arrangement.
_CAFE_TARGETS = ((4, 5), (2, 3), (6, 7))
_MORTAR_COLOUR, _MORTAR_PX = grey(128), 4
_TILE_PX = 64
#: Black tiles start here when the rows are aligned; 96 and 128 at full strength.
_ALIGNED_FROM = 112
_HALF_SHIFT_PX = 16
_HALF_WIDTH_PX = 304
_RISE_PX = 10
#: Rows above and below a mortar's level that a fully tilted one can reach.
_CAFE_REACH_PX = _RISE_PX + _MORTAR_PX


def cafe_wall(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw a cafe wall (docs/illusion_figures.md, 4.1): two mortar lines between rows of shifted tiles.

    Strength: shift between neighbouring rows of tiles, 32 px (half a tile) at 1. Both kinds of rows move by half of
    it, in opposite directions, so that a reversed strength gives the mirror image. Difference: convergence of the
    target lines, 3.77 deg at 1; both are positive toward the right in A, the left in B. Strength 0 is the two
    target lines alone on white.
    """
    strength, difference, nuisance = check(
        "cafe_wall", strength, difference, variant, look, arrangements=len(_CAFE_TARGETS)
    )
    half_shift = round(_HALF_SHIFT_PX * strength)
    targets = _CAFE_TARGETS[nuisance.arrangement]
    canvas = Canvas(WHITE)
    if strength:
        _draw_wall(canvas, targets, half_shift, difference)
    _draw_mortars(canvas, targets, difference, nuisance.colour)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    full_deg = 2 * math.degrees(math.atan2(_RISE_PX, _HALF_WIDTH_PX))
    upper, lower = (_mortar_line(mortar, difference) for mortar in targets)
    realised = {
        "row_shift_realised_px": float(2 * half_shift),
        "convergence_nominal_deg": round(full_deg * difference, 6),
        "convergence_realised_deg": signed_angle_deg(lower, upper),
    }
    return drawn("cafe_wall", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _mortar_line(mortar: int, difference: float) -> np.ndarray:
    """Return the left and the right end of a mortar's centre line."""
    level = 30 + _ROW_PITCH * mortar
    rise = (1 if mortar % 2 == 0 else -1) * _RISE_PX * difference
    return np.array([(_CAFE_LEFT, level - rise), (_CAFE_RIGHT, level + rise)])


def _draw_mortars(
    canvas: Canvas, mortars: Iterable[int], difference: float, colour: Colour
) -> None:
    lines = np.array([_mortar_line(mortar, difference) for mortar in mortars])
    left, right = lines[:, 0], lines[:, 1]
    # The ends are cut upright at the wall's edge, so the strokes start and stop beyond it.
    overhang = (right - left) / 16
    strokes = Strokes(left - overhang, right + overhang, _MORTAR_PX)
    canvas.paint(
        strokes, colour, within=canvas.frame.cut(_CAFE_LEFT, 0, _CAFE_RIGHT, canvas.frame.y1)
    )


def _draw_wall(canvas: Canvas, targets: Iterable[int], half_shift: int, difference: float) -> None:
    canvas.fill(_WALL[0], _WALL[0], _WALL[1], _WALL[1], _MORTAR_COLOUR)
    rows = [_row_of_tiles(-half_shift), _row_of_tiles(half_shift)]
    for row in range(_CAFE_ROWS):
        top = _CAFE_LEFT + _ROW_PITCH * row
        canvas.paste(_CAFE_LEFT, top, grey_pixels(rows[row % 2][None]), rows=_TILE_PX)
    if difference:
        for mortar in _MORTARS:
            _tilt_boundary(canvas, mortar, difference, rows)
    others = [mortar for mortar in _MORTARS if mortar not in targets]
    _draw_mortars(canvas, others, difference, _MORTAR_COLOUR)


def _row_of_tiles(shift: int) -> np.ndarray:
    """Return the grey levels along one row of tiles, shape (608,)."""
    column = np.arange(_CAFE_LEFT, _CAFE_RIGHT) - _ALIGNED_FROM - shift
    is_black = column % (2 * _TILE_PX) < _TILE_PX
    return np.where(is_black, np.uint8(0), np.uint8(255))


def _tilt_boundary(canvas: Canvas, mortar: int, difference: float, rows: list[np.ndarray]) -> None:
    """Let the tiles meet on a mortar's tilted centre line, where the mortar hides the seam."""
    (left, left_y), (right, right_y) = _mortar_line(mortar, difference)
    column = np.arange(_CAFE_LEFT, _CAFE_RIGHT) + 0.5
    seam = left_y + (right_y - left_y) * (column - left) / (right - left)
    top = 30 + _ROW_PITCH * mortar - _CAFE_REACH_PX
    row = np.arange(top, top + 2 * _CAFE_REACH_PX)[:, None] + 0.5
    levels = np.where(row < seam, rows[(mortar - 1) % 2], rows[mortar % 2])
    canvas.paste(_CAFE_LEFT, top, grey_pixels(levels))


# ---- Zoellner ----

_ZOELLNER_CENTRE = (336.0, 336.0)
_ZOELLNER_LINES = 6
_ZOELLNER_TARGETS = (2, 3)
_LINE_PX, _HATCH_PX = 5, 4
_PITCH_PX = 32
_HATCH_DEG = 25.0
_ZOELLNER_FULL_DEG = 5.0


@dataclass(frozen=True)
class _HatchedLines:
    line_length_px: float
    spacing_px: float
    hatches: int
    hatch_length_px: float
    turn_deg: float


_LAYOUTS = {"A": _HatchedLines(544, 96, 16, 72, 0.0), "B": _HatchedLines(448, 80, 13, 64, 45.0)}


def zoellner(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Zoellner (docs/illusion_figures.md, 4.2): six lines with oblique hatches, the middle two are the targets.

    Strength: length of the hatches, 72 px in A and 64 px in B at 1; negative hatches lean the other way.
    Difference: convergence of the targets, 5 deg at 1; every line turns by half of it about its own middle and
    takes its hatches along. Positive is convergence toward the right in A. B turns the figure by 45 deg. Strength 0
    is the two targets alone.
    """
    strength, difference, nuisance = check(
        "zoellner", strength, difference, variant, look, sized=True
    )
    layout = _LAYOUTS[nuisance.variant]
    middles = (np.arange(_ZOELLNER_LINES) - (_ZOELLNER_LINES - 1) / 2) * layout.spacing_px
    # In screen coordinates a positive angle falls to the right; hatches of the first line rise.
    lean = np.where(np.arange(_ZOELLNER_LINES) % 2 == 0, 1.0, -1.0)
    tilts_deg = lean * _ZOELLNER_FULL_DEG / 2 * difference
    starts, ends = _segments(0.0, middles, tilts_deg, layout.line_length_px, layout)
    targets = list(_ZOELLNER_TARGETS)
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    if strength:
        others = np.setdiff1d(np.arange(_ZOELLNER_LINES), targets)
        canvas.paint(Strokes(starts[others], ends[others], _LINE_PX), BLACK)
        canvas.paint(_hatches(middles, tilts_deg, -lean, strength, layout), BLACK)
    canvas.paint(Strokes(starts[targets], ends[targets], _LINE_PX), nuisance.colour)
    upper, lower = (snap([starts[line], ends[line]]) for line in targets)
    realised = {
        "hatch_length_px": layout.hatch_length_px * nuisance.size * abs(strength),
        "convergence_nominal_deg": _ZOELLNER_FULL_DEG * difference,
        "convergence_realised_deg": signed_angle_deg(lower, upper),
    }
    return drawn("zoellner", moved(canvas.pixels(), nuisance.shift, "edge"), difference, realised)


def _hatches(
    middles: np.ndarray,
    tilts_deg: np.ndarray,
    lean: np.ndarray,
    strength: float,
    layout: _HatchedLines,
) -> Strokes:
    """Return all hatches: each crosses its line at its own midpoint."""
    offsets = (np.arange(layout.hatches) - (layout.hatches - 1) / 2) * _PITCH_PX
    line, along = (
        grid.ravel() for grid in np.meshgrid(np.arange(_ZOELLNER_LINES), offsets, indexing="ij")
    )
    tilt = tilts_deg[line]
    x, y = along * cosine(tilt), middles[line] + along * sine(tilt)
    angle = tilt + lean[line] * np.copysign(_HATCH_DEG, strength)
    starts, ends = _segments(x, y, angle, layout.hatch_length_px * abs(strength), layout)
    return Strokes(starts, ends, _HATCH_PX)


def _segments(
    x: np.ndarray | float,
    y: np.ndarray,
    angle_deg: np.ndarray,
    length_px: float,
    layout: _HatchedLines,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of segments about (x, y), px from the figure's centre before its turn."""
    half = length_px / 2
    dx, dy = half * cosine(angle_deg), half * sine(angle_deg)
    ends = [
        np.stack([x + side * dx, y + side * dy], axis=-1) + _ZOELLNER_CENTRE for side in (-1, 1)
    ]
    if layout.turn_deg:
        ends = [turned(points, layout.turn_deg, _ZOELLNER_CENTRE) for points in ends]
    return ends[0], ends[1]


# ---- Twisted cord ----

_CORD_GROUND = from_hexadecimal("#9FC5E8")
_CENTRES_X, _CORD_CENTRE_Y = (226, 446), 336
_CORD_WIDTH_PX, _LENGTH_PX = 28, 560
_STRAND_PX, _STRAND_DEG = 9, 20.0
_MIDDLE_LEVEL, _CORD_REACH = 128, 127
_CORD_FULL_DEG = 3.8
#: A whole-pixel box that holds a cord however it is turned, px from its centre.
_CORD_BOX_PX = (30, 284)
#: Half of a strand, px: out of the cord on both sides.
_CORD_REACH_PX = 60.0


def twisted_cord(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Fraser's twisted cords (docs/illusion_strength.md): parallel cords seem to lean as their strands do.

    Strength: contrast of the strands, 128 +/- 127 levels at 1; negative strands lean the other way. Difference:
    convergence of the cords, 3.8 deg at 1; each turns by half of it about its own middle and takes its strands
    along. Positive is convergence toward the top in A. B: flipped top to bottom. The ground has a colour, so that
    the cords, which have none, can be told from it. Strength 0 is two plain grey cords.
    """
    strength, difference, nuisance = check("twisted_cord", strength, difference, variant, look)
    canvas = Canvas(_CORD_GROUND)
    axes = []
    for x, lean in zip(_CENTRES_X, (1, -1), strict=True):
        tilt_deg = lean * _CORD_FULL_DEG / 2 * difference
        _draw_cord(canvas, x, tilt_deg, lean * strength)
        half = _LENGTH_PX / 2
        upright = np.array([(x, _CORD_CENTRE_Y + half), (x, _CORD_CENTRE_Y - half)])
        axes.append(snap(turned(upright, tilt_deg, (x, _CORD_CENTRE_Y))))
    pixels = flipped(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "strand_contrast": strength,
        "convergence_nominal_deg": _CORD_FULL_DEG * difference,
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
    middle, (across, along) = (float(x), float(_CORD_CENTRE_Y)), _CORD_BOX_PX
    box = (x - across, _CORD_CENTRE_Y - along, x + across, _CORD_CENTRE_Y + along)
    light, dark = (
        int(_MIDDLE_LEVEL + sign * _CORD_REACH * abs(contrast) + 0.5) for sign in (1, -1)
    )
    canvas.fill(*box, grey(light))
    if contrast:
        ends = [turned(points, tilt_deg, middle) for points in _strands(middle, contrast)]
        canvas.paint(Strokes(ends[0], ends[1], _STRAND_PX), grey(dark), canvas.frame.cut(*box))
    rim, cord = (
        _rectangle(middle, across, along),
        _rectangle(middle, _CORD_WIDTH_PX / 2, _LENGTH_PX / 2),
    )
    canvas.paint(Region([rim, turned(cord, tilt_deg, middle)[::-1]]), _CORD_GROUND)


def _strands(middle: tuple[float, float], contrast: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of every dark strand of an upright cord, each of shape (n, 2), px."""
    pitch = 2 * _STRAND_PX / float(sine(_STRAND_DEG))
    number = int((_LENGTH_PX / 2 + _CORD_REACH_PX) / pitch)
    middles = np.stack(
        [np.full(2 * number + 1, middle[0]), middle[1] + pitch * np.arange(-number, number + 1)],
        axis=1,
    )
    lean = np.array([np.copysign(sine(_STRAND_DEG), contrast), -cosine(_STRAND_DEG)])
    return middles - _CORD_REACH_PX * lean, middles + _CORD_REACH_PX * lean


def _rectangle(middle: tuple[float, float], across: float, along: float) -> np.ndarray:
    corners = np.array([(-across, -along), (across, -along), (across, along), (-across, along)])
    return corners + middle


# ---- Poggendorff ----

_CENTRE_PX = 336
_SLOPE_DEG = 50.0
_POGGENDORFF_WIDTH_PX = 6
_LEFT_PX, _RIGHT_PX = (120, 288), (384, 552)
_BAR_PX, _BAR_ROWS_PX, _EDGE_PX = (288, 384), (24, 648), 4
_BAR_LEVEL, _EDGE_LEVEL = 0xD0, 0x00
_POGGENDORFF_OFFSET_PX = 40.0


def poggendorff(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw Poggendorff (docs/illusion_strength.md): an oblique line that vanishes behind a bar and comes out again.

    Strength: contrast of the bar and of its edges; there is no opposite bar, so it cannot be negative. Difference:
    how far the two parts are out of line, 40 px vertically at 1, shared out between them; positive where the right
    part is too high in A, which is how it looks. B: flipped top to bottom, blue. Strength 0 is the two strokes
    alone, a negative strength an error.
    """
    strength, difference, nuisance = check(
        "poggendorff", strength, difference, variant, look, weakest=0.0
    )
    canvas = Canvas(WHITE)
    if strength:
        _draw_covering_bar(canvas, strength)
    lower = _POGGENDORFF_OFFSET_PX * difference / 2
    for ends, down in ((_LEFT_PX, lower), (_RIGHT_PX, -lower)):
        canvas.paint(Region([_oblique_stroke(*ends, down)]), nuisance.colour)
    pixels = flipped(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "bar_contrast": strength,
        "offset_nominal_px": _POGGENDORFF_OFFSET_PX * difference,
        "offset_realised_px": _POGGENDORFF_OFFSET_PX * difference,
    }
    return drawn("poggendorff", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _draw_covering_bar(canvas: Canvas, strength: float) -> None:
    (left, right), (top, bottom) = _BAR_PX, _BAR_ROWS_PX
    canvas.fill(left, top, right, bottom, _faded(_BAR_LEVEL, strength))
    edge = _faded(_EDGE_LEVEL, strength)
    canvas.fill(left, top, left + _EDGE_PX, bottom, edge)
    canvas.fill(right - _EDGE_PX, top, right, bottom, edge)


def _faded(level: int, strength: float) -> Colour:
    return grey(int(255 - strength * (255 - level) + 0.5))


def _oblique_stroke(left: int, right: int, down: float) -> np.ndarray:
    """Return a stroke that is cut vertically at both ends, clockwise on the screen."""
    x = np.array([left, right], dtype=float)
    slope = float(sine(_SLOPE_DEG)) / float(cosine(_SLOPE_DEG))
    y = _CENTRE_PX - slope * (x - _CENTRE_PX) + down
    half = _POGGENDORFF_WIDTH_PX / 2 / float(cosine(_SLOPE_DEG))
    corners = [(x[0], y[0] - half), (x[1], y[1] - half), (x[1], y[1] + half), (x[0], y[0] + half)]
    return np.array(corners)
