"""The invariants of a stimulus at whatever size and shape a model's processor hands it on."""

from collections.abc import Mapping

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.illusion_vqa.invariants import (
    RESIZED_PX,
    Verdict,
    check,
    measure_illusion,
)
from afterimage.suites.illusion_vqa.limits import KNOWN_AFTER_RESIZING
from afterimage.suites.illusion_vqa.observer import NATIVE_SIDE_PX


def measure_seen(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> dict:
    """Measure a stimulus and judge it by the limits of the nearest size that has some.

    Args:
        figure: Name of the illusion.
        stimulus_id: Id of the stimulus, for the row.
        factors: Needs ``condition`` and ``variant``.
        pixels: uint8 RGB, shape (height, width, 3), from 64 px a side.

    Returns:
        A row as in ``measured.csv``; ``limits_of_px`` is the size whose limits were taken. What cannot be found any
        more does not hold.

    Raises:
        AfterimageError: A name is unknown.
    """
    condition, variant = factors["condition"], factors["variant"]
    side = min(pixels.shape[:2])
    size = min((NATIVE_SIDE_PX, *RESIZED_PX), key=lambda known: abs(known - side))
    row = {"stimulus_id": stimulus_id, "figure": figure, "condition": condition}
    try:
        measurement = measure_illusion(figure, pixels)
    except AfterimageError as error:
        return row | {
            "value": float("nan"),
            "unit": "",
            "direction": "",
            "limits_of_px": size,
            "limit": "targets that can be measured",
            "holds": False,
            "remark": str(error),
        }
    verdict = check(figure, condition, variant, measurement, size)
    return row | {
        "value": round(measurement.value, 4),
        "unit": measurement.unit,
        "direction": measurement.direction,
        "limits_of_px": size,
        "limit": verdict.limit,
        "holds": verdict.holds,
        "remark": "" if verdict.holds else _remark(figure, size, verdict),
    }


def _remark(figure: str, size: int, verdict: Verdict) -> str:
    found = f"found {verdict.found}"
    known = KNOWN_AFTER_RESIZING.get((figure, size))
    return f"{found} ({known})" if known else found
