"""What each image must measure: the contrast that it was drawn with, in its field and not in the other."""

from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Measured
from afterimage.suites.contrast.names import LEAST_PERCENT, SIDES
from afterimage.suites.contrast.sight import at, noise, strongest

#: Of a contrast, as a share of it; of the weakest, and of none, in percent.
_TOLERANCE, _LEAST_TOLERANCE, _NOTHING = 0.03, 0.1, 0.15
#: Of the contrast of noise, the least share within an octave about its frequency; the soft edge spreads the rest.
_WITHIN = 0.8


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Measure an image and compare what it shows with what was drawn.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), as drawn or as a model's processor leaves it.
        factors: ``frequency``, ``contrast``, ``side`` and ``orientation``; empty or 0 where there is no pattern.
            A pattern without orientation is noise.

    Returns:
        Columns: ``frequency`` (cycles per image width), ``orientation``, ``side``, ``shown`` and ``measured`` (contrast
        of the pattern in percent, as drawn and from the pixels; of blanks the strongest stripes anywhere), ``other``
        (the strongest stripes in the other field), ``size_px``, ``limit``, ``holds`` and ``remark``.
    """
    shown = float(factors.get("contrast") or 0)
    if shown:
        side = factors["side"]
        cycles, within = int(factors["frequency"]), 1.0
        if factors["orientation"]:
            found = at(pixels, side, factors["orientation"], cycles)
        else:
            found = noise(pixels, side)
            within = noise(pixels, side, cycles) / max(found, 1e-9)
        (opposite,) = set(SIDES) - {side}
        other = strongest(pixels, opposite).contrast
        reach = _LEAST_TOLERANCE if shown <= LEAST_PERCENT else _TOLERANCE * shown
        limit = f"contrast {shown:g} % +/- {reach:.3g} on the {side}, below {_NOTHING} % elsewhere"
        holds = abs(found - shown) <= reach and other < _NOTHING and within >= _WITHIN
    else:
        found = other = max(strongest(pixels, side).contrast for side in SIDES)
        limit, holds = f"contrast below {_NOTHING} %", found < _NOTHING
    remark = "" if holds else f"found {found:.3g} % and elsewhere {other:.3g} %"
    columns = {
        **{name: factors.get(name, "") for name in ("frequency", "orientation", "side")},
        "shown": shown,
        "measured": round(found, 4),
        "other": round(other, 4),
        "size_px": pixels.shape[1],
        "limit": limit,
        "holds": holds,
        "remark": remark,
    }
    return Measured(found, limit, holds, remark, columns)
