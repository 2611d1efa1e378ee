"""Angles, lengths and curvature of coloured strokes (section 6; cards 1-6, 12 and 15)."""

from collections.abc import Sequence

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.seeing.colours import coverages, left_to_right, targets
from afterimage.seeing.image import Floats, Image
from afterimage.seeing.patches import grey_stripes
from afterimage.seeing.strokes import (
    Stroke,
    angle_deg,
    end_gaps,
    fit_stroke,
    sagitta_px,
    side_sagittas_px,
    sides,
)
from afterimage.suites.illusions.seeing import Measurement, conclude, relative_difference


def _two_strokes(image: Image, hue: str) -> tuple[Stroke, Stroke]:
    lines = targets(coverages(image, (hue,), "line")[hue], 2, f"two {hue} lines")
    first, second = (fit_stroke(target) for target in lines)
    return (first, second) if sides(first.centre, second.centre)[2] else (second, first)


def measure_parallelism(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the angle in degrees between two lines of one colour, and the gap at both ends."""
    first, second = _two_strokes(image, hues[0])
    left, right = end_gaps(first, second)
    parts = {
        "gap_left_px": left,
        "gap_right_px": right,
        "first_tilt_deg": first.tilt_deg,
        "second_tilt_deg": second.tilt_deg,
    }
    closer = "left" if left < right else "right"
    return conclude("parallelism", angle_deg(first, second), closer, image.shape[1], parts)


def measure_line_length(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the length difference in percent of two lines of one colour."""
    first, second = _two_strokes(image, hues[0])
    names = sides(first.centre, second.centre)[:2]
    return _compare_lengths("line_length", image.shape[1], names, (first, second))


def measure_coloured_line_length(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the length difference in percent of two lines that are named by their colours."""
    covered = coverages(image, hues, "line")
    strokes = [fit_stroke(targets(covered[hue], 1, f"one {hue} line")[0]) for hue in hues]
    return _compare_lengths("coloured_line_length", image.shape[1], hues, strokes)


def _compare_lengths(
    feature: str, side_px: int, names: Sequence[str], strokes: Sequence[Stroke]
) -> Measurement:
    first, second = (stroke.length for stroke in strokes)
    signed = relative_difference(first, second)
    parts = {
        f"{names[0]}_length_px": first,
        f"{names[1]}_length_px": second,
        f"{names[0]}_minus_{names[1]}_percent": signed,
    }
    return conclude(feature, abs(signed), names[0] if signed > 0 else names[1], side_px, parts)


def measure_stroke_alignment(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure in px how far the right of two oblique lines is off the continuation of the left, up or down."""
    hue = hues[0]
    lines = targets(coverages(image, (hue,), "line")[hue], 2, f"two {hue} lines")
    left, right = (fit_stroke(target) for target in left_to_right(lines))
    middle = (left.centre[0] + right.centre[0]) / 2
    heights = [
        stroke.centre[1] + (middle - stroke.centre[0]) * stroke.along[1] / stroke.along[0]
        for stroke in (left, right)
    ]
    # y points down.
    raised = float(heights[0] - heights[1])
    parts = {"right_above_left_px": raised, "angle_deg": angle_deg(left, right)}
    leaning = "high" if raised > 0 else "low"
    return conclude("stroke_alignment", abs(raised), leaning, image.shape[1], parts)


def measure_gap_width(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the difference in percent of the two gaps between three strokes of one colour, centre to centre."""
    hue = hues[0]
    strokes = targets(coverages(image, (hue,), "stroke")[hue], 3, f"three {hue} strokes")
    first, middle, last = (target.centre[0] for target in left_to_right(strokes))
    left, right = middle - first, last - middle
    signed = relative_difference(left, right)
    parts = {"left_gap_px": left, "right_gap_px": right, "left_minus_right_percent": signed}
    leaning = "left" if signed > 0 else "right"
    return conclude("gap_width", abs(signed), leaning, image.shape[1], parts)


def measure_cord_parallelism(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the angle in degrees between two upright gray cords on a colored ground, and where they are closer."""
    cords = 1.0 - coverages(image, hues, "ground")[hues[0]]
    pair = targets(cords, 2, f"two cords on a {hues[0]} ground")
    left, right = (fit_stroke(target) for target in left_to_right(pair))
    reach = min(stroke.length * abs(stroke.along[1]) for stroke in (left, right)) / 2
    middle = (left.centre[1] + right.centre[1]) / 2
    top, bottom = (_across(right, y) - _across(left, y) for y in (middle - reach, middle + reach))
    parts = {"gap_top_px": top, "gap_bottom_px": bottom}
    leaning = "top" if top < bottom else "bottom"
    return conclude("cord_parallelism", angle_deg(left, right), leaning, image.shape[1], parts)


def _across(stroke: Stroke, y: float) -> float:
    """Return the x at which the axis of an upright stroke passes a height, px from the left."""
    return float(stroke.centre[0] + (y - stroke.centre[1]) * stroke.along[0] / stroke.along[1])


def measure_line_straightness(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the sagitta in px of two lines of one colour; away from each other is positive."""
    hue = hues[0]
    lines = targets(coverages(image, (hue,), "line")[hue], 2, f"two {hue} lines")
    strokes = [fit_stroke(target) for target in lines]
    names = sides(strokes[0].centre, strokes[1].centre)
    sagittas = {
        name: sagitta_px(lines[index], strokes[index], strokes[1 - index])
        for index, name in enumerate(names[:2] if names[2] else names[1::-1])
    }
    return _conclude_bend("line_straightness", image.shape[1], sagittas, "outward", "inward")


def measure_side_straightness(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the sagitta in px of the four sides of a square outline, inward positive."""
    hue = hues[0]
    looked_for = f"one {hue} four-sided outline"
    outline = targets(coverages(image, (hue,), "figure")[hue], 1, looked_for)[0]
    sagittas = side_sagittas_px(outline, looked_for)
    return _conclude_bend("side_straightness", image.shape[1], sagittas, "inward", "outward")


def _conclude_bend(
    feature: str, side_px: int, sagittas: dict[str, float], positive: str, negative: str
) -> Measurement:
    signed = list(sagittas.values())
    largest = max(signed, key=abs)
    parts = {
        **{f"{side}_sagitta_px": sagitta for side, sagitta in sagittas.items()},
        "least_sagitta_px": min(signed),
        "greatest_sagitta_px": max(signed),
        "mean_sagitta_px": float(np.mean(signed)),
    }
    leaning = positive if largest > 0 else negative
    return conclude(feature, abs(largest), leaning, side_px, parts)


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
    parts |= {f"{side}_contrast_levels": contrast for side, contrast in contrasts.items()}
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
        inner = np.arange(start + _BLENDED_PX, end - _BLENDED_PX)
        falls.append(float(-np.polyfit(inner, levels[inner], 1)[0]) * width / 10)
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
