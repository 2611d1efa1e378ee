"""Colour plates: two kinds of dots, and the digit that one of them forms."""

from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage
from skimage.color import deltaE_ciede2000, rgb2lab

from afterimage.suites.illusionbench.observer.seen import Seen

_FONT = Path(__file__).resolve().parents[6] / "resources" / "fonts" / "LiberationSans-Bold.ttf"
_DIGITS = "123456789"
_LEAST_DOTS = 80
_TEMPLATE_PX = 240
# Of the plate's radius: dots farther out belong to the ground.
_RIM = 0.85
# How often, of all pairs of a dot of the digit and one of the ground, the former is the lighter (or larger) one; equal
# distributions give about a half.
_EVEN = (0.35, 0.65)


def colour_plate(image: np.ndarray) -> Seen | None:
    """See a plate of many dots of two hues on white."""
    labels, count = ndimage.label(image.min(axis=2) < 250)
    if count < _LEAST_DOTS:
        return None
    index = np.arange(1, count + 1)
    centres = np.array(ndimage.center_of_mass(np.ones_like(labels), labels, index))[:, ::-1]
    sizes = np.bincount(labels.ravel())[1:].astype(float)
    lab = rgb2lab(_cores(image, labels, index))
    of_digit = _is_of_digit(lab[:, 1:], centres)
    if of_digit is None:
        return None
    digit, fit = _read(centres, of_digit)
    means = [lab[of_digit == chosen].mean(axis=0) for chosen in (True, False)]
    lighter = _precedence(lab[:, 0], of_digit)
    larger = _precedence(sizes, of_digit)
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


def _cores(image: np.ndarray, labels: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Return the colour of each dot away from its edge, shape (dots, 3), uint8."""
    medians = [ndimage.median(image[..., channel], labels, index) for channel in range(3)]
    return np.stack(medians, axis=-1).astype(np.uint8)


def _is_of_digit(chroma: np.ndarray, centres: np.ndarray) -> np.ndarray | None:
    """Part dots by hue along the axis on which they differ most; those at the rim are the ground's."""
    middle = chroma - chroma.mean(axis=0)
    _, _, axes = np.linalg.svd(middle, full_matrices=False)
    along = middle @ axes[0]
    for _ in range(20):
        split = (along[along > 0].mean() + along[along <= 0].mean()) / 2
        if abs(split) < 1e-9:
            break
        along = along - split
    groups = along > 0
    plate = centres.mean(axis=0)
    distance = np.hypot(*(centres - plate).T)
    rim = groups[distance > _RIM * distance.max()]
    if not rim.size or groups.all() or not groups.any():
        return None
    return groups != (rim.mean() > 0.5)


def _read(centres: np.ndarray, of_digit: np.ndarray) -> tuple[str, float]:
    """Return the digit whose shape parts the dots best, and how well (0.5 no better than chance, 1 perfectly)."""
    own = centres[of_digit]
    low, high = own.min(axis=0), own.max(axis=0)
    near = ((centres >= low) & (centres <= high)).all(axis=1)
    place = (centres[near] - low) / (high - low)
    inside = of_digit[near]
    fits = {}
    for digit in _DIGITS:
        template = _template(digit)
        rows = (place[:, 1] * (template.shape[0] - 1)).astype(int)
        columns = (place[:, 0] * (template.shape[1] - 1)).astype(int)
        expected = template[rows, columns]
        hits = expected[inside].mean() if inside.any() else 0.0
        passes = (~expected[~inside]).mean() if (~inside).any() else 1.0
        fits[digit] = float(hits + passes) / 2
    best = max(fits, key=lambda digit: fits[digit])
    return best, fits[best]


@cache
def _template(digit: str) -> np.ndarray:
    """Return the pixels that a bold digit covers, cut to its own box, bool."""
    font = ImageFont.truetype(str(_FONT), _TEMPLATE_PX)
    canvas = Image.new("L", (2 * _TEMPLATE_PX, 2 * _TEMPLATE_PX), 0)
    ImageDraw.Draw(canvas).text((_TEMPLATE_PX // 2, 0), digit, fill=255, font=font)
    covered = np.asarray(canvas) > 127
    rows, columns = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
    return covered[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _precedence(values: np.ndarray, of_digit: np.ndarray) -> float:
    """Return how often a dot of the digit has the greater value of a pair, ties counting half (Mann-Whitney's U)."""
    others = np.sort(values[~of_digit])
    below, up_to = (np.searchsorted(others, values[of_digit], side) for side in ("left", "right"))
    return float((below + up_to).sum() / 2 / (of_digit.sum() * (~of_digit).sum()))


def _cause(lighter: float, larger: float) -> str:
    if not _EVEN[0] <= lighter <= _EVEN[1]:
        return "brightness"
    return "hue" if _EVEN[0] <= larger <= _EVEN[1] else "size"
