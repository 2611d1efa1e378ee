"""Saturation constancy (docs/illusion_figures.md, 4.13): two squares on a half-veiled mosaic.

Strength: logarithm of the veil's contrast, 0.15 at 1 against 1 on the vivid half; negative
strengths veil the other half. Difference: step of the squares' mix with grey, 0.42 +/- 0.14 at 1,
more vivid on the veiled half. In A that is the left one at positive strength; B is the mirror image
in green. Strength 0 has a uniform ground.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import Colour, from_hexadecimal, grey, mix
from afterimage.suites.illusions.parametric import Look, check, drawn

_TILE_PX, _TILES = 56, 12
_GREY = grey(0x90)
_PALETTE = tuple(
    map(
        from_hexadecimal,
        (
            "#E03C31",
            "#F08C00",
            "#E6C800",
            "#5AB432",
            "#00A08C",
            "#1E82DC",
            "#7846C8",
            "#D23CA0",
        ),
    )
)
_HUE = {"A": _PALETTE[0], "B": _PALETTE[3]}
_VEIL_CONTRAST = 0.15
_LEFT_X, _RIGHT_X, _TARGET_Y, _TARGET_PX = 112, 448, 280, 112
_MEAN_SHARE, _FAKE_STEP = 0.42, 0.14


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two squares on uniform #909090."""
    strength, difference, nuisance = check(
        "saturation_constancy", strength, difference, variant, look, arrangements=len(_PALETTE)
    )
    contrast = round(_VEIL_CONTRAST ** abs(strength), 6)
    left_contrast, right_contrast = (contrast, 1.0) if strength > 0 else (1.0, contrast)
    hue = _HUE[nuisance.coloured_as]
    left = mix(_GREY, hue, _MEAN_SHARE + _FAKE_STEP * difference)
    right = mix(_GREY, hue, _MEAN_SHARE - _FAKE_STEP * difference)
    canvas = Canvas(_GREY)
    if strength:
        _draw_mosaic(canvas, (left_contrast, right_contrast), nuisance.arrangement)
    bottom = _TARGET_Y + _TARGET_PX
    canvas.fill(_LEFT_X, _TARGET_Y, _LEFT_X + _TARGET_PX, bottom, left)
    canvas.fill(_RIGHT_X, _TARGET_Y, _RIGHT_X + _TARGET_PX, bottom, right)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "veil_contrast": contrast,
        "mix_step_nominal": round(_FAKE_STEP * difference, 6),
        "mix_step_realised": _realised_step(hue, left, right),
        "favoured_side_colour": left.hexadecimal(),
        "other_side_colour": right.hexadecimal(),
    }
    return drawn(
        "saturation_constancy", moved(pixels, nuisance.shift, "edge"), difference, realised
    )


def _draw_mosaic(canvas: Canvas, contrasts: tuple[float, float], first: int) -> None:
    """Fill both halves with the same tiles in mirrored order, so that their mean colours agree.

    ``first`` is the number of the colour that the order starts with.
    """
    halves = [[mix(_GREY, colour, contrast) for colour in _PALETTE] for contrast in contrasts]
    for column in range(_TILES // 2):
        for row in range(_TILES):
            index = (3 * column + 5 * row + (column * row) % 3 + first) % len(_PALETTE)
            y = row * _TILE_PX
            for place, palette in zip((column, _TILES - 1 - column), halves, strict=True):
                x = place * _TILE_PX
                canvas.fill(x, y, x + _TILE_PX, y + _TILE_PX, palette[index])


def _realised_step(hue: Colour, left: Colour, right: Colour) -> float:
    """Return half the difference of the two mixing shares that fits the rounded colours best."""
    full = np.array(hue, dtype=np.float64) - np.array(_GREY)
    step = (np.array(left, dtype=np.float64) - np.array(right)) / 2
    return round(float((step * full).sum() / (full * full).sum()), 6)
