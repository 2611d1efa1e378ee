"""Lightness constancy (docs/illusion_figures.md, 4.14): two greys on a checkerboard in soft shading.

Strength: logarithm of the shading ratio, 0.235 at 1; the checks' reflectances stay. Negative
strengths shade the other side (mirror image). Difference: grey step of the marked squares, 120 +/-
20 levels at 1, lighter on the shaded side, which is the right one in A and the left one in B.
Strength 0 has a uniform ground.
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import grey, grey_pixels, levels_from_linear, linear_from_levels
from afterimage.drawing.shapes import Discs
from afterimage.suites.illusions.parametric import Look, Nuisance, check, drawn

_SIDE_PX = 672
_TARGET_LEVEL, _FAKE_STEP = 120, 20
_GROUND = grey(0xA8)
_SHADING_RATIO = 0.235
_DOT_PX = 14


@dataclass(frozen=True)
class _Layout:
    check_px: int
    shading_from_px: int
    shading_width_px: int
    #: One for each arrangement, of the same checks.
    target_rows: tuple[int, int]
    target_columns: tuple[int, int]


_LAYOUTS = {
    "A": _Layout(84, 252, 168, (3, 5), (2, 5)),
    "B": _Layout(112, 224, 224, (2, 4), (1, 4)),
}


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two marked squares on uniform #A8A8A8."""
    strength, difference, nuisance = check(
        "lightness_constancy", strength, difference, variant, look, arrangements=2
    )
    layout = _LAYOUTS[nuisance.variant]
    canvas = Canvas(_GROUND)
    ratio = round(_SHADING_RATIO ** abs(strength), 6)
    if strength:
        _draw_checks(canvas, layout, ratio)
    reversed_layout = strength < 0
    step = _FAKE_STEP * (-difference if reversed_layout else difference)
    lit, shaded = (int(np.floor(_TARGET_LEVEL + sign * step + 0.5)) for sign in (-1, 1))
    for column, level in zip(layout.target_columns, (lit, shaded), strict=True):
        _draw_target(canvas, layout, column, level, nuisance)
    pixels = canvas.pixels()
    if reversed_layout != nuisance.is_b:
        pixels = mirrored(pixels)
    realised_step = (shaded - lit) / 2 * (-1 if reversed_layout else 1)
    realised = {
        "shading_ratio": ratio,
        "grey_step_nominal_levels": _FAKE_STEP * difference,
        "grey_step_realised_levels": realised_step,
    }
    return drawn("lightness_constancy", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _draw_checks(canvas: Canvas, layout: _Layout, ratio: float) -> None:
    """Paint the checkerboard, reflectance times shading in linear light."""
    dark = linear_from_levels(np.array([_TARGET_LEVEL]))
    column = np.arange(_SIDE_PX)
    u = np.clip((column + 0.5 - layout.shading_from_px) / layout.shading_width_px, 0, 1)
    shading = 1 - (1 - ratio) * u * u * (3 - 2 * u)
    light_row = levels_from_linear(dark / _SHADING_RATIO * shading)
    dark_row = levels_from_linear(dark * shading)
    for row in range(_SIDE_PX // layout.check_px):
        is_dark = (column // layout.check_px + row) % 2 == 1
        levels = np.where(is_dark, dark_row, light_row)
        one_row = grey_pixels(levels[None])
        canvas.place(0, row * layout.check_px, one_row, rows=layout.check_px)


def _draw_target(
    canvas: Canvas, layout: _Layout, column: int, level: int, nuisance: Nuisance
) -> None:
    x, y = column * layout.check_px, layout.target_rows[nuisance.arrangement] * layout.check_px
    canvas.fill(x, y, x + layout.check_px, y + layout.check_px, grey(level))
    middle = (x + layout.check_px / 2, y + layout.check_px / 2)
    canvas.paint(Discs(np.array([middle]), _DOT_PX), nuisance.colour)
