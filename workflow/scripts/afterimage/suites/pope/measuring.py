"""What each drawn scene must measure: every object that its annotations name, found in its pixels alone.

An object that the observer does not find, or finds in another colour or place, is a wrong key or a wrong drawing;
either stops the workflow before anybody is asked about the image. Photographs have no key that pixels could prove.
"""

import json
from collections.abc import Mapping, Sequence

import numpy as np

from afterimage.contract.drawing import Measured
from afterimage.contract.stimulus import is_missing
from afterimage.suites.pope.observer import Seen, inventory, look

#: How far a measured box may lie from the drawn one, px: tips of stars and hearts cover little of their pixels.
TOLERANCE_PX = 3.0


def scene(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Name all objects of a scene (``1 blue car; 2 red ball``) and compare them with its annotations.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), of any size from 128 px.
        factors: ``truth`` and ``boxes`` (see ``figures/scenes.py``); none for an image without annotations.

    Raises:
        AfterimageError: The image shows something else than objects of the 16 classes on paper of one colour.
    """
    seen = look(pixels)
    found = inventory(seen)
    if not factors:
        return Measured(found)
    remark = _difference(seen, found, factors)
    return Measured(found, factors["truth"], not remark, remark)


def photograph(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Note that nothing is measured of a photograph, or that there is none (``image`` is "missing")."""
    return Measured("image_missing" if is_missing(factors) else "photograph")


def _difference(seen: Sequence[Seen], found: str, factors: Mapping[str, str]) -> str:
    """Say what is not as annotated; empty where all is."""
    if found != factors["truth"]:
        return f"found {found}"
    left = list(seen)
    for name, *bbox in json.loads(factors["boxes"]):
        nearest = min(
            (one for one in left if one.name == name), key=lambda one: _distance(one.bbox, bbox)
        )
        left.remove(nearest)
        if _distance(nearest.bbox, bbox) > TOLERANCE_PX:
            shown = ", ".join(f"{value:g}" for value in nearest.bbox)
            return f"found the {name} at ({shown}) and not at ({', '.join(f'{value:g}' for value in bbox)})"
    return ""


def _distance(first: Sequence[float], second: Sequence[float]) -> float:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))
