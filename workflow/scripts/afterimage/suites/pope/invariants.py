"""What each drawn scene must measure: every object that its annotations name, found in its pixels alone.

An object that the observer does not find, or finds in another colour or place, is a wrong key or a wrong drawing;
either stops the workflow before anybody is asked about the image. Photographs have no key that pixels could prove.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.pope.names import NESTED, SCENES, require_figure
from afterimage.suites.pope.observer import Seen, inventory, look

__all__ = ["measure_stimulus", "measure_value", "require_figure", "require_native"]

#: How far a measured box may lie from the drawn one, px: tips of stars and hearts cover little of their pixels.
TOLERANCE_PX = 3.0

_DRAWN = (SCENES, NESTED)
NOT_MEASURED = "photograph"
IMAGE_MISSING = "image_missing"


def measure_value(figure: str, image: np.ndarray) -> str:
    """Name all objects of an image: ``1 blue car; 2 red ball``.

    Args:
        figure: ``scenes`` or ``nested``.
        image: uint8 RGB, shape (height, width, 3), of any size from 128 px.

    Raises:
        AfterimageError: The figure is unknown or holds photographs, or the image shows something else than objects of
            the 16 classes on paper of one colour.
    """
    require_figure(figure)
    if figure not in _DRAWN:
        raise AfterimageError(
            f"figure '{figure}' holds photographs, which cannot be measured; expected {' or '.join(_DRAWN)}."
        )
    return inventory(look(image))


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Measure a stimulus and compare it with its annotations.

    Args:
        figure: Name of the figure.
        stimulus_id: Id of the stimulus, for the row.
        factors: Of a drawn scene ``truth`` and ``boxes`` (see ``stimuli.py``); of a photograph ``image``.
        pixels: uint8 RGB, shape (height, width, 3).

    Returns:
        One row: ``stimulus_id``, ``figure``, ``width_px``, ``height_px``, ``value``, ``expected``, ``holds`` and
        ``remark`` (empty where it holds). Of a photograph nothing is measured and ``holds`` is true.

    Raises:
        AfterimageError: The figure is unknown.
    """
    require_figure(figure)
    height, width = pixels.shape[:2]
    row = {"stimulus_id": stimulus_id, "figure": figure, "width_px": width, "height_px": height}
    if figure not in _DRAWN:
        missing = factors["image"] == "missing"
        value = IMAGE_MISSING if missing else NOT_MEASURED
        return [{**row, "value": value, "expected": "", "holds": True, "remark": ""}]
    value, remark = "", ""
    try:
        seen = look(pixels)
    except AfterimageError as error:
        remark = str(error)
    else:
        value = inventory(seen)
        remark = _difference(seen, factors)
    return [
        {**row, "value": value, "expected": factors["truth"], "holds": not remark, "remark": remark}
    ]


def require_native(rows: Iterable[Mapping]) -> None:
    """Check that every scene shows what its annotations say.

    Args:
        rows: Rows of :func:`measure_stimulus`.

    Raises:
        AfterimageError: One does not; names the image, what was found and what was expected.
    """
    violations = [row for row in rows if not row["holds"]]
    if violations:
        first = violations[0]
        others = (
            f" ({len(violations) - 1} more images differ from theirs)" if violations[1:] else ""
        )
        raise AfterimageError(
            f"{first['stimulus_id']}.png: {first['remark'].rstrip('.')}, expected {first['expected']}{others}."
        )


def _difference(seen: Sequence[Seen], factors: Mapping[str, str]) -> str:
    """Say what is not as annotated; empty where all is."""
    found = inventory(seen)
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
