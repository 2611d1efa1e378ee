"""What each drawn stimulus must measure: what its questions take for true, found in its pixels alone.

A fact that the observer does not find is a wrong drawing or a wrong key; either stops the workflow before anybody is
asked about the image. Of a user's images only the size can be told; what is on them stands in their annotations.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from afterimage.contract.drawing import Measured
from afterimage.errors import AfterimageError
from afterimage.suites.illusionbench.names import joined, parted
from afterimage.suites.illusionbench.observer import measure
from afterimage.suites.illusionbench.observer.seen import Seen

#: What the two sizes or shades of an image may differ by, percent: equal by construction; really different by 15 to 25
#: percent, up to half a percent that rounding to whole pixels and the measuring take.
_DIFFERENCE = {"classical": (0.0, 0.5), "trap": (14.5, 25.5)}
#: What the largest thing of a scene may exceed the next by, percent: what the scene's difficulty says.
_SCENE_DIFFERENCE = {"easy": (25.0, 60.0), "neutral": (18.0, 25.0), "hard": (14.5, 18.0)}
#: Of a colour plate: the colour difference of its two kinds of dots, and that neither brightness nor size parts them.
_PLATE = {
    "colour_difference_ciede2000": (14.0, 45.0),
    "lighter_share": (0.4, 0.6),
    "larger_share": (0.4, 0.6),
}


def drawn(pixels: np.ndarray, factors: Mapping[str, str]) -> list[Measured]:
    """Measure an image of the drawn set and compare it with what its questions take for true.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``category``, ``difficulty``, and ``facts`` that the image has to show; nothing where only its facts
            are wanted.

    Raises:
        AfterimageError: Nothing is expected of the image, and it is none that the suite draws.
    """
    if not factors:
        return [Measured(joined(measure(pixels).facts))]
    return list(_compared(pixels, factors))


def size(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Note the size of a user's image, of which nothing has to hold."""
    height, width, _ = pixels.shape
    return _measured(factors, "size_px", f"{width}x{height}", "none: not drawn here", True)


def _compared(pixels: np.ndarray, factors: Mapping[str, str]) -> Iterator[Measured]:
    expected = parted(factors["facts"])
    try:
        seen = measure(pixels)
    except AfterimageError:
        yield _measured(factors, "shows", "", joined(expected), False)
        return
    # Some facts are not to be seen: what else a question offers, how it is worded.
    wanted = {name: value for name, value in expected.items() if name in seen.facts}
    found = {name: seen.facts[name] for name in wanted}
    yield _measured(factors, "shows", joined(found), joined(wanted), found == wanted)
    for name, value, (low, high) in _limited(factors, seen):
        limit = f"{low:g} to {high:g}"
        yield _measured(factors, name, f"{value:.4f}", limit, low <= value <= high)


def _limited(
    factors: Mapping[str, str], seen: Seen
) -> Iterator[tuple[str, float, tuple[float, float]]]:
    if seen.difference_percent is not None:
        is_scene = factors["category"] == "no_illusion"
        limits = (
            _SCENE_DIFFERENCE[factors["difficulty"]]
            if is_scene
            else _DIFFERENCE[factors["category"]]
        )
        yield "difference_percent", seen.difference_percent, limits
    for name, limits in _PLATE.items():
        if name in seen.numbers:
            yield name, seen.numbers[name], limits


def _measured(
    factors: Mapping[str, str], feature: str, value: str, limit: str, holds: bool
) -> Measured:
    remark = "" if holds else f"found {value or 'nothing that can be measured'}"
    columns = {
        "category": factors["category"],
        "feature": feature,
        "value": value,
        "limit": limit,
        "holds": holds,
        "remark": remark,
    }
    return Measured(value, limit, holds, f"{feature}: {remark}", columns)
