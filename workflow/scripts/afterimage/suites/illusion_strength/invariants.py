"""What each stimulus of the grid must measure: the true difference that it was drawn with, from its pixels alone."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from afterimage.contract.drawing import Measured
from afterimage.errors import AfterimageError
from afterimage.suites.illusion_strength.feature_scale import SCALES
from afterimage.suites.illusions.names import require_illusion
from afterimage.suites.illusions.observer import Measurement, measure

#: Greatest distance between the measured difference and the realised one, as a fraction of the fake's: an eighth of
#: the smallest step of the grid (1/8).
TOLERANCE = 1 / 64


def measure_value(figure: str, image: np.ndarray) -> float:
    """Return how much an image differs in the observer's unit, never negative, rounded to 4 decimals.

    Args:
        figure: Name of the illusion.
        image: uint8 RGB, shape (height, width, 3), any size from 64 px.

    Raises:
        AfterimageError: The illusion is unknown, or the image does not contain what it is about.
    """
    return round(_measured(figure, image).value, 4)


def measure_fraction(figure: str, variant: str, image: np.ndarray) -> float:
    """Return the signed true difference of an image as a fraction of the fake's; arguments and errors as above.

    Args:
        figure: Name of the illusion.
        variant: ``A`` or ``B``: which way is positive.
        image: uint8 RGB, shape (height, width, 3), any size from 64 px.
    """
    found = _measured(figure, image)
    return SCALES[figure].fraction(found, variant, image.shape[1])


def measure_stimulus(figure: str, pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Measure a stimulus and compare what it shows with what was drawn.

    Args:
        figure: Name of the illusion.
        pixels: uint8 RGB, shape (height, width, 3), as drawn or as a model's processor hands it on.
        factors: ``variant``, ``strength``, ``difference`` and ``realised``; without them the value alone is measured.

    Returns:
        Columns: ``strength``, ``difference`` (nominal), ``realised`` (as drawn), ``measured`` (from the pixels; not a
        number where nothing could be measured), ``direction`` (``first``, ``second`` or ``neutral``: the option that is
        true by the measurement), ``size_px``, ``limit``, ``holds`` and ``remark`` (empty where the limit holds).

    Raises:
        AfterimageError: The illusion is unknown.
    """
    if not factors:
        return Measured(measure_value(figure, pixels))
    require_illusion(figure)
    realised = float(factors["realised"])
    limit = f"difference {realised:.4g} +/- {TOLERANCE:.4g} of the fake's"
    try:
        found = measure_fraction(figure, factors["variant"], pixels)
    except AfterimageError as error:
        found, remark = float("nan"), str(error)
    else:
        remark = "" if abs(found - realised) <= TOLERANCE else f"found {found:.4g}"
    columns = {
        "strength": factors["strength"],
        "difference": factors["difference"],
        "realised": factors["realised"],
        "measured": round(found, 4) + 0.0,
        "direction": _direction(found),
        "size_px": pixels.shape[1],
        "limit": limit,
        "holds": not remark,
        "remark": remark,
    }
    return Measured(found, limit, not remark, remark, columns)


def _measured(figure: str, image: np.ndarray) -> Measurement:
    require_illusion(figure)
    return measure(image, SCALES[figure].feature)


def _direction(found: float) -> str:
    if np.isnan(found):
        return ""
    if abs(found) <= TOLERANCE:
        return "neutral"
    return "first" if found > 0 else "second"


#: The part ``measure`` of each illusion.
MEASURES = {figure: partial(measure_stimulus, figure) for figure in SCALES}
