"""Measures the pattern's side, frequency and contrast, to verify a stimulus and as the ideal observer's answer."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options, headed_question
from afterimage.seeing.gratings import Field, contrast_at, more_than, stripes
from afterimage.seeing.image import Floats, Image, once
from afterimage.suites.contrast.design import CENTRES, EDGE, MIN_PERCENT, NO, RADIUS, SIDES, YES

#: Contrast in percent that dither alone stays below with a margin: half of the weakest pattern's.
NOTHING_BELOW = 0.25
#: Coarser stripes than these cannot be told from a field that is lighter on one side.
_FROM_CYCLES = 2


_FIELDS = {side: Field(*CENTRES[side], RADIUS, EDGE) for side in SIDES}


class Strongest(NamedTuple):
    """The strongest stripes of a field: contrast in percent, cycles per image side, orientation."""

    contrast: float
    cycles: int
    orientation: str


@once
def spectra(image: Image) -> dict[str, dict[str, Floats]]:
    """Return side to orientation to contrast in percent at each frequency."""
    return {side: stripes(image, _FIELDS[side]) for side in SIDES}


def at(image: Image, side: str, orientation: str, cycles: int) -> float:
    """Return the contrast of these stripes in a field, in percent."""
    pixels = image.shape[1] if orientation == "vertical" else image.shape[0]
    return contrast_at(spectra(image)[side][orientation], cycles, pixels)


def strongest(image: Image, side: str) -> Strongest:
    found = [
        Strongest(float(spectrum[cycles]), int(cycles), orientation)
        for orientation, spectrum in spectra(image)[side].items()
        for cycles in [_FROM_CYCLES + spectrum[_FROM_CYCLES:].argmax()]
    ]
    return max(found)


def noise(image: Image, side: str, cycles: int | None = None) -> float:
    """Return the contrast of any pattern in a field, in percent: by how much it exceeds the other field.

    With ``cycles``, only within an octave around this frequency.
    """
    (opposite,) = set(SIDES) - {side}
    return more_than(image, _FIELDS[side], _FIELDS[opposite], cycles)


# ---- measuring ----

#: Tolerance of a contrast as a share of it; of the weakest one, and of none, in percent.
_TOLERANCE, _MIN_TOLERANCE, _NOTHING = 0.03, 0.1, 0.15
#: Smallest share of the contrast of noise within an octave around its frequency; the soft edge spreads the rest.
_WITHIN = 0.8


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Compare what an image shows with what was drawn.

    Args:
        pixels: As drawn or as a model's processor leaves them.
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
        reach = _MIN_TOLERANCE if shown <= MIN_PERCENT else _TOLERANCE * shown
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


# ---- observer ----

_STRIPES, _SPOTS = "pattern of stripes", "pattern of spots"


def answer(image: Image, text: str) -> str:
    """Answer whether there are stripes or spots, or with the option (one per line of the text) that names their side.

    Without a pattern and with sides as the only options, it guesses from a hash of the image, so that the same request
    always gets the same answer.

    Raises:
        AfterimageError: The question is about something else, or no option is right.
    """
    question = " ".join(text.lower().split())
    if _STRIPES in question:
        contrasts = {side: strongest(image, side).contrast for side in SIDES}
    elif _SPOTS in question:
        contrasts = {side: noise(image, side) for side in SIDES}
    else:
        raise AfterimageError(
            f"the question '{text.strip()}' asks for nothing that can be measured; expected a {_STRIPES} or {_SPOTS}."
        )
    side = max(SIDES, key=contrasts.__getitem__)
    is_visible = contrasts[side] >= NOTHING_BELOW
    if headed_question(text) is None:
        return YES if is_visible else NO
    _, options = headed_options(text)
    none = [option for option in options if not any(name in option.lower() for name in SIDES)]
    if not is_visible and none:
        return none[0]
    if not is_visible:
        side = SIDES[hashlib.sha256(image.tobytes()).digest()[0] % len(SIDES)]
    named = [option for option in options if side in option.lower()]
    if not named:
        raise AfterimageError(f"no option names the {side} half; found: {', '.join(options)}.")
    return named[0]
