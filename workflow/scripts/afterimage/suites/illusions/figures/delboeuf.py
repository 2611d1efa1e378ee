"""Delboeuf (docs/illusion_figures.md, 4.9): two discs, one in a close ring, one in a wide ring.

Strength: logarithm of the ratio of the rings' diameters, 280:140 px at 1, about their geometric
mean. Difference: diameters of the discs, 20 % of their mean at 1, the one in the close ring larger.
In A that is the left one at positive strength; negative strengths and B mirror the layout. Strength
0 has no rings.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, mirrored, moved
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.shapes import Discs, Rings
from afterimage.suites.illusions.parametric import Look, check, drawn, relative_difference_percent

_CLOSE_AT, _WIDE_AT = (154.0, 336.0), (448.0, 336.0)
_CLOSE_PX, _WIDE_PX = 140.0, 280.0
_RING_PX = 3
_MEAN_PX, _FAKE_STEP_PX = 100.0, 10.0
_FULL_PERCENT = 20.0


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two discs alone."""
    strength, difference, nuisance = check(
        "delboeuf", strength, difference, variant, look, sized=True
    )
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    share = (1 - abs(strength)) / 2
    close = round(_CLOSE_PX ** (1 - share) * _WIDE_PX**share, 6)
    wide = round(_CLOSE_PX**share * _WIDE_PX ** (1 - share), 6)
    if strength:
        rings = Rings(np.array([_CLOSE_AT, _WIDE_AT]), np.array([close, wide]) / 2, _RING_PX)
        canvas.paint(rings, BLACK)
    reversed_layout = strength < 0
    step = _FAKE_STEP_PX * (-difference if reversed_layout else difference)
    canvas.paint(Discs(np.array([_CLOSE_AT]), _MEAN_PX + step), nuisance.colour)
    canvas.paint(Discs(np.array([_WIDE_AT]), _MEAN_PX - step), nuisance.colour)
    pixels = canvas.pixels()
    if reversed_layout != nuisance.is_b:
        pixels = mirrored(pixels)
    realised = {
        "close_ring_diameter_px": close * nuisance.size if strength else 0.0,
        "wide_ring_diameter_px": wide * nuisance.size if strength else 0.0,
        "diameter_difference_nominal_percent": _FULL_PERCENT * difference,
        "diameter_difference_realised_percent": relative_difference_percent(
            _MEAN_PX + _FAKE_STEP_PX * difference, _MEAN_PX - _FAKE_STEP_PX * difference
        ),
    }
    return drawn("delboeuf", moved(pixels, nuisance.shift, "edge"), difference, realised)
