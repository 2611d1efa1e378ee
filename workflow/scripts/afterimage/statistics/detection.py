"""Detection of a target: sensitivity d' free of the readiness to say yes, and straight lines through its values.

Macmillan and Creelman 2005, Detection theory, chapter 1; the log-linear correction is Hautus 1995.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri


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
        *(np.asarray(one, float) for one in (hits, false_alarms, present, absent))
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
    at, value, weight = (np.asarray(one, dtype=float) for one in (x, y, weights))
    known = np.isfinite(value) & np.isfinite(weight)
    at, value, weight = at[known], value[known], weight[known]
    if len(np.unique(at)) < 2:
        return float("nan")
    off = at - np.average(at, weights=weight)
    return float((weight * off * value).sum() / (weight * off**2).sum())
