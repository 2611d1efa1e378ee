"""Two lines, or the four sides of a square, that are straight or bowed."""

import math

import numpy as np

from afterimage.sprout.case import Case
from afterimage.sprout.picture import SIDE, Picture
from afterimage.sprout.places import places
from afterimage.sprout.sketch import Sketch, bowed

#: The difference that counts as 1: the sagitta of lines 187 long and of sides 116 long (of 224).
_UNIT_OF_LINES, _UNIT_OF_SIDES = 6.0, 4.7
_MIDDLE = SIDE / 2


def bends(case: Case, side: int) -> Picture:
    """Two lines, lying or upright; ``FIRST``: bowed away from each other."""
    length, width = case.between(140, 205), case.between(1.4, 3)
    sagitta = case.difference * _UNIT_OF_LINES * length / 187
    apart = max(case.between(14, 28), abs(sagitta) + 4)
    angle = 0.0 if case.chance(0.5) else math.pi / 2
    x, y = _MIDDLE + case.about(6), _MIDDLE + case.about(8)
    sketch, found = Sketch(side, case.ground), []
    for sign in (-1, 1):
        at = (y + sign * apart, x) if angle else (x, y + sign * apart)
        outward = sign * sagitta if angle else -sign * sagitta
        if case.category == 2:
            sketch.bar(*at, length, width, angle, case.colours[0])
        else:
            sketch.path(bowed(at, length, angle, outward), width, case.colours[0])
        found.append((*at, length, sagitta))
    return Picture(
        sketch.pixels(),
        "bends",
        case.category,
        case.difference,
        places(found),
        words=case.named(False),
        asked=("bends",),
    )


def bends_of_squares(case: Case, side: int) -> Picture:
    """A square, upright or on its corner; ``FIRST``: its sides are bowed inward."""
    half, width = case.between(42, 70), case.between(1.4, 3)
    turn = float(case.random.choice((0.0, math.pi / 4)))
    turn += case.about(0.1) if case.chance(0.3) else 0.0
    sagitta = case.difference * _UNIT_OF_SIDES * half / 58
    x, y = (_MIDDLE + case.about(8) for _ in range(2))
    sides = []
    for quarter in range(4):
        angle = turn + quarter * math.pi / 2
        middle = (x + half * math.sin(angle), y - half * math.cos(angle))
        sides.append(bowed(middle, 2 * half, angle, -sagitta)[:-1])
    corners = np.concatenate(sides) if sagitta else np.stack([points[0] for points in sides])
    sketch = Sketch(side, case.ground)
    sketch.path(corners, width, case.colours[0], closed=True)
    return Picture(
        sketch.pixels(),
        "bends_of_squares",
        case.category,
        case.difference,
        places([(x, y, 2 * half, math.degrees(turn)), (_MIDDLE, _MIDDLE, sagitta * 10, 0.0)]),
        words=case.named(False),
        asked=("bends_of_squares", "bends_of_squares_directed"),
        in_order=True,
    )
