"""Irradiation (docs/illusion_figures.md, 4.21): a white square on black looks larger than a black one on white.

Strength: 1 or, with the halves exchanged, -1; in between the contrast would pass through none, and at low contrast the
effect turns round. Strength 0 is both squares in black on white, so that the left one's polarity is not kept.
Difference: of the squares' sides, 20 % at 1, the left one larger in A. B: mirrored.
"""

from typing import Unpack

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.errors import AfterimageError
from afterimage.suites.illusions.parametric import (
    Look,
    check,
    drawn,
    even_lengths_px,
    relative_difference_percent,
)

STRENGTHS = (-1.0, 0.0, 1.0)
_SIDE_PX = 672
_CENTRES_X, _CENTRE_Y = (168, 504), 336
_SQUARE_PX, _FULL_PERCENT = 160, 20.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is two black squares, one between -1, 0 and 1 an error."""
    strength, difference, nuisance = check("irradiation", strength, difference, variant, look)
    if strength not in STRENGTHS:
        raise AfterimageError(f"irradiation: strength is {strength:g}, expected -1, 0 or 1.")
    canvas = Canvas(WHITE)
    # The half on which a white square lies: the left one at strength 1, none at 0.
    dark_half = {1.0: 0, -1.0: 1}.get(strength)
    if dark_half is not None:
        left = dark_half * _SIDE_PX // 2
        canvas.fill(left, 0, left + _SIDE_PX // 2, _SIDE_PX, BLACK)
    half_step = _SQUARE_PX * _FULL_PERCENT / 200 * abs(difference)
    sides = even_lengths_px(_SQUARE_PX, half_step)[:: 1 if difference >= 0 else -1]
    for place, (x, side) in enumerate(zip(_CENTRES_X, sides, strict=True)):
        half, colour = side // 2, WHITE if place == dark_half else BLACK
        canvas.fill(x - half, _CENTRE_Y - half, x + half, _CENTRE_Y + half, colour)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "ground_polarity": strength,
        "side_difference_nominal_percent": _FULL_PERCENT * difference,
        "side_difference_realised_percent": relative_difference_percent(*sides),
    }
    return drawn("irradiation", moved(pixels, nuisance.shift, "edge"), difference, realised)
