"""Plain scenes: coloured things on a floor."""

import numpy as np

from afterimage.seeing.areas import Area, is_black
from afterimage.seeing.image import Image
from afterimage.suites.illusionbench.observer.seen import Seen

_MOST_THINGS = 8
# What share of its box a thing fills.
_FILLS = {"square": 1.0, "circle": np.pi / 4, "triangle": 0.5}
_LARGEST_DEVIATION = 0.1


def plain_scene(image: Image, areas: list[Area]) -> Seen | None:
    """See a scene: a few things of simple shape that stand on one line, nothing black."""
    if not 2 <= len(areas) <= _MOST_THINGS or is_black(image).any():
        return None
    feet = {area.bottom for area in areas}
    shapes = [_shape(area) for area in areas]
    if max(feet) - min(feet) > 1 or None in shapes:
        return None
    names = [f"{area.hue} {shape}" for area, shape in zip(areas, shapes, strict=True)]
    heights = sorted(area.height for area in areas)
    facts = {
        "kind": "plain_scene",
        "illusion": "absent",
        "cause": "none",
        "count": str(len(areas)),
        "leftmost": names[0],
        "rightmost": names[-1],
        "largest": max(zip(areas, names, strict=True), key=lambda thing: thing[0].height)[1],
        "listed": _listed(names),
    }
    return Seen("plain_scene", facts, 100.0 * (heights[-1] / heights[-2] - 1))


def _shape(area: Area) -> str | None:
    fills = area.area_px / (area.width * area.height)
    shape = min(_FILLS, key=lambda name: abs(_FILLS[name] - fills))
    return shape if abs(_FILLS[shape] - fills) <= _LARGEST_DEVIATION else None


def _listed(names: list[str]) -> str:
    *first, last = (f"a {name}" for name in names)
    return f"{', '.join(first)} and {last}"
