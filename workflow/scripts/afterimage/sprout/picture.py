"""What a training picture is, and how it is mirrored."""

from dataclasses import dataclass, replace

import numpy as np

#: Coordinates of kinds and pictures: the side of every picture is this long, whatever its pixels.
SIDE = 224.0

#: What is true of the two targets: the first of them (left, upper, outward, top) has more, the second, or neither.
FIRST, SECOND, NEITHER = 0, 1, 2

#: Most categories of a kind: letters.
CATEGORIES = 26


@dataclass(frozen=True)
class Picture:
    """Targets on a plain ground, with what is true of them.

    Attributes:
        pixels: Shape (side, side, 3), uint8.
        kind: Name of the kind (``kinds.KINDS``).
        category: ``FIRST``, ``SECOND`` or ``NEITHER``; where something is named, the place of its name in ``names``.
        difference: Signed difference in the kind's unit; 0 exactly where neither has more or nothing is compared.
        places: Where the two targets are and what is measured of them, four numbers each, about -1..1: what the eye
            is taught beside the answer.
        words: What questions call things: ``colour``, ``first`` and ``second`` (colours of the targets), ``noun``.
        asked: Names of the question forms that fit (``resources/prompts/sprout.yaml``).
        unmirrored: Forms that fit as long as the picture is as drawn.
        sideways, upright: Whether the targets change their order when the picture is mirrored left to right, or
            top to bottom.
        in_order: Whether ``places`` keeps its order all the same, where it is not that of two equal targets.
        names: What the categories are called, where nothing is compared.
        mirrors: Whether the picture may be mirrored: a letter would be another, or none.
    """

    pixels: np.ndarray
    kind: str
    category: int
    difference: float
    places: np.ndarray
    words: dict[str, str]
    asked: tuple[str, ...]
    sideways: bool = False
    upright: bool = False
    in_order: bool = False
    unmirrored: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    mirrors: bool = True


def mirrored(picture: Picture, axis: int) -> Picture:
    """Return a picture mirrored left to right (``axis`` 1) or top to bottom (0), with what is then true.

    A letter is returned as it is.
    """
    if not picture.mirrors:
        return picture
    sign = np.ones(8, np.float32)
    sign[[0, 4] if axis == 1 else [1, 5]] = -1
    places, pixels = picture.places * sign, np.flip(picture.pixels, axis)
    if not (picture.sideways if axis == 1 else picture.upright):
        return replace(picture, pixels=pixels, places=places, unmirrored=())
    words = dict(picture.words)
    words["first"], words["second"] = words["second"], words["first"]
    return replace(
        picture,
        pixels=pixels,
        category={FIRST: SECOND, SECOND: FIRST}.get(picture.category, NEITHER),
        difference=-picture.difference,
        places=places if picture.in_order else np.roll(places, 4),
        words=words,
        unmirrored=(),
    )
