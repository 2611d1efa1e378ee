"""Two lines of different lengths."""

import math

from afterimage.sprout.case import Case
from afterimage.sprout.picture import SIDE, Picture
from afterimage.sprout.places import places
from afterimage.sprout.sketch import Sketch

#: The difference that counts as 1, as a share of the mean: that of the suites' fakes.
_UNIT, _UNIT_OBLIQUE = 0.2, 0.19
_MIDDLE = SIDE / 2


def lengths_beside(case: Case, side: int) -> Picture:
    """Two upright lines side by side."""
    return _parallel(case, side, "lengths_beside", math.pi / 2)


def lengths_above(case: Case, side: int) -> Picture:
    """Two lying lines, one above the other."""
    return _parallel(case, side, "lengths_above", 0.0)


def _parallel(case: Case, side: int, kind: str, angle: float) -> Picture:
    upright, by_colour = angle > 0, case.chance(0.35)
    step = case.difference * _UNIT / 2
    mean = min(case.between(70, 145), 196 / (1 + abs(step)))
    width, apart = case.between(1.5, 3), case.between(24, 44)
    slip = case.about(4) if case.chance(0.2) else 0.0
    along, across = _MIDDLE + case.about(12), _MIDDLE + case.about(10)
    sketch, found = Sketch(side, case.ground), []
    for sign, size in ((-1, 1 + step), (1, 1 - step)):
        at = (along + slip * sign, across + sign * apart)
        x, y = at[::-1] if upright else at
        colour = case.colours[1 if by_colour and sign > 0 else 0]
        sketch.bar(x, y, mean * size, width, angle, colour)
        found.append((x, y, mean * size, 0.0))
    return Picture(
        sketch.pixels(),
        kind,
        case.category,
        case.difference,
        places(found),
        words={**case.named(by_colour), "noun": "line"},
        asked=("lengths_by_colour",) if by_colour else (kind,),
        sideways=upright,
        upright=not upright,
    )


def lengths_oblique(case: Case, side: int) -> Picture:
    """Two lines of two colours that lean against each other: apart, or meeting in a V or an inverted V."""
    step = case.difference * _UNIT_OBLIQUE / 2
    mean, width = case.between(80, 110), case.between(1.5, 3)
    angle, downward = case.between(0.6, 0.9), case.chance(0.2)
    meeting, level = case.chance(0.8), case.chance(0.7)
    x, y = _MIDDLE + case.about(18), _MIDDLE + case.about(10) + (-30 if downward else 30)
    sketch, found = Sketch(side, case.ground), []
    for sign, size, colour in zip((-1, 1), (1 + step, 1 - step), case.colours, strict=True):
        length = mean * size
        foot = x if meeting else x + sign * case.between(6, 14)
        # With level ends the longer one leans further, as the diagonals of a parallelogram's parts do.
        lean = math.asin(min(0.98, math.sin(angle) * mean / length)) if level else angle
        dx, dy = sign * math.cos(lean) * length, math.sin(lean) * length * (1 if downward else -1)
        sketch.bar(foot + dx / 2, y + dy / 2, length, width, math.atan2(dy, dx), colour)
        found.append((foot + dx / 2, y + dy / 2, length, 0.0))
    return Picture(
        sketch.pixels(),
        "lengths_oblique",
        case.category,
        case.difference,
        places(found),
        words={**case.named(True), "noun": "line"},
        asked=("lengths_by_colour",),
        sideways=True,
    )
