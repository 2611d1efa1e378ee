"""Spearman's rank correlation over few units, with an interval that has width even for a perfect order."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from afterimage.statistics.intervals import Interval

_DRAWS = 10_000
# Halvings of -1 to 1: to 0.001.
_STEPS = 11
_ROUNDING = 1e-9


def rank_correlation(first: ArrayLike, second: ArrayLike) -> float:
    """Return Spearman's correlation, ties at their mean rank; NaN if one side is the same for all.

    Args:
        first: Values of the units, shape (n,).
        second: Their other values, shape (n,).
    """
    ranks = np.array([rankdata(first), rankdata(second)])
    if (np.ptp(ranks, axis=1) == 0).any():
        return float("nan")
    return float(np.corrcoef(ranks)[0, 1])


def rank_correlation_interval(rho: float, units: int, confidence: float, seed: int) -> Interval:
    """Return the correlations of a population whose samples of this size reach as far as ``rho``.

    The two one-sided tests turned round, as Clopper and Pearson (1934) do for a share: below the lower bound samples
    would be as high as this one too seldom, above the upper bound as low. Samples are drawn from two normal variables,
    whose ranks are those of any two with their copula; Spearman's correlation of the population is
    6/pi asin(r/2) (Pearson 1907). Approximations by Fisher's z have no width at 1 and hold from about ten units on.

    Args:
        rho: The sample's.
        units: How many it is of, at least 3.
        confidence: 0 to 1.
        seed: Of the draws.
    """
    generator = np.random.default_rng(seed)
    first, other = generator.standard_normal((2, _DRAWS, units))
    first.sort(axis=1)
    tail = (1 - confidence) / 2

    def correlations(r: float) -> np.ndarray:
        second = r * first + np.sqrt(1 - r * r) * other
        distance = second.argsort(axis=1).argsort(axis=1) - np.arange(units)
        found: np.ndarray = 1 - 6 * (distance**2).sum(axis=1) / (units * (units**2 - 1))
        return found

    low = _turning_point(lambda r: (correlations(r) >= rho - _ROUNDING).mean() > tail)
    high = _turning_point(lambda r: (correlations(r) <= rho + _ROUNDING).mean() <= tail)
    return Interval(*(float(6 / np.pi * np.arcsin(r / 2)) for r in (low, high)))


def _turning_point(is_beyond: Callable[[float], bool]) -> float:
    """Return where, between -1 and 1, something that holds above and not below begins to hold."""
    if is_beyond(-1.0):
        return -1.0
    if not is_beyond(1.0):
        return 1.0
    low, high = -1.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return (low + high) / 2
