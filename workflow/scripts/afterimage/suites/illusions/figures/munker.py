"""Munker (docs/illusion_figures.md, 4.10): bars of one colour among stripes of two others.

Strength: contrast of the flanking stripes, mixed with #BEBEBE; a negative contrast exchanges their
colours and leaves the bars in place, which is the figure turned by 180 deg. Difference: step
between the bars' colours, from the common colour at 0 to the fake's two colours at 1; positive is
more yellowish on the left in A, on the right in B. Strength 0 has a uniform ground.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas, mirrored, moved
from afterimage.drawing.colour import Colour, from_hexadecimal, mix
from afterimage.suites.illusions.parametric import Look, check, drawn

_SIDE_PX = 672
#: Half a period. Below 4 px at a model's working size the model's own resizing mixes flanker into
#: bar and makes the illusion a physical fact (docs/illusion_figures.md, 4.10).
_STRIPE_PX = 8
_BLUE, _YELLOW = from_hexadecimal("#2846E6"), from_hexadecimal("#FAE632")
_GROUND = from_hexadecimal("#BEBEBE")
_RADIUS_PX = 104
_LEFT_X, _RIGHT_X = 184, 488
#: Whole periods apart, one for each arrangement.
_CENTRES_Y = (336, 288, 384)
#: Common colour, more yellowish fake colour, less yellowish fake colour.
_TARGETS = {
    "A": tuple(map(from_hexadecimal, ("#E03C46", "#E05A34", "#D72D5A"))),
    "B": tuple(map(from_hexadecimal, ("#3CA05A", "#5AA03C", "#2D9B78"))),
}


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the same bars on uniform #BEBEBE."""
    strength, difference, nuisance = check(
        "munker", strength, difference, variant, look, sized=True, arrangements=len(_CENTRES_Y)
    )
    even, odd = (_BLUE, _YELLOW) if strength >= 0 else (_YELLOW, _BLUE)
    even, odd = (mix(_GROUND, flanker, abs(strength)) for flanker in (even, odd))
    left = _bar_colour(nuisance.coloured_as, difference)
    right = _bar_colour(nuisance.coloured_as, -difference)
    canvas = Canvas(even)
    for top in range(_STRIPE_PX, _SIDE_PX, 2 * _STRIPE_PX):
        canvas.fill(0, top, _SIDE_PX, top + _STRIPE_PX, odd)
    radius, y = round(_RADIUS_PX * nuisance.size), _CENTRES_Y[nuisance.arrangement]
    _draw_bars(canvas, (_LEFT_X, y), radius, 0, left)
    _draw_bars(canvas, (_RIGHT_X, y), radius, 1, right)
    pixels = mirrored(canvas.pixels()) if nuisance.is_b else canvas.pixels()
    realised: dict[str, float | str] = {
        "stripe_px": float(_STRIPE_PX),
        "mix_difference_nominal": difference,
        "mix_difference_realised": _realised_mix(nuisance.coloured_as, left, right),
        "more_yellowish_side_colour": left.hexadecimal(),
        "other_side_colour": right.hexadecimal(),
    }
    return drawn("munker", moved(pixels, nuisance.shift, "wrap"), difference, realised)


def _bar_colour(variant: str, difference: float) -> Colour:
    common, yellowish, other = _TARGETS[variant]
    return mix(common, yellowish if difference > 0 else other, abs(difference))


def _realised_mix(variant: str, left: Colour, right: Colour) -> float:
    """Return the rounded colours' difference as a fraction of the fake's."""
    _, yellowish, other = (np.array(colour, dtype=np.float64) for colour in _TARGETS[variant])
    full = yellowish - other
    step = np.array(left, dtype=np.float64) - np.array(right)
    return round(float((step * full).sum() / (full * full).sum()), 6)


def _draw_bars(
    canvas: Canvas, centre: tuple[int, int], radius_px: int, parity: int, colour: Colour
) -> None:
    """Colour every second stripe inside a disc; a pixel belongs to it by its centre."""
    for stripe in range(parity, _SIDE_PX // _STRIPE_PX, 2):
        for row in range(stripe * _STRIPE_PX, (stripe + 1) * _STRIPE_PX):
            room = radius_px * radius_px - (row + 0.5 - centre[1]) ** 2
            if room > 0:
                half = int(np.floor(np.sqrt(room) + 0.5))
                canvas.fill(centre[0] - half, row, centre[0] + half, row + 1, colour)
