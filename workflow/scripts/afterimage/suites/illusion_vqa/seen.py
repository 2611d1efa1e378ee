"""The invariants of a stimulus at whatever size and shape a model's processor hands it on."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from afterimage.contract.drawing import Measured
from afterimage.suites.illusion_vqa.invariants import RESIZED_PX, judged
from afterimage.suites.illusions.names import GRID_FIGURES
from afterimage.suites.illusions.observer import NATIVE_SIDE_PX


def measure_seen(figure: str, pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Measure a stimulus and judge it by the limits of the nearest size that has some.

    Args:
        figure: Name of the illusion.
        pixels: uint8 RGB, shape (height, width, 3), from 64 px a side.
        factors: Needs ``condition`` and ``variant``.

    Returns:
        Columns as in ``measured.csv``; ``limits_of_px`` is the size whose limits were taken. What cannot be found any
        more does not hold.

    Raises:
        AfterimageError: A name is unknown.
    """
    side = min(pixels.shape[:2])
    size = min((NATIVE_SIDE_PX, *RESIZED_PX), key=lambda known: abs(known - side))
    found = judged(figure, factors, pixels, size)
    measured = {name: found[name] for name in ("value", "unit", "direction")}
    columns = {"condition": factors["condition"], **measured, "limits_of_px": size, **found}
    return Measured(found["value"], columns=columns, holds=bool(found["holds"]))


#: The part ``measure_seen`` of each illusion.
MEASURES = {figure: partial(measure_seen, figure) for figure in GRID_FIGURES}
