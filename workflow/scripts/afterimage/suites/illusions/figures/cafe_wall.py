"""Cafe wall (docs/illusion_figures.md, 4.1): two mortar lines between rows of shifted tiles.

Strength: shift between neighbouring rows of tiles, 32 px (half a tile) at 1. Both kinds of rows
move by half of it, in opposite directions, so that a reversed strength gives the mirror image.
Difference: convergence of the target lines, 3.77 deg at 1; both are positive toward the right in A,
the left in B.
"""

import math
from collections.abc import Iterable
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import WHITE, Colour, grey, grey_pixels
from afterimage.drawing.geometry import signed_angle_deg
from afterimage.drawing.shapes import Strokes
from afterimage.suites.illusions.parametric import Look, check, drawn

_WALL = (28, 644)
_LEFT, _RIGHT = 32, 640
_ROWS, _ROW_PITCH = 9, 68
_MORTARS = range(1, _ROWS)
#: Neighbouring mortars that tilt toward each other, one pair for each arrangement.
_TARGETS = ((4, 5), (2, 3), (6, 7))
_MORTAR_COLOUR, _MORTAR_PX = grey(128), 4
_TILE_PX = 64
#: Black tiles start here when the rows are aligned; 96 and 128 at full strength.
_ALIGNED_FROM = 112
_HALF_SHIFT_PX = 16
_HALF_WIDTH_PX = 304
_RISE_PX = 10
#: Rows above and below a mortar's level that a fully tilted one can reach.
_REACH_PX = _RISE_PX + _MORTAR_PX


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two target lines alone on white."""
    strength, difference, nuisance = check(
        "cafe_wall", strength, difference, variant, look, arrangements=len(_TARGETS)
    )
    half_shift = round(_HALF_SHIFT_PX * strength)
    targets = _TARGETS[nuisance.arrangement]
    canvas = Canvas(WHITE)
    if strength:
        _draw_wall(canvas, targets, half_shift, difference)
    _draw_mortars(canvas, targets, difference, nuisance.colour)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    full_deg = 2 * math.degrees(math.atan2(_RISE_PX, _HALF_WIDTH_PX))
    upper, lower = (_centre_line(mortar, difference) for mortar in targets)
    realised = {
        "row_shift_realised_px": float(2 * half_shift),
        "convergence_nominal_deg": round(full_deg * difference, 6),
        "convergence_realised_deg": signed_angle_deg(lower, upper),
    }
    return drawn("cafe_wall", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _centre_line(mortar: int, difference: float) -> np.ndarray:
    """Return the left and the right end of a mortar's centre line."""
    level = 30 + _ROW_PITCH * mortar
    rise = (1 if mortar % 2 == 0 else -1) * _RISE_PX * difference
    return np.array([(_LEFT, level - rise), (_RIGHT, level + rise)])


def _draw_mortars(
    canvas: Canvas, mortars: Iterable[int], difference: float, colour: Colour
) -> None:
    lines = np.array([_centre_line(mortar, difference) for mortar in mortars])
    left, right = lines[:, 0], lines[:, 1]
    # The ends are cut upright at the wall's edge, so the strokes start and stop beyond it.
    overhang = (right - left) / 16
    strokes = Strokes(left - overhang, right + overhang, _MORTAR_PX)
    canvas.paint(strokes, colour, within=canvas.frame.cut(_LEFT, 0, _RIGHT, canvas.frame.y1))


def _draw_wall(canvas: Canvas, targets: Iterable[int], half_shift: int, difference: float) -> None:
    canvas.fill(_WALL[0], _WALL[0], _WALL[1], _WALL[1], _MORTAR_COLOUR)
    rows = [_row_of_tiles(-half_shift), _row_of_tiles(half_shift)]
    for row in range(_ROWS):
        top = _LEFT + _ROW_PITCH * row
        canvas.place(_LEFT, top, grey_pixels(rows[row % 2][None]), rows=_TILE_PX)
    if difference:
        for mortar in _MORTARS:
            _tilt_boundary(canvas, mortar, difference, rows)
    others = [mortar for mortar in _MORTARS if mortar not in targets]
    _draw_mortars(canvas, others, difference, _MORTAR_COLOUR)


def _row_of_tiles(shift: int) -> np.ndarray:
    """Return the grey levels along one row of tiles, shape (608,)."""
    column = np.arange(_LEFT, _RIGHT) - _ALIGNED_FROM - shift
    is_black = column % (2 * _TILE_PX) < _TILE_PX
    return np.where(is_black, np.uint8(0), np.uint8(255))


def _tilt_boundary(canvas: Canvas, mortar: int, difference: float, rows: list[np.ndarray]) -> None:
    """Let the tiles meet on a mortar's tilted centre line, where the mortar hides the seam."""
    (left, left_y), (right, right_y) = _centre_line(mortar, difference)
    column = np.arange(_LEFT, _RIGHT) + 0.5
    seam = left_y + (right_y - left_y) * (column - left) / (right - left)
    top = 30 + _ROW_PITCH * mortar - _REACH_PX
    row = np.arange(top, top + 2 * _REACH_PX)[:, None] + 0.5
    levels = np.where(row < seam, rows[(mortar - 1) % 2], rows[mortar % 2])
    canvas.place(_LEFT, top, grey_pixels(levels))
