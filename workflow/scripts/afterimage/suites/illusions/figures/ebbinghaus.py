"""Ebbinghaus (docs/illusion_figures.md, 4.7): two discs, one among small discs, one among large.

Strength: logarithm of the ratio of the inducers' diameters, 116:28 px at 1, about their geometric
mean; the distance of the inducers from the target goes linearly with their diameter between the
card's two values, their number stays. Difference: diameters of the targets, 20.8 % of their mean at
1, the one among small discs larger. In A that is the left one at positive strength; negative
strengths and B mirror the layout. Strength 0 has no inducers.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, mirrored, moved
from afterimage.drawing.colour import WHITE, grey
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.shapes import Discs
from afterimage.suites.illusions.parametric import Look, check, drawn, relative_difference_percent

_SMALL_AT, _LARGE_AT = (133.0, 336.0), (447.0, 336.0)
_SMALL_COUNT, _LARGE_COUNT = 8, 6
_SMALL_PX, _LARGE_PX = 28.0, 116.0
_SMALL_DISTANCE_PX, _LARGE_DISTANCE_PX = 74.0, 122.0
_INDUCER_COLOUR = grey(0x7F)
_MEAN_PX, _FAKE_STEP_PX = 96.0, 10.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two target discs alone."""
    strength, difference, nuisance = check(
        "ebbinghaus", strength, difference, variant, look, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    share = (1 - abs(strength)) / 2
    small = round(_SMALL_PX ** (1 - share) * _LARGE_PX**share, 6)
    large = round(_SMALL_PX**share * _LARGE_PX ** (1 - share), 6)
    if strength:
        canvas.paint(_surround(_SMALL_AT, _SMALL_COUNT, small), _INDUCER_COLOUR)
        canvas.paint(_surround(_LARGE_AT, _LARGE_COUNT, large), _INDUCER_COLOUR)
    reversed_layout = strength < 0
    step = _FAKE_STEP_PX * (-difference if reversed_layout else difference)
    among_small, among_large = _MEAN_PX + step, _MEAN_PX - step
    canvas.paint(Discs(np.array([_SMALL_AT]), among_small), nuisance.colour)
    canvas.paint(Discs(np.array([_LARGE_AT]), among_large), nuisance.colour)
    pixels = canvas.pixels()
    if reversed_layout != nuisance.is_b:
        pixels = mirrored(pixels)
    full = relative_difference_percent(_MEAN_PX + _FAKE_STEP_PX, _MEAN_PX - _FAKE_STEP_PX)
    realised = {
        "small_inducer_diameter_px": small * nuisance.size if strength else 0.0,
        "large_inducer_diameter_px": large * nuisance.size if strength else 0.0,
        "diameter_difference_nominal_percent": round(full * difference, 6),
        "diameter_difference_realised_percent": relative_difference_percent(
            _MEAN_PX + _FAKE_STEP_PX * difference, _MEAN_PX - _FAKE_STEP_PX * difference
        ),
    }
    return drawn("ebbinghaus", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _surround(centre: tuple[float, float], count: int, diameter_px: float) -> Discs:
    growth = (diameter_px - _SMALL_PX) / (_LARGE_PX - _SMALL_PX)
    distance = _SMALL_DISTANCE_PX + (_LARGE_DISTANCE_PX - _SMALL_DISTANCE_PX) * growth
    angles = np.arange(count) * 360 / count
    direction = np.stack([cosine(angles), sine(angles)], axis=-1)
    return Discs(np.array(centre) + distance * direction, diameter_px)
