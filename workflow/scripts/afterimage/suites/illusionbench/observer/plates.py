"""Colour plates: two kinds of dots, and the digit that one of them forms."""

from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from skimage.color import deltaE_ciede2000

from afterimage.seeing.image import Image, Mask, window_of
from afterimage.seeing.marks import find_plate, precedence, read_glyph
from afterimage.suites.illusionbench.observer.seen import Seen

_FONT = Path(__file__).resolve().parents[6] / "resources" / "fonts" / "LiberationSans-Bold.ttf"
_DIGITS = "123456789"
_TEMPLATE_PX = 240
# How often, of all pairs of a dot of the digit and one of the ground, the former is the lighter (or larger) one; equal
# distributions give about a half.
_EVEN = (0.35, 0.65)


def colour_plate(image: Image) -> Seen | None:
    """See a plate of many dots of two hues on white."""
    plate = find_plate(image)
    if plate is None:
        return None
    digit, fit = read_glyph(plate, _templates())
    means = [plate.lab[kind].mean(axis=0) for kind in (plate.of_glyph, ~plate.of_glyph)]
    lighter = precedence(plate.lab[:, 0], plate.of_glyph)
    larger = precedence(plate.sizes, plate.of_glyph)
    facts = {
        "kind": "colour_plate",
        "illusion": "absent",
        "cause": _cause(lighter, larger),
        "digit": digit,
    }
    # Hue and chroma alone: the mean lightness of the two kinds is set equal.
    even = [np.array([means[0][0], *mean[1:]]) for mean in means]
    numbers = {
        "colour_difference_ciede2000": float(deltaE_ciede2000(*even)),
        "lighter_share": lighter,
        "larger_share": larger,
        "fit": fit,
    }
    return Seen("colour_plate", facts, None, numbers)


@cache
def _templates() -> dict[str, Mask]:
    return {digit: _template(digit) for digit in _DIGITS}


def _template(digit: str) -> Mask:
    """Return the pixels that a bold digit covers, cut to its own box, bool."""
    font = ImageFont.truetype(str(_FONT), _TEMPLATE_PX)
    canvas = Pillow.new("L", (2 * _TEMPLATE_PX, 2 * _TEMPLATE_PX), 0)
    ImageDraw.Draw(canvas).text((_TEMPLATE_PX // 2, 0), digit, fill=255, font=font)
    covered = np.asarray(canvas) > 127
    return covered[window_of(covered, f"the font holds no glyph of {digit}.")]


def _cause(lighter: float, larger: float) -> str:
    if not _EVEN[0] <= lighter <= _EVEN[1]:
        return "brightness"
    return "hue" if _EVEN[0] <= larger <= _EVEN[1] else "size"
