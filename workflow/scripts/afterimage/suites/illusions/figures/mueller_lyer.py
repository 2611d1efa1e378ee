"""Mueller-Lyer (docs/illusion_figures.md, 4.3): two shafts, one with fins out, one with fins in.

Strength: projection of the fins on the shaft's line, 68.8 px at 1 (84 px at 35 deg); the fins keep
their length of 84 px and turn, so that they would stand upright at 0. Negative strength exchanges
fins out and fins in. Difference: length of the shafts, 20 % of their mean at 1, longer with fins
out. In A the upper shaft has its fins out at positive strength; B is that figure turned: fins in
left, out right.
"""

import math
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, flipped, moved, quarter_turned
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.geometry import cosine
from afterimage.drawing.shapes import Strokes
from afterimage.suites.illusions.parametric import (
    Look,
    check,
    drawn,
    even_lengths_px,
    relative_difference_percent,
    whole_tens_px,
)

_CENTRE_X = 336
_CENTRE_Y, _FROM_CENTRE_PX = 336, 108
#: The lengths at a size are whole and even where these are multiples of 20.
_MEAN_PX, _FAKE_STEP = 300, 0.1
_WIDTH_PX = 6
_FIN_PX, _FIN_DEG = 84, 35.0
_FULL_PERCENT = 20.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two shafts alone."""
    strength, difference, nuisance = check(
        "mueller_lyer", strength, difference, variant, look, sized=True
    )
    mean_px = whole_tens_px("mueller_lyer", _MEAN_PX, nuisance.size)
    heights = [_CENTRE_Y + round(side * _FROM_CENTRE_PX * nuisance.size) for side in (-1, 1)]
    fin_px = _FIN_PX * nuisance.size
    upper, lower = even_lengths_px(mean_px, _FAKE_STEP * mean_px * difference)
    projection = fin_px * float(cosine(_FIN_DEG)) * strength
    canvas = Canvas(WHITE)
    if strength:
        for y, length_px, outward in zip(heights, (upper, lower), (1, -1), strict=True):
            canvas.paint(_fins(y, length_px, fin_px, outward * projection), BLACK)
    for y, length_px in zip(heights, (upper, lower), strict=True):
        left, top = _CENTRE_X - length_px // 2, y - _WIDTH_PX // 2
        canvas.fill(left, top, left + length_px, top + _WIDTH_PX, nuisance.colour)
    pixels = canvas.pixels()
    if nuisance.is_b:
        pixels = quarter_turned(flipped(pixels))
    realised = {
        "fin_projection_px": round(projection, 6),
        "length_difference_nominal_percent": _FULL_PERCENT * difference,
        "length_difference_realised_percent": relative_difference_percent(upper, lower),
    }
    return drawn("mueller_lyer", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _fins(y: int, length_px: int, fin_px: float, projection: float) -> Strokes:
    """Return the four fins of a shaft; positive projections point away from it."""
    height = math.sqrt(fin_px * fin_px - projection * projection)
    starts, ends = [], []
    for side in (-1, 1):
        for direction in (-1, 1):
            x = _CENTRE_X + side * length_px / 2
            starts.append((x, y))
            ends.append((x + side * projection, y + direction * height))
    return Strokes(np.array(starts), np.array(ends), _WIDTH_PX)
