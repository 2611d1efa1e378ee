"""Angles, lengths and curvature of coloured strokes (section 6; cards 1-6, 12 and 15)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.illusion_vqa.observer.features import (
    Measurement,
    conclude,
    relative_difference,
)
from afterimage.suites.illusion_vqa.observer.segmentation import Target, coverages, targets

# A target's own end caps and the neighbouring side's stroke lie in the outer tenth of a side.
_FITTED_PART_OF_SIDE = 0.9
# Outward normals of sides by eighths of a turn from the right; clockwise, because y points down.
_COMPASS = (
    "right",
    "lower_right",
    "lower",
    "lower_left",
    "left",
    "upper_left",
    "upper",
    "upper_right",
)


@dataclass(frozen=True)
class Stroke:
    """A straight stroke as a rectangle with the target's centroid and second moments.

    Attributes:
        centre: Centroid (x, y) in px, shape (2,).
        along: Unit vector of the principal axis, shape (2,); points right, or down when vertical.
        length: Extent along the axis in px. A uniform stroke of length L has the variance L^2/12
            along its axis, and so the length needs no threshold at the ends.
    """

    centre: np.ndarray
    along: np.ndarray
    length: float


def fit_stroke(target: Target) -> Stroke:
    """Fit a stroke to a target by total least squares."""
    centre = np.array(target.centre)
    offsets = np.stack([target.x, target.y]) - centre[:, None]
    # A pixel is an area, not a point: each adds the variance of the unit square, 1/12.
    spread = (offsets * target.coverage) @ offsets.T / target.area + np.eye(2) / 12.0
    variances, axes = np.linalg.eigh(spread)
    along = axes[:, -1]
    along = along * np.sign(along[1] if abs(along[0]) < 1e-6 else along[0])
    return Stroke(centre, along, float(np.sqrt(12.0 * variances[-1])))


def _sides(first: np.ndarray, second: np.ndarray) -> tuple[str, str, bool]:
    """Name two positions, and tell whether the first name belongs to the first position."""
    across, down = second - first
    if abs(across) > abs(down):
        return "left", "right", bool(across > 0)
    return "upper", "lower", bool(down > 0)


def _two_strokes(image: np.ndarray, hue: str) -> tuple[Stroke, Stroke]:
    found = targets(coverages(image, (hue,), "line")[hue], 2, f"two {hue} lines")
    first, second = (fit_stroke(target) for target in found)
    return (first, second) if _sides(first.centre, second.centre)[2] else (second, first)


def measure_parallelism(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the angle in degrees between two lines of one colour, and the gap at both ends."""
    first, second = _two_strokes(image, hues[0])
    turn = first.along[0] * second.along[1] - first.along[1] * second.along[0]
    angle = float(np.degrees(np.arctan2(abs(turn), abs(first.along @ second.along))))
    along = first.along + second.along * np.sign(first.along @ second.along)
    along = along / np.linalg.norm(along)
    normal = np.array([-along[1], along[0]])
    middles = [along @ stroke.centre for stroke in (first, second)]
    reach = [stroke.length / 2 for stroke in (first, second)]
    left = max(middle - half for middle, half in zip(middles, reach, strict=True))
    right = min(middle + half for middle, half in zip(middles, reach, strict=True))

    def gap(position: float) -> float:
        heights = [
            normal @ stroke.centre
            + (position - along @ stroke.centre) * (normal @ stroke.along) / (along @ stroke.along)
            for stroke in (first, second)
        ]
        return abs(heights[0] - heights[1])

    parts = {
        "gap_left_px": gap(left),
        "gap_right_px": gap(right),
        "first_tilt_deg": np.degrees(np.arctan2(first.along[1], first.along[0])),
        "second_tilt_deg": np.degrees(np.arctan2(second.along[1], second.along[0])),
    }
    closer = "left" if parts["gap_left_px"] < parts["gap_right_px"] else "right"
    return conclude("parallelism", angle, closer, image.shape[1], parts)


