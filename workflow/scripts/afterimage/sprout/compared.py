"""Two targets compared: by length, by size, by bend, by direction or place, by vividness, lightness or hue."""

import math

import numpy as np

from afterimage.drawing.colour import BLACK, Colour
from afterimage.sprout.picture import (
    COLOURS,
    MIDDLE,
    SIDE,
    Case,
    Picture,
    Sketch,
    bowed,
    rounded_colour,
    scaled_places,
)

#: The difference that counts as 1, as a share of the mean: that of the suites' fakes.
_UNIT_OF_LENGTHS, _UNIT_OF_OBLIQUE_LENGTHS = 0.2, 0.19


def lengths_beside(case: Case, side: int) -> Picture:
    return _parallel(case, side, "lengths_beside", math.pi / 2)


def lengths_above(case: Case, side: int) -> Picture:
    return _parallel(case, side, "lengths_above", 0.0)


def _parallel(case: Case, side: int, kind: str, angle: float) -> Picture:
    upright, by_colour = angle > 0, case.chance(0.35)
    step = case.difference * _UNIT_OF_LENGTHS / 2
    mean = min(case.between(70, 145), 196 / (1 + abs(step)))
    width, apart = case.between(1.5, 3), case.between(24, 44)
    slip = case.about(4) if case.chance(0.2) else 0.0
    along, across = MIDDLE + case.about(12), MIDDLE + case.about(10)
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
        scaled_places(found),
        words={**case.named(by_colour), "noun": "line"},
        asked=("lengths_by_colour",) if by_colour else (kind,),
        sideways=upright,
        upright=not upright,
    )


def lengths_oblique(case: Case, side: int) -> Picture:
    step = case.difference * _UNIT_OF_OBLIQUE_LENGTHS / 2
    mean, width = case.between(80, 110), case.between(1.5, 3)
    angle, downward = case.between(0.6, 0.9), case.chance(0.2)
    meeting, level = case.chance(0.8), case.chance(0.7)
    x, y = MIDDLE + case.about(18), MIDDLE + case.about(10) + (-30 if downward else 30)
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
        scaled_places(found),
        words={**case.named(True), "noun": "line"},
        asked=("lengths_by_colour",),
        sideways=True,
    )


#: The same of sizes.
_UNIT_OF_SIZES, _UNIT_OF_ARCHES = 0.2, 0.16


def discs_and_squares(case: Case, side: int) -> Picture:
    by_colour = case.chance(0.3)
    noun = "circle" if case.chance(0.75) else "square"
    step = case.difference * _UNIT_OF_SIZES / 2
    diameter = case.between(20, 50)
    apart = case.between(max(36.0, 0.675 * diameter + 3), 60)
    x, y = MIDDLE + case.about(18), MIDDLE + case.about(20)
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
        scaled_places(found),
        words={**case.named(by_colour), "noun": noun},
        asked=("sizes_by_colour",) if by_colour else ("sizes_beside",),
        sideways=True,
    )


def arches(case: Case, side: int) -> Picture:
    step = case.difference * _UNIT_OF_ARCHES / 2
    sizes = (1 + step, 1 - step)
    half, gap = case.between(0.4, 0.75), case.between(3, 14)
    radius, thickness = case.between(110, 170) / 2, case.between(18, 36) / 2
    reach = (radius + thickness) * math.sin(half)
    fit = min(1.0, 98 / (2 * reach + gap))
    radius, thickness, reach = radius * fit, thickness * fit, reach * fit
    x, crown, upside_down = MIDDLE + case.about(6), case.between(72, 120), case.chance(0.5)
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
        scaled_places(found),
        words={**case.named(True), "noun": "figure"},
        asked=("sizes_by_colour",),
        sideways=True,
    )


#: The difference that counts as 1: the sagitta of lines 187 long and of sides 116 long (of 224).
_UNIT_OF_LINES, _UNIT_OF_SIDES = 6.0, 4.7


def bends(case: Case, side: int) -> Picture:
    """Two lines, lying or upright; ``FIRST``: bowed away from each other."""
    length, width = case.between(140, 205), case.between(1.4, 3)
    sagitta = case.difference * _UNIT_OF_LINES * length / 187
    apart = max(case.between(14, 28), abs(sagitta) + 4)
    angle = 0.0 if case.chance(0.5) else math.pi / 2
    x, y = MIDDLE + case.about(6), MIDDLE + case.about(8)
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
        scaled_places(found),
        words=case.named(False),
        asked=("bends",),
    )


def bends_of_squares(case: Case, side: int) -> Picture:
    """A square, upright or on its corner; ``FIRST``: its sides are bowed inward."""
    half, width = case.between(42, 70), case.between(1.4, 3)
    turn = float(case.random.choice((0.0, math.pi / 4)))
    turn += case.about(0.1) if case.chance(0.3) else 0.0
    sagitta = case.difference * _UNIT_OF_SIDES * half / 58
    x, y = (MIDDLE + case.about(8) for _ in range(2))
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
        scaled_places([(x, y, 2 * half, math.degrees(turn)), (MIDDLE, MIDDLE, sagitta * 10, 0.0)]),
        words=case.named(False),
        asked=("bends_of_squares", "bends_of_squares_directed"),
        in_order=True,
    )


#: The difference that counts as 1: convergence in radians; way of the dot in a rectangle 174 high (of 224).
_UNIT_OF_ANGLE, _UNIT_OF_PLACE = 0.08, 10.7
_DIRECTIONS = (0.0, 0.0, 0.0, math.pi / 4, math.pi / 2, -math.pi / 4)


