"""The difference of two shares that are not matched unit by unit: other images, or other numbers of them.

The bounds of the difference come from those of the two shares (MOVER, the method of variance estimates recovery:
Newcombe 1998, Statistics in Medicine 17, 873; Zou and Donner 2008, Statistics in Medicine 27, 1693).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import FloatArray, Interval
from afterimage.statistics.shares import Share, share_of_totals
from afterimage.statistics.worth import sized

#: The p value is the confidence, from the one to 1 minus the other, at which a bound is 0.
_LEAST_CONFIDENCE, _LEAST_P = 1e-6, 1e-12


class Difference(NamedTuple):
    """The difference of two shares.

    Attributes:
        estimate: First minus second, -1 to 1; NaN where one of the two has no answers, as all that follows.
        low: Lower bound, -1 to 1.
        high: Upper bound, above ``low``.
        p: Two-sided p value: 1 minus the confidence at which a bound is 0.
        correlation: Of the two shares over the clusters that they have in common; 0 where they have none.
    """

    estimate: float
    low: float
    high: float
    p: float
    correlation: float


def difference_of_totals(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    shared: bool = False,
    confidence: float = 0.95,
) -> Difference:
    """Return the difference of two clustered shares.

    Args:
        first: Successes and sizes of the first share's clusters, shape (clusters,) each.
        second: The same of the second.
        shared: Whether place by place the clusters are the same ones (genuine images and controls of one figure); one
            that is absent on one side has size 0 there. Otherwise they are separate.
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: As for a share, or shared clusters differ in number.
    """
    correlation = residual_correlation(*first, *second) if shared else 0.0
    correlation = 0.0 if math.isnan(correlation) else correlation
    return difference_of_shares(
        lambda level: share_of_totals(*first, level),
        lambda level: share_of_totals(*second, level),
        correlation,
        confidence,
    )


def difference_of_shares(
    first: Callable[[float], Share],
    second: Callable[[float], Share],
    correlation: float = 0.0,
    confidence: float = 0.95,
) -> Difference:
    """Return the difference of two numbers from 0 to 1 that are worked out anew at each confidence.

    Args:
        first: The first number at a confidence.
        second: The second.
        correlation: Of the two, -1 to 1; see :func:`residual_correlation`.
        confidence: Coverage, between 0 and 1.
    """

    def bounds(level: float) -> Interval:
        return difference_bounds(first(level), second(level), correlation)

    one, other = first(confidence), second(confidence)
    if math.isnan(one.estimate) or math.isnan(other.estimate):
        return Difference(*(math.nan,) * 5)
    low, high = bounds(confidence)
    return Difference(one.estimate - other.estimate, low, high, inverted_p(bounds), correlation)


def difference_bounds(first: Share, second: Share, correlation: float = 0.0) -> Interval:
    """Return the bounds of a difference from those of its parts.

    ::

        low  = p1 - p2 - sqrt(a^2 + b^2 - 2 r a b),  a = p1 - l1,  b = u2 - p2
        high = p1 - p2 + sqrt(a^2 + b^2 - 2 r a b),  a = u1 - p1,  b = p2 - l2

    Args:
        first: The first number and its bounds.
        second: The second.
        correlation: r; 0 for separate clusters (Newcombe's method 10).
    """
    estimate = first.estimate - second.estimate
    down = _reach(first.estimate - first.low, second.high - second.estimate, correlation)
    up = _reach(first.high - first.estimate, second.estimate - second.low, correlation)
    return Interval(estimate - down, estimate + up)


def residual_correlation(
    successes: ArrayLike, sizes: ArrayLike, other_successes: ArrayLike, other_sizes: ArrayLike
) -> float:
    """Return the correlation of two shares over the same clusters, drawn towards 0 by half clusters.

    ::

        e_ig = y_ig - m_ig p_i      h_i = (M_i^2/2) ((1 - p_i)^2 + p_i^2)
        r = sum e_1 e_2 / sqrt((sum e_1^2 + h_1) (sum e_2^2 + h_2))

    The half clusters keep r below 1, so that no difference has zero width.

    Args:
        successes: Of the first share's clusters, shape (clusters,).
        sizes: Their sizes; 0 where a cluster has no answer on this side.
        other_successes: Of the same clusters, for the second share.
        other_sizes: Their sizes.

    Raises:
        ValueError: The numbers of clusters differ.
    """
    (one, own), (other, others) = (
        _residuals(successes, sizes),
        _residuals(other_successes, other_sizes),
    )
    if one.shape != other.shape:
        raise ValueError(f"expected the same clusters, found {one.shape} and {other.shape}")
    scale = math.sqrt((float(one @ one) + own) * (float(other @ other) + others))
    return float(one @ other) / scale


def inverted_p(bounds: Callable[[float], Interval]) -> float:
    """Return the p value of a difference: 1 minus the confidence at which one of its bounds is 0.

    Args:
        bounds: The interval at a confidence, wider where that is higher.

    Returns:
        From 1e-12 to 1.
    """
    # Here, because only tables of differences need it.
    from scipy.optimize import brentq

    def inside(confidence: float) -> float:
        low, high = bounds(confidence)
        return min(-low, high)

    if inside(_LEAST_CONFIDENCE) >= 0:
        return 1.0
    if inside(1 - _LEAST_P) <= 0:
        return _LEAST_P
    return 1 - float(brentq(inside, _LEAST_CONFIDENCE, 1 - _LEAST_P))


def _reach(a: float, b: float, correlation: float) -> float:
    return math.sqrt(max(a**2 + b**2 - 2 * correlation * a * b, 0.0))


def _residuals(successes: ArrayLike, sizes: ArrayLike) -> tuple[FloatArray, float]:
    """Return the clusters' distances from the common share, and what the half clusters add to their squares."""
    y, m = np.asarray(successes, dtype=float), np.asarray(sizes, dtype=float)
    if not m.any():
        return np.full_like(m, math.nan), math.nan
    p = float(y.sum() / m.sum())
    typical = sized(m).typical
    return y - m * p, typical**2 / 2 * ((1 - p) ** 2 + p**2)
