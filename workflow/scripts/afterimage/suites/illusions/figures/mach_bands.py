"""Mach bands (docs/illusion_figures.md, 4.23): an even stripe looks lighter beside its darker neighbour.

Strength: 1 has eight stripes side by side, lighter from left to right; 0 has white between them; nothing is in between
or opposite. Difference: fall of the level across each stripe from its left to its right end, 16 levels at 1, the mean
kept; positive falls as it looks to in A. B: mirrored.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import WHITE, grey_pixels, to_levels
from afterimage.errors import AfterimageError
from afterimage.suites.illusions.parametric import Look, check, drawn

STRENGTHS = (0.0, 1.0)
_LEFT_PX, _TOP_PX, BOTTOM_PX = 48, 96, 576
_STRIPE_PX, _GAP_PX = 72, 12
_LEVELS = range(60, 229, 24)
_FULL_LEVELS = 16.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 has white between the stripes, any other than 0 and 1 is an error."""
    strength, difference, nuisance = check("mach_bands", strength, difference, variant, look)
    if strength not in STRENGTHS:
        raise AfterimageError(f"mach_bands: strength is {strength:g}, expected 0 or 1.")
    canvas = Canvas(WHITE)
    cut = 0 if strength else _GAP_PX // 2
    places = (np.arange(_STRIPE_PX) + 0.5 - _STRIPE_PX / 2)[cut : _STRIPE_PX - cut]
    slopes = []
    for number, level in enumerate(_LEVELS):
        row = to_levels(level - _FULL_LEVELS * difference * places / _STRIPE_PX)
        left = _LEFT_PX + _STRIPE_PX * number + cut
        canvas.place(left, _TOP_PX, grey_pixels(row[None]), BOTTOM_PX - _TOP_PX)
        slopes.append(float(np.polyfit(places, row, 1)[0]))
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised = {
        "stripe_px": float(len(places)),
        "fall_nominal_levels": _FULL_LEVELS * difference,
        "fall_realised_levels": round(-_STRIPE_PX * float(np.mean(slopes)), 6) + 0.0,
    }
    return drawn("mach_bands", moved(pixels, nuisance.shift, "edge"), difference, realised)