def parallels(case: Case, side: int) -> Picture:
    """Two lines in any direction; ``FIRST``: they come closer toward its end."""
    converging = case.difference * _UNIT_OF_ANGLE
    length, width = case.between(130, 205), case.between(1.2, 2.6)
    turn = float(case.random.choice(_DIRECTIONS))
    turn += case.about(0.08) if case.chance(0.4) else 0.0
    apart = max(case.between(9, 20), length / 2 * abs(math.tan(converging / 2)) + 2)
    x, y = MIDDLE + case.about(6), MIDDLE + case.about(6)
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
        scaled_places(found),
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
    x, y = MIDDLE + case.about(7), MIDDLE + case.about(8)
    dot_x = x + (case.about(20) if case.chance(0.3) else 0.0)
    sketch = Sketch(side, case.ground)
    sketch.frame(x, y, (half_width, half_height), case.between(1, 2.5), BLACK)
    sketch.disc(dot_x, y - rise, case.between(5.5, 9), case.colours[0])
    return Picture(
        sketch.pixels(),
        "halves",
        case.category,
        case.difference,
        scaled_places([(x, y, 2 * half_height, 0.0), (dot_x, y - rise, 0.0, 0.0)]),
        words=case.named(False),
        asked=("halves",),
        upright=True,
        in_order=True,
    )


#: The difference that counts as 1: share of the hue in its mix with grey; levels of grey.
_UNIT_OF_MIX, _UNIT_OF_LEVELS = 0.28, 40.0
#: The yellowness of hues, as the suites' fakes have it at 1: less yellowish, common, more yellowish.
_HUES = {
    "red": ((215, 45, 90), (224, 60, 70), (224, 90, 52)),
    "green": ((45, 155, 120), (60, 160, 90), (90, 160, 60)),
}
_VIVID = ("red", "green", "blue", "orange", "purple")


def vividness(case: Case, side: int) -> Picture:
    name = str(case.random.choice(_VIVID))
    hue = np.clip(np.array(COLOURS[name]) + case.random.uniform(-25, 25, 3), 0, 255)
    step = case.difference * _UNIT_OF_MIX / 2
    mean = float(np.clip(case.between(0.25, 0.6), abs(step) + 0.05, 1 - abs(step)))
    grey = np.full(3, case.between(125, 165))
    patches = [rounded_colour(grey + (hue - grey) * share) for share in (mean + step, mean - step)]
    return _two_squares(case, side, "vividness", patches, name)


def lightness(case: Case, side: int) -> Picture:
    mean = case.between(70, 190)
    step = case.difference * _UNIT_OF_LEVELS / 2 * mean / 120
    patches = [rounded_colour(np.full(3, level)) for level in (mean + step, mean - step)]
    return _two_squares(case, side, "lightness", patches, case.names[0], case.colours[0])


def _two_squares(
    case: Case, side: int, kind: str, patches: list[Colour], name: str, dot: Colour | None = None
) -> Picture:
    ground = rounded_colour(np.full(3, case.between(120, 190) if case.chance(0.8) else 255.0))
    width, apart = case.between(24, 50), case.between(34, 60)
    x, y = MIDDLE + case.about(12), MIDDLE + case.about(24)
    sketch, found = Sketch(side, ground), []
    for sign, patch in zip((-1, 1), patches, strict=True):
        at = (x + sign * apart, y + case.about(1))
        sketch.square(*at, width, patch)
        if dot:
            sketch.disc(*at, case.between(3.6, 6), dot)
        found.append((*at, width, float(np.mean(patch))))
    return Picture(
        sketch.pixels(),
        kind,
        case.category,
        case.difference,
        scaled_places(found),
        words={"colour": name, "first": name, "second": name},
        asked=(kind,),
        sideways=True,
    )


def yellowness(case: Case, side: int) -> Picture:
    name = "red" if case.chance(0.5) else "green"
    shift, filled = case.random.uniform(-12, 12, 3), case.chance(0.3)
    diameter, apart = case.between(40, 76), case.between(42, 56)
    half_period = case.between(2, 5)
    ground = rounded_colour(np.full(3, case.between(170, 215))) if case.chance(0.8) else case.ground
    x, y = MIDDLE + case.about(10), MIDDLE + case.about(16)
    sketch, found = Sketch(side, ground), []
    for sign in (-1, 1):
        colour = rounded_colour(_yellower(name, -sign * case.difference / 1.6) + shift)
        if filled:
            sketch.disc(x + sign * apart, y, diameter, colour)
        else:
            phase = case.between(0, half_period)
            sketch.stripes(x + sign * apart, y + phase, diameter, half_period, colour)
        found.append((x + sign * apart, y, diameter, float(colour.green - colour.blue)))
    return Picture(
        sketch.pixels(),
        "yellowness",
        case.category,
        case.difference,
        scaled_places(found),
        words={
            "colour": name,
            "first": name,
            "second": name,
            "noun": "discs" if filled else "bars",
        },
        asked=("yellowness",),
        sideways=True,
    )


def _yellower(name: str, way: float) -> np.ndarray:
    """Return a hue moved toward yellow (positive) or away from it; 1 is the suites' colour of a fake."""
    less, common, more = (np.array(values, dtype=float) for values in _HUES[name])
    hue: np.ndarray = common + math.fabs(way) * ((more if way > 0 else less) - common)
    return hue
