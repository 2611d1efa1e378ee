"""Two patches of different vividness, lightness or hue."""

import math

import numpy as np

from afterimage.drawing.colour import Colour
from afterimage.sprout.case import COLOURS, Case, whole
from afterimage.sprout.picture import SIDE, Picture
from afterimage.sprout.places import places
from afterimage.sprout.sketch import Sketch

#: The difference that counts as 1: share of the hue in its mix with grey; levels of grey.
_UNIT_OF_MIX, _UNIT_OF_LEVELS = 0.28, 40.0
#: The yellowness of hues, as the suites' fakes have it at 1: less yellowish, common, more yellowish.
_HUES = {
    "red": ((215, 45, 90), (224, 60, 70), (224, 90, 52)),
    "green": ((45, 155, 120), (60, 160, 90), (90, 160, 60)),
}
_VIVID = ("red", "green", "blue", "orange", "purple")
_MIDDLE = SIDE / 2


def vividness(case: Case, side: int) -> Picture:
    """Two squares of one hue, mixed with grey in different shares, on grey."""
    name = str(case.random.choice(_VIVID))
    hue = np.clip(np.array(COLOURS[name]) + case.random.uniform(-25, 25, 3), 0, 255)
    step = case.difference * _UNIT_OF_MIX / 2
    mean = float(np.clip(case.between(0.25, 0.6), abs(step) + 0.05, 1 - abs(step)))
    grey = np.full(3, case.between(125, 165))
    patches = [whole(grey + (hue - grey) * share) for share in (mean + step, mean - step)]
    return _two_squares(case, side, "vividness", patches, name)


def lightness(case: Case, side: int) -> Picture:
    """Two grey squares, each with a small dot of one colour, on grey."""
    mean = case.between(70, 190)
    step = case.difference * _UNIT_OF_LEVELS / 2 * mean / 120
    patches = [whole(np.full(3, level)) for level in (mean + step, mean - step)]
    return _two_squares(case, side, "lightness", patches, case.names[0], case.colours[0])


def _two_squares(
    case: Case, side: int, kind: str, patches: list[Colour], name: str, dot: Colour | None = None
) -> Picture:
    ground = whole(np.full(3, case.between(120, 190) if case.chance(0.8) else 255.0))
    width, apart = case.between(24, 50), case.between(34, 60)
    x, y = _MIDDLE + case.about(12), _MIDDLE + case.about(24)
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
        places(found),
        words={"colour": name, "first": name, "second": name},
        asked=(kind,),
        sideways=True,
    )


def yellowness(case: Case, side: int) -> Picture:
    """Two discs of one hue, filled or of level stripes, of which one tends to yellow."""
    name = "red" if case.chance(0.5) else "green"
    shift, filled = case.random.uniform(-12, 12, 3), case.chance(0.3)
    diameter, apart = case.between(40, 76), case.between(42, 56)
    half_period = case.between(2, 5)
    ground = whole(np.full(3, case.between(170, 215))) if case.chance(0.8) else case.ground
    x, y = _MIDDLE + case.about(10), _MIDDLE + case.about(16)
    sketch, found = Sketch(side, ground), []
    for sign in (-1, 1):
        colour = whole(_yellower(name, -sign * case.difference / 1.6) + shift)
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
        places(found),
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
    return common + math.fabs(way) * ((more if way > 0 else less) - common)
