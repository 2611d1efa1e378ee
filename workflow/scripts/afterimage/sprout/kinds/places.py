"""Two lines that are parallel or not, and a dot that halves a rectangle or not."""

import math

from afterimage.drawing.colour import BLACK
from afterimage.sprout.case import Case
from afterimage.sprout.picture import SIDE, Picture
from afterimage.sprout.places import places
from afterimage.sprout.sketch import Sketch

#: The difference that counts as 1: convergence in radians; way of the dot in a rectangle 174 high (of 224).
_UNIT_OF_ANGLE, _UNIT_OF_PLACE = 0.08, 10.7
_MIDDLE = SIDE / 2
_DIRECTIONS = (0.0, 0.0, 0.0, math.pi / 4, math.pi / 2, -math.pi / 4)


def parallels(case: Case, side: int) -> Picture:
    """Two lines in any direction; ``FIRST``: they come closer toward its end."""
    converging = case.difference * _UNIT_OF_ANGLE
    length, width = case.between(130, 205), case.between(1.2, 2.6)
    turn = float(case.random.choice(_DIRECTIONS))
    turn += case.about(0.08) if case.chance(0.4) else 0.0
    apart = max(case.between(9, 20), length / 2 * abs(math.tan(converging / 2)) + 2)
    x, y = _MIDDLE + case.about(6), _MIDDLE + case.about(6)
    sketch, found = Sketch(side, case.ground), []
    for sign in (-1, 1):
        at = (x - sign * apart * math.sin(turn), y + sign * apart * math.cos(turn))
        angle = turn - sign * converging / 2
        sketch.bar(*at, length, width, angle, case.colours[0])
        found.append((*at, length, math.degrees(angle)))
    level, falling, upright = abs(turn) < 0.2, 0.6 < turn < 1.0, turn > 1.2
    return Picture(
        sketch.pixels(),
        "parallels",
        case.category,
        case.difference,
        places(found),
        words=case.named(False),
        asked=("parallel", "closer") if level else ("parallel",),
        sideways=not upright,
        upright=upright,
        unmirrored=("closer_at_an_end",) if falling else (),
    )


def halves(case: Case, side: int) -> Picture:
    """A dot in a black rectangle; ``FIRST``: nearer to its top."""
    half_width, half_height = case.between(45, 90), case.between(60, 95)
    rise = case.difference * _UNIT_OF_PLACE * half_height / 87
    x, y = _MIDDLE + case.about(7), _MIDDLE + case.about(8)
    dot_x = x + (case.about(20) if case.chance(0.3) else 0.0)
    sketch = Sketch(side, case.ground)
    sketch.frame(x, y, (half_width, half_height), case.between(1, 2.5), BLACK)
    sketch.disc(dot_x, y - rise, case.between(5.5, 9), case.colours[0])
    return Picture(
        sketch.pixels(),
        "halves",
        case.category,
        case.difference,
        places([(x, y, 2 * half_height, 0.0), (dot_x, y - rise, 0.0, 0.0)]),
        words=case.named(False),
        asked=("halves",),
        upright=True,
        in_order=True,
    )
