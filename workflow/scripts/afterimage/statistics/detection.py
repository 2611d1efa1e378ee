"""Signal detection: sensitivity d', the area under a ROC curve, and calibration.

d' is Macmillan and Creelman's (2005, Detection theory, chapter 1) with Hautus's log-linear correction (1995). The
calibration error is the root mean square gap of the bins, debiased: the part that chance alone contributes to the
squared gap is subtracted (Kumar, Liang and Ma 2019). The area and its clustered variance are Obuchowski's (1997), which
without clusters equal those of DeLong, DeLong and Clarke-Pearson (1988).
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri, stdtrit
from scipy.stats import rankdata

from afterimage.statistics.intervals import MIN_CLUSTERS


class Detection(NamedTuple):
    """What hits and false alarms say; NaN without images of either kind.

    Attributes:
        sensitivity: d' = z(hit rate) - z(false alarm rate).
        bias: -(z(hit rate) + z(false alarm rate)) / 2; negative where yes is said readily.
        variance: Of d' (Gourevitch and Galanter 1967).
    """

    sensitivity: np.ndarray
    bias: np.ndarray
    variance: np.ndarray


def detection(
    hits: ArrayLike, present: ArrayLike, false_alarms: ArrayLike, absent: ArrayLike
) -> Detection:
    """Return d' and bias from counts, log-linearly corrected: each rate is (k + 0.5) / (n + 1).

    So 16 of 16 hits and 0 of 16 false alarms give 3.78, and not infinity.

    Args:
        hits: How often yes was said where there is a target; any shape; the four are broadcast.
        present: Answers about images with a target.
        false_alarms: How often yes was said where there is none.
        absent: Answers about images without.
    """
    given = np.broadcast_arrays(
        *(np.asarray(values, float) for values in (hits, false_alarms, present, absent))
    )
    counts, sizes = np.stack(given[:2]), np.stack(given[2:])
    rates = (counts + 0.5) / (sizes + 1)
    z = np.where(sizes > 0, ndtri(rates), np.nan)
    density = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)
    variances = rates * (1 - rates) / ((sizes + 1) * density**2)
    return Detection(z[0] - z[1], -(z[0] + z[1]) / 2, variances.sum(axis=0))


def weighted_slope(x: ArrayLike, y: ArrayLike, weights: ArrayLike) -> float:
    """Return the slope of the straight line through points by weighted least squares; NaN with fewer than two x.

    Args:
        x: Shape (points,).
        y: Shape (points,); points that are not finite are left out.
        weights: Positive, shape (points,): the inverse of each point's variance, up to a factor.
    """
    at, value, weight = (np.asarray(values, dtype=float) for values in (x, y, weights))
    known = np.isfinite(value) & np.isfinite(weight)
    at, value, weight = at[known], value[known], weight[known]
    if len(np.unique(at)) < 2:
        return float("nan")
    off = at - np.average(at, weights=weight)
    return float((weight * off * value).sum() / (weight * off**2).sum())


# ---- Probabilities ----

#: Bins of a reliability diagram.
BINS = 10


def equal_mass(values: ArrayLike, bins: int = BINS) -> np.ndarray:
    """Return the bin of each value, from 0, in ascending order: bins of equally many values; equal values share one.

    Args:
        values: Shape (units,).
        bins: How many at most; fewer where values are few or equal.
    """
    given = np.asarray(values, dtype=float)
    ranks = rankdata(given, method="min") - 1
    number = np.minimum((ranks * bins / max(len(given), 1)).astype(int), bins - 1)
    return np.unique(number, return_inverse=True)[1]


def squared_error(sums: np.ndarray, times: float = 1.0) -> np.ndarray:
    """Return the debiased square of the calibration error; it may lie below 0.

    Args:
        sums: Of each bin the number of units, the sum of their probabilities and how many are right, shape
            (..., bins, 3).
        times: How often what chance adds is taken off; twice in resamples, where chance has struck twice.
    """
    n, stated, right = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    filled = np.maximum(n, 1)
    share = right / filled
    by_chance = share * (1 - share) / np.maximum(n - 1, 1)
    gaps = ((stated - right) / filled) ** 2 - times * by_chance
    squares: np.ndarray = (n * gaps).sum(axis=-1) / np.maximum(n.sum(axis=-1), 1)
    return squares


def error_of(square: ArrayLike) -> np.ndarray:
    """Return the calibration error of a debiased square, 0 to 1; 0 where chance explains all of it."""
    root: np.ndarray = np.sqrt(np.clip(np.asarray(square, dtype=float), 0, 1))
    return root


class Area(NamedTuple):
    """The area below a ROC curve.

    Attributes:
        area: Share of positive-negative pairs in which the positive has the greater score, ties as half.
        low: Lower bound, by the logit and Student's t over clusters; NaN if there is too little to say.
        high: Upper bound, likewise.
    """

    area: float
    low: float
    high: float


def roc_area(
    scores: ArrayLike, positive: ArrayLike, clusters: Sequence[Hashable], confidence: float = 0.95
) -> Area:
    """Return the area below the ROC curve, with an interval for clustered units; NaN without units of both kinds.

    Args:
        scores: Shape (units,).
        positive: Whether each unit is positive, shape (units,).
        clusters: The cluster of each unit.
        confidence: Coverage, between 0 and 1.
    """
    score, is_positive = np.asarray(scores, dtype=float), np.asarray(positive, dtype=bool)
    m, n = int(is_positive.sum()), int((~is_positive).sum())
    if not m or not n:
        return Area(math.nan, math.nan, math.nan)
    everywhere = rankdata(score)
    part = np.empty(len(score))
    # Of each unit the share of the other kind that it is on the right side of.
    part[is_positive] = (everywhere[is_positive] - rankdata(score[is_positive])) / n
    part[~is_positive] = 1 - (everywhere[~is_positive] - rankdata(score[~is_positive])) / m
    area = float(part[is_positive].mean())
    names, member = np.unique(np.asarray(clusters), return_inverse=True)
    of_cluster = np.bincount(member, (part - area) / np.where(is_positive, m, n))
    count = len(names)
    if count < MIN_CLUSTERS or not 0 < area < 1:
        return Area(area, math.nan, math.nan)
    error = math.sqrt(count / (count - 1) * float((of_cluster**2).sum()))
    if error == 0:
        return Area(area, math.nan, math.nan)
    reach = float(stdtrit(count - 1, (1 + confidence) / 2)) * error / (area * (1 - area))
    return Area(area, *(float(expit(logit(area) + side * reach)) for side in (-1, 1)))
