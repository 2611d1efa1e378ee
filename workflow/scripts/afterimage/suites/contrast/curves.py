"""Psychometric curves over signed contrast, one per spatial frequency, with a lapse rate in common.

The axis is t = k / 8 for level k on the left, -k / 8 on the right, 0 without a pattern; the fit is that of the
illusions (``statistics/ordinal.py``), frequencies in the place of strengths. Slopes have bounds by the jackknife over
the four replicates (stripes and phase).
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from afterimage.showing.bounds import jackknife_bounds, with_width
from afterimage.statistics.ordinal import (
    FLAT_SLOPE,
    OrdinalFit,
    bounded_slope,
    fit_ordinal,
    slope_of,
)
from afterimage.suites.contrast.names import LEAST_PERCENT, LEVELS, NONE, SIDES, WHERE

#: Standard deviations from the middle of a curve at which three of four choices between two sides are right.
_THREE_QUARTERS = 0.6744897501960817
#: Of flat curves, the share of answers that name one side from which that is a bias.
_ONE_SIDED = 0.9
# In the order of the fit: the first target is the left.
_READ = (SIDES[0], NONE, SIDES[1])

#: Why a curve has no threshold, whatever was shown.
INVERTED, FLAT = "inverted", "flat"


class Curve(NamedTuple):
    """A curve of one frequency; NaN where nothing was read.

    Attributes:
        slope: 1 / sigma, per unit of t.
        slope_low: Lower bound.
        slope_high: Upper bound.
        side_bias: The t at which both sides are named equally often, -1 to 1; negative where the left is named readily.
            Of a flat curve -1 or 1 where nearly all answers are one side, else NaN.
        criterion: Half the width of the t at which no pattern is said to be there, in percent of contrast; of a flat
            curve NaN.
        lapse: Share of answers that do not depend on the image.
    """

    slope: float
    slope_low: float
    slope_high: float
    side_bias: float
    criterion: float
    lapse: float


#: Of frequencies about which nothing could be read.
UNKNOWN = Curve(*[float("nan")] * 6)


def curves(answers: pd.DataFrame, settings: Mapping) -> dict[str, Curve]:
    """Fit the curves of one model and prompt: frequency to curve.

    Args:
        answers: Graded, factors as columns: ``question`` (``where`` or ``three``), ``frequency``, ``level``, ``side``,
            ``replicate``, ``answer``. Those to blanks count for every frequency, unread ones for none.
        settings: "confidence".
    """
    answers = answers[answers["answer"].isin(_READ)]
    frequencies = sorted({*answers["frequency"]} - {""}, key=int)
    if not frequencies:
        return {}
    place, signed, counts = _counted(answers, frequencies)
    forced = bool((answers["question"] == WHERE).all())
    fit = fit_ordinal(place, signed, counts.sum(axis=0), forced)
    replicates = len(counts)
    # Scaled to as many answers as there are, so that the penalty weighs as much as in the whole fit.
    scale = replicates / max(replicates - 1, 1)
    without = np.array(
        [
            bounded_slope(
                fit_ordinal(
                    place, signed, (counts.sum(axis=0) - own) * scale, forced, start=fit
                ).slope
            )
            for own in counts
        ]
    )
    return {
        name: _curve(fit, number, without[:, number], counts[:, place == number], settings)
        for number, name in enumerate(frequencies)
    }


def threshold(slope: float) -> float:
    """Return the contrast in percent at which three of four sides are named rightly, from a slope; lapses apart."""
    return percent(_THREE_QUARTERS / slope) if slope > 0 else float("nan")


def percent(t: float) -> float:
    """Return the contrast in percent of an unsigned place on the axis."""
    return float(LEAST_PERCENT * 2.0 ** (LEVELS * t - 1))


def _counted(
    answers: pd.DataFrame, frequencies: list[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return frequency's number and t of each cell, and counts of shape (replicates, cells, 3)."""
    steps = np.arange(-LEVELS, LEVELS + 1)
    counts = np.zeros((answers["replicate"].nunique(), len(frequencies), len(steps), len(_READ)))
    names = {name: number for number, name in enumerate(sorted(answers["replicate"].unique()))}
    places = {name: [number] for number, name in enumerate(frequencies)}
    # What is said without a pattern holds for patterns of every frequency.
    places[""] = list(range(len(frequencies)))
    sign = {SIDES[0]: 1, SIDES[1]: -1, "": 0}
    columns = ("replicate", "frequency", "level", "side", "answer")
    for replicate, frequency, level, side, said in zip(
        *(answers[name] for name in columns), strict=True
    ):
        step = LEVELS + sign[side] * int(level)
        counts[names[replicate], places[frequency], step, _READ.index(said)] += 1
    place, step = np.nonzero(counts.any(axis=(0, 3)))
    return place, steps[step] / LEVELS, counts[:, place, step]


def shape(slope: float, low: float, high: float) -> str:
    """Return ``flat``, ``inverted``, or an empty text where a slope's interval lies above that of flat curves."""
    if high < -FLAT_SLOPE and slope < -FLAT_SLOPE:
        return INVERTED
    # An undefined bound does not exclude a flat curve.
    return "" if low > FLAT_SLOPE and slope > FLAT_SLOPE else FLAT


def _curve(
    fit: OrdinalFit, number: int, without: np.ndarray, counts: np.ndarray, settings: Mapping
) -> Curve:
    slope = float(fit.slope[number])
    bounds = np.array(jackknife_bounds(float(bounded_slope(slope)), without, settings))
    low, high = (float(bound) for bound in slope_of(bounds))
    # Beyond the steepest slope that an interval names lies that of an observer without noise.
    low, high = min(low, slope), max(high, slope)
    side_bias = criterion = float("nan")
    if shape(slope, low, high) != FLAT:
        side_bias = float(np.clip(fit.equality[number], -1, 1))
        if not fit.forced:
            criterion = percent(float(fit.neutral_criterion[number]))
    else:
        left, _, right = counts.sum(axis=(0, 1)) / counts.sum()
        if max(left, right) >= _ONE_SIDED:
            side_bias = 1.0 if right > left else -1.0
    return Curve(slope, *with_width(low, high), side_bias, criterion, fit.lapse)