def measure_line_length(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the length difference in percent of two lines of one colour."""
    first, second = _two_strokes(image, hues[0])
    names = _sides(first.centre, second.centre)[:2]
    return _compare_lengths("line_length", image.shape[1], names, (first, second))


def measure_coloured_line_length(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
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


def _parabola(u: np.ndarray, v: np.ndarray, coverage: np.ndarray) -> np.ndarray:
    """Fit v = c0 + c1 u + c2 u^2 to a stroke's covered pixels; returns (c0, c1, c2)."""
    # Ringing makes coverage slightly negative in places, which no weight can be.
    weight = np.sqrt(np.clip(coverage, 0.0, None))
    scale = np.abs(u).max()
    powers = np.stack([np.ones_like(u), u / scale, (u / scale) ** 2], axis=1)
    solution = np.linalg.lstsq(powers * weight[:, None], v * weight, rcond=None)[0]
    return solution / np.array([1.0, scale, scale**2])


def measure_line_straightness(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the sagitta in px of two lines of one colour; away from each other is positive."""
    hue = hues[0]
    found = targets(coverages(image, (hue,), "line")[hue], 2, f"two {hue} lines")
    strokes = [fit_stroke(target) for target in found]
    names = _sides(strokes[0].centre, strokes[1].centre)
    parts = {}
    for index, name in enumerate(names[:2] if names[2] else names[1::-1]):
        target, stroke, other = found[index], strokes[index], strokes[1 - index]
        outward = np.array([-stroke.along[1], stroke.along[0]])
        outward = outward * np.sign(outward @ (stroke.centre - other.centre))
        offsets = np.stack([target.x, target.y]) - stroke.centre[:, None]
        bend = _parabola(stroke.along @ offsets, outward @ offsets, target.coverage)[2]
        parts[f"{name}_sagitta_px"] = -bend * (stroke.length / 2) ** 2
    return _conclude_bend("line_straightness", image.shape[1], parts, "outward", "inward")


def _conclude_bend(
    feature: str, side_px: int, sagittas: dict[str, float], positive: str, negative: str
) -> Measurement:
    signed = list(sagittas.values())
    largest = max(signed, key=abs)
    parts = {
        **sagittas,
        "least_sagitta_px": min(signed),
        "greatest_sagitta_px": max(signed),
        "mean_sagitta_px": float(np.mean(signed)),
    }
    leaning = positive if largest > 0 else negative
    return conclude(feature, abs(largest), leaning, side_px, parts)


def measure_side_straightness(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the sagitta in px of the four sides of a square outline, inward positive."""
    hue = hues[0]
    looked_for = f"one {hue} four-sided outline"
    outline = targets(coverages(image, (hue,), "figure")[hue], 1, looked_for)[0]
    middle = np.array([(axis.min() + axis.max()) / 2 for axis in (outline.x, outline.y)])
    offsets = np.stack([outline.x, outline.y]) - middle[:, None]
    corner = _corner_direction(offsets, outline.coverage)
    normals = corner + np.pi / 4 + np.arange(4) * np.pi / 2
    # Far enough from the corners that no pixel of the neighbouring side's stroke is met.
    inked = offsets[:, outline.coverage > 0.5]
    facing = np.array([np.cos(normals[0]), np.sin(normals[0])])
    reach = _FITTED_PART_OF_SIDE * float((facing @ inked).max())
    fits = {}
    for angle in normals:
        outward = np.array([np.cos(angle), np.sin(angle)])
        v, u = outward @ offsets, outward[0] * offsets[1] - outward[1] * offsets[0]
        side = (v > np.abs(u)) & (np.abs(u) <= reach)
        if outline.coverage[side].sum() < 0.1 * outline.area:
            raise AfterimageError(
                f"looked for {looked_for} and found an outline with less than a tenth of its "
                "stroke on one side."
            )
        name = _COMPASS[round(np.degrees(angle) / 45) % 8]
        fits[name] = _parabola(u[side], v[side], outline.coverage[side])
    half = _half_side(list(fits.values()))
    parts = {f"{name}_sagitta_px": fit[2] * half**2 for name, fit in fits.items()}
    return _conclude_bend("side_straightness", image.shape[1], parts, "inward", "outward")


def _corner_direction(offsets: np.ndarray, coverage: np.ndarray) -> float:
    """Return the angle of one corner of an outline: the fourth harmonic of its far pixels."""
    radius = np.hypot(*offsets)
    harmonic = np.exp(4j * np.arctan2(offsets[1], offsets[0]))
    # The high power leaves little but the corners, whether the sides are straight or bent.
    return float(np.angle(np.sum(coverage * (radius / radius.max()) ** 8 * harmonic)) / 4)


def _half_side(fits: list[np.ndarray]) -> float:
    """Return half the side of the square whose corners the fitted sides meet in."""
    half = float(np.mean([fit[0] for fit in fits]))
    for _ in range(20):
        # At a corner the side is as far out as it is long: v(half) = half.
        half = float(np.mean([fit[0] + fit[2] * half**2 for fit in fits]))
    return half
