"""Two discs, squares or arches of different sizes."""

import math

import numpy as np

from afterimage.sprout.case import Case
from afterimage.sprout.picture import SIDE, Picture
from afterimage.sprout.places import places
from afterimage.sprout.sketch import Sketch

#: The difference that counts as 1, as a share of the mean: that of the suites' fakes.
_UNIT, _UNIT_OF_ARCHES = 0.2, 0.16
_MIDDLE = SIDE / 2


def discs_and_squares(case: Case, side: int) -> Picture:
    """Two discs or two squares side by side, of one colour or of two."""
    by_colour = case.chance(0.3)
    noun = "circle" if case.chance(0.75) else "square"
    step = case.difference * _UNIT / 2
    diameter = case.between(20, 50)
    apart = case.between(max(36.0, 0.675 * diameter + 3), 60)
    x, y = _MIDDLE + case.about(18), _MIDDLE + case.about(20)
    sketch, found = Sketch(side, case.ground), []
    for sign, size in ((-1, 1 + step), (1, 1 - step)):
        at = (x + sign * apart, y + case.about(1.5))
        colour = case.colours[1 if by_colour and sign > 0 else 0]
        if noun == "circle":
            sketch.disc(*at, diameter * size, colour)
        else:
            sketch.square(*at, diameter * size * 0.9, colour)
        found.append((*at, diameter * size, 0.0))
    return Picture(
        sketch.pixels(),
        "discs_and_squares",
        case.category,
        case.difference,
        places(found),
        words={**case.named(by_colour), "noun": noun},
        asked=("sizes_by_colour",) if by_colour else ("sizes_beside",),
        sideways=True,
    )


def arches(case: Case, side: int) -> Picture:
    """Two arches of two colours side by side, both opening downward or both upward."""
    step = case.difference * _UNIT_OF_ARCHES / 2
    sizes = (1 + step, 1 - step)
    half, gap = case.between(0.4, 0.75), case.between(3, 14)
    radius, thickness = case.between(110, 170) / 2, case.between(18, 36) / 2
    reach = (radius + thickness) * math.sin(half)
    fit = min(1.0, 98 / (2 * reach + gap))
    radius, thickness, reach = radius * fit, thickness * fit, reach * fit
    x, crown, upside_down = _MIDDLE + case.about(6), case.between(72, 120), case.chance(0.5)
    level_at_crown = case.chance(0.7)
    sketch, found = Sketch(side, case.ground), []
    for sign, size, colour in zip((-1, 1), sizes, case.colours, strict=True):
        inner, outer = (radius - thickness) * size, (radius + thickness) * size
        at = x + sign * (reach * size + gap / 2)
        height = outer - inner * math.cos(half)
        top = crown if level_at_crown else crown + (thickness * 2 - height) / 2
        sketch.arch((at, top + outer), (inner, outer), half, colour)
        middle = top + height / 2
        found.append((at, SIDE - middle if upside_down else middle, 2 * reach * size, 0.0))
    return Picture(
        np.ascontiguousarray(sketch.pixels(upside_down)),
        "arches",
        case.category,
        case.difference,
        places(found),
        words={**case.named(True), "noun": "figure"},
        asked=("sizes_by_colour",),
        sideways=True,
    )
