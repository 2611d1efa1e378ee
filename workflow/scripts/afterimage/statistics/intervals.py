"""Wilson's interval of a share, of whole numbers of answers and of what clustered answers are worth."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

FloatArray = NDArray[np.float64]


class Interval(NamedTuple):
    """Lower and upper bound; both NaN where the interval is undefined."""

    low: float
    high: float


#: From fewer clusters no resampling can tell how a number varies.
LEAST_CLUSTERS = 6


def enough_to_say(low: float, high: float, clusters: int) -> bool:
    """Tell whether resampled bounds say anything: with few clusters, or where all resamples agree, they do not.

    Args:
        low: Lower bound.
        high: Upper bound.
        clusters: How many clusters were resampled.
    """
    return clusters >= LEAST_CLUSTERS and high > low


# A table asks for the same few counts again and again.
@lru_cache(maxsize=4096)
def wilson_interval(k: int, n: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval (1927), without continuity correction, for ``k`` out of ``n``.

    Args:
        k: Number of successes, 0 to ``n``.
        n: Number of trials; with none the interval is undefined.
        confidence: Coverage, between 0 and 1.

    Returns:
        Bounds of the proportion, from 0 to 1.

    Raises:
        ValueError: ``k`` is not between 0 and ``n``.
    """
    if not 0 <= k <= n:
        raise ValueError(f"expected 0 <= k <= n, found k = {k}, n = {n}")
    if n == 0:
        return Interval(math.nan, math.nan)
    z = normal_quantile(confidence)
    share = k / n
    # As SciPy writes it (scipy.stats takes half a second to import): the same to the last digit.
    denominator = 2 * (n + z**2)
    center = (2 * n * share + z**2) / denominator
    reach = z / denominator * math.sqrt(4 * n * share * (1 - share) + z**2)
    return Interval(
        0.0 if k == 0 else center - reach,
        1.0 if k == n else center + reach,
    )


def wilson(
    share: ArrayLike, answers: ArrayLike, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's bounds (1927) of shares of so many independent answers, which need not be whole numbers.

    With p the share, n the answers and z the normal quantile of (1 + confidence)/2, the bounds are
    ``(2 n p + z^2 -+ z sqrt(4 n p (1 - p) + z^2)) / (2 (n + z^2))``.

    Args:
        share: 0 to 1, shape (...).
        answers: More than 0, shape (...); NaN where undefined.
        confidence: Coverage, between 0 and 1.

    Returns:
        Lower and upper bounds, shape (...), 0 to 1: the lower one is exactly 0 for a share of 0, the upper one
        exactly 1 for a share of 1.
    """
    p, n = np.asarray(share, dtype=float), np.asarray(answers, dtype=float)
    z = normal_quantile(confidence)
    # In the order of wilson_interval: for whole numbers the two are the same to the last digit.
    denominator = 2 * (n + z**2)
    center = (2 * n * p + z**2) / denominator
    reach = z / denominator * np.sqrt(4 * n * p * (1 - p) + z**2)
    defined = np.isfinite(n)
    return (
        np.where(defined & (p <= 0), 0.0, center - reach),
        np.where(defined & (p >= 1), 1.0, center + reach),
    )


def normal_quantile(confidence: float) -> float:
    """Return z: a normal variable lies within -z and z with this probability."""
    return float(ndtri(0.5 + 0.5 * confidence))
