"""Contrast of checks and evenness of stripes (docs/illusion_figures.md, section 5)."""

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image
from afterimage.seeing.patches import grey_stripes
from afterimage.suites.illusions.observer.features import (
    Measurement,
    conclude,
    relative_difference,
)

#: Half of a window that lies in a disc of checks about the middle of a half, as a share of the image's width.
_WINDOW = 1 / 14
#: How far most pixels of a check may be from its level.
_LEVEL_SPREAD = 4
#: Columns at either end of a stripe that are blended with its neighbour after resizing.
_BLENDED_PX = 2


def measure_check_contrast(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the difference in percent of how far light and dark checks are apart, left disc and right."""
    height, width = image.shape[:2]
    half = round(_WINDOW * width)
    rows = slice(height // 2 - half, height // 2 + half)
    contrasts: dict[str, float] = {}
    parts: dict[str, float] = {}
    for side, x in (("left", width // 4), ("right", 3 * width // 4)):
        window = image[rows, x - half : x + half].mean(axis=2)
        middle = (window.min() + window.max()) / 2
        dark, light = (
            _level(part, side) for part in (window[window <= middle], window[window > middle])
        )
        contrasts[side] = (light - dark) / 2
        parts |= {f"{side}_light_8bit": light, f"{side}_dark_8bit": dark}
    signed = relative_difference(contrasts["left"], contrasts["right"])
    parts |= {f"{side}_contrast_levels": found for side, found in contrasts.items()}
    parts["left_minus_right_percent"] = signed
    leaning = "left" if signed > 0 else "right"
    return conclude("check_contrast", abs(signed), leaning, width, parts)


def _level(part: Floats, side: str) -> float:
    """Return the one level that most of these pixels have."""
    if part.size:
        level = float(np.median(part))
        if np.median(np.abs(part - level)) <= _LEVEL_SPREAD:
            return level
    raise AfterimageError(
        f"looked for a disc of checks of two levels on the {side} and found none."
    )


def measure_stripe_evenness(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure how many levels upright gray stripes fall from left to right, on a tenth of the image's width."""
    width = image.shape[1]
    levels, stripes = grey_stripes(image)
    falls = []
    for start, end in stripes:
        own = np.arange(start + _BLENDED_PX, end - _BLENDED_PX)
        falls.append(float(-np.polyfit(own, levels[own], 1)[0]) * width / 10)
    # What a fit leaves of stripes that are even is no fall.
    signed = round(float(np.mean(falls)), 9) + 0.0
    # Toward the edge that is darker on the whole.
    same = [fall if signed >= 0 else -fall for fall in falls]
    parts = {
        "stripes": float(len(stripes)),
        "least_fall_levels": round(min(same), 9) + 0.0,
        "greatest_fall_levels": round(max(same), 9) + 0.0,
        "mean_fall_levels": signed,
    }
    leaning = "left" if signed > 0 else "right"
    return conclude("stripe_evenness", abs(signed), leaning, width, parts)
