"""Simultaneous contrast (docs/illusion_strength.md): a grey looks lighter on dark than on light.

Strength: how far the two grounds are from the middle grey, 64 levels at 1; negative ones exchange them. Difference:
step of the two squares, 128 +/- 20 levels at 1, the left one lighter in A. Strength 0 has one light ground, which is
not the limit of weaker and weaker ones. B: mirrored.
"""

from typing import Unpack

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import grey
from afterimage.suites.illusions.parametric import (
    MIDDLE_LEVEL,
    Look,
    check,
    drawn,
    realised_step,
    stepped,
)

_SIDE_PX = 672
_SQUARE_PX = 112
_CENTRES_X, _CENTRE_Y = (168, 504), 336
_GROUND_STEP = 64
_CONTROL_GROUND = grey(0xE0)


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two squares on uniform #E0E0E0."""
    strength, difference, nuisance = check("surround_contrast", strength, difference, variant, look)
    canvas = Canvas(_CONTROL_GROUND)
    if strength:
        for left, sign in ((0, -1), (_SIDE_PX // 2, 1)):
            ground = grey(int(MIDDLE_LEVEL + sign * _GROUND_STEP * strength + 0.5))
            canvas.fill(left, 0, left + _SIDE_PX // 2, _SIDE_PX, ground)
    half = _SQUARE_PX // 2
    for x, level in zip(_CENTRES_X, stepped(difference), strict=True):
        canvas.fill(x - half, _CENTRE_Y - half, x + half, _CENTRE_Y + half, grey(level))
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {"ground_step_levels": _GROUND_STEP * strength, **realised_step(difference)}
    return drawn("surround_contrast", moved(pixels, nuisance.shift, "edge"), difference, realised)
