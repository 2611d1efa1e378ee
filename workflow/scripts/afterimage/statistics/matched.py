"""Matched comparison of two conditions or models, unit by unit, and Holm's correction.

The interval is Tango's score interval on the effective number of pairs; the p value flips the signs of whole clusters.
The p value decides significance, the interval shows the size: with p just below 0.05 it may still include 0.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import (
    FloatArray,
    effective_pairs,
    normal_quantile,
    sized,
    totals,
)


def holm(values: Sequence[float]) -> list[float]:
    """Return p values corrected so that the chance of any false alarm among them stays below the level.

    Sorted ascending, ``p_(i)' = max over j <= i of min(1, (N - j + 1) p_(j))`` (Holm 1979, Scandinavian Journal of
    Statistics 6, 65). The family is what one table asks in one way: all p values of one metric for one kind of
    comparison, over all rows and subsets.

    Args:
        values: p values; undefined ones (NaN) are no tests and do not count. A p value of 1 does.

    Returns:
        In the order given; NaN stays NaN.
    """
    tests = sorted((p, index) for index, p in enumerate(values) if not math.isnan(p))
    corrected = [math.nan] * len(values)
    highest = 0.0
    for rank, (p, index) in enumerate(tests):
        highest = max(highest, min(1.0, (len(tests) - rank) * p))
        corrected[index] = highest
    return corrected


# ---- matched ----

#: With fewer clusters that differ no p value of sign flips can reach 5 %: the least is 2^-4.
MIN_DIFFERING = 5

_BISECTIONS = 60


class MatchedDifference(NamedTuple):
    """The difference of two shares over the same units.

    Attributes:
        estimate: First minus second, -1 to 1; NaN without units, as the bounds and the p value.
        low: Lower bound, -1 to 1.
        high: Upper bound, above ``low``.
        p: Two-sided p value of flipping the signs of clusters.
        n: Units.
        clusters: Clusters with at least one of them.
        only_first: b, units that only the first gets right.
        only_second: c, units that only the second does.
        differing: Clusters in which the two differ; below :data:`MIN_DIFFERING` p cannot reach 5 %.
        effective_n: n*, the effective number of pairs.
    """

    estimate: float
    low: float
    high: float
    p: float
    n: int
    clusters: int
    only_first: int
    only_second: int
    differing: int
    effective_n: float


def matched_difference(
    first: ArrayLike, second: ArrayLike, clusters: Sequence[Hashable], confidence: float = 0.95
) -> MatchedDifference:
    """Compare two sets of right or wrong answers to the same questions.

    Args:
        first: Whether each answer of the first is right, shape (units,), truth values or 0 and 1.
        second: The same of the second, in the same order.
        clusters: The cluster of each unit, shape (units,).
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: The shapes differ.
    """
    first_values, second_values = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first_values.shape != second_values.shape:
        raise ValueError(
            f"expected one pair per unit, found {first_values.shape} and {second_values.shape}"
        )
    sizes, sums, only_first = totals(
        clusters, first_values - second_values, first_values > second_values
    )
    b = round(float(only_first.sum()))
    c = b - round(float(sums.sum()))
    if not len(sizes):
        return MatchedDifference(*(math.nan,) * 4, 0, 0, 0, 0, 0, math.nan)
    n = float(sizes.sum())
    low, high, effective_n = paired_bounds(sums, sizes, b, c, confidence)
    return MatchedDifference(
        (b - c) / n,
        float(low),
        float(high),
        sign_flip_p(sums),
        round(n),
        len(sizes),
        b,
        c,
        int(np.count_nonzero(sums)),
        float(effective_n),
    )


def paired_bounds(
    differences: ArrayLike,
    sizes: ArrayLike,
    only_first: ArrayLike,
    only_second: ArrayLike,
    confidence: float = 0.95,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the bounds of a matched difference, Tango's of (b n*/n, c n*/n, n*), and n*.

    Args:
        differences: D_g, sums of the units' differences, shape (..., clusters).
        sizes: Units of each cluster, above 0, shape (clusters,).
        only_first: b, units that only the first gets right, shape (...).
        only_second: c, units that only the second does, shape (...).
        confidence: Coverage, between 0 and 1.

    Returns:
        Lower bounds, upper bounds, n*; shape (...) each.
    """
    b, c = np.asarray(only_first, dtype=float), np.asarray(only_second, dtype=float)
    of = sized(sizes)
    effective_n = effective_pairs(differences, b + c, of, confidence)
    low, high = tango_interval(
        b * effective_n / of.n, c * effective_n / of.n, effective_n, confidence
    )
    return low, high, effective_n


def tango_statistic(
    only_first: ArrayLike, only_second: ArrayLike, pairs: ArrayLike, difference: ArrayLike
) -> FloatArray:
    """Return the score statistic of a difference of paired shares (Tango 1998, Statistics in Medicine 17, 891).

    ::

        T = (b - c - n delta) / sqrt(n (2 q + delta (1 - delta)))
        q = (sqrt(B^2 - 8 n C) - B) / (4 n),  B = -b - c + (2 n - b + c) delta,  C = -c delta (1 - delta)

    At a difference of 0 its square is McNemar's statistic.

    Args:
        only_first: b, shape (...); none of the counts need be whole numbers.
        only_second: c, shape (...).
        pairs: n, above 0, shape (...).
        difference: delta, -1 to 1, shape (...).
    """
    b, c, n, delta = (
        np.asarray(x, dtype=float) for x in (only_first, only_second, pairs, difference)
    )
    linear = -b - c + (2 * n - b + c) * delta
    # Rounding may leave a root or a variance just below 0.
    root = np.sqrt(np.maximum(linear**2 + 8 * n * c * delta * (1 - delta), 0))
    q = (root - linear) / (4 * n)
    variance = np.maximum(n * (2 * q + delta * (1 - delta)), np.finfo(float).tiny)
    found: FloatArray = (b - c - n * delta) / np.sqrt(variance)
    return found


def tango_interval(
    only_first: ArrayLike, only_second: ArrayLike, pairs: ArrayLike, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Return all differences that Tango's statistic does not reject, found by bisection.

    Args:
        only_first: b, shape (...).
        only_second: c, shape (...).
        pairs: n, above 0, shape (...).
        confidence: Coverage, between 0 and 1.

    Returns:
        Lower and upper bounds, shape (...), -1 to 1.
    """
    b, c, n = np.broadcast_arrays(
        *(np.asarray(x, dtype=float) for x in (only_first, only_second, pairs))
    )
    z = normal_quantile(confidence)
    bounds = []
    for end, sign in ((-1.0, 1.0), (1.0, -1.0)):
        outside, inside = np.full_like(n, end), (b - c) / n
        for _ in range(_BISECTIONS):
            middle = (outside + inside) / 2
            rejected = sign * tango_statistic(b, c, n, middle) > z
            outside = np.where(rejected, middle, outside)
            inside = np.where(rejected, inside, middle)
        bounds.append((outside + inside) / 2)
    return bounds[0], bounds[1]


def sign_flip_p(differences: ArrayLike) -> float:
    """Return the two-sided p value of flipping the signs of clusters, counted exactly, mid-p.

    If neither of the two is better, each cluster's difference is as likely with the other sign (Canay, Romano and
    Shaikh 2017, Econometrica 85, 1013). With T = \\|sum D_g\\| and T' the same of all sign patterns,
    p = P(T' > T) + P(T' = T)/2. With one unit per cluster this is McNemar's mid-p test (Fagerland, Lydersen and Laake
    2013, BMC Medical Research Methodology 13, 91).

    Args:
        differences: D_g, whole numbers, shape (clusters,).

    Returns:
        The p value; 1 where no cluster differs. With u clusters that differ by the same amount it is at least 2^-u.

    Raises:
        ValueError: A difference is no whole number.
    """
    sums = np.asarray(differences, dtype=float)
    whole = np.rint(sums).astype(int)
    if not np.array_equal(whole, sums):
        raise ValueError("expected differences that are whole numbers, found others")
    sizes, how_many = np.unique(np.abs(whole[whole != 0]), return_counts=True)
    if not len(sizes):
        return 1.0
    chances = np.ones(1)
    for size, clusters in zip(sizes.tolist(), how_many.tolist(), strict=True):
        chances = np.convolve(chances, _signed_sums(size, clusters))
    # The array runs from -sum |D_g| to sum |D_g|.
    away = np.abs(np.arange(len(chances)) - len(chances) // 2)
    observed = abs(int(whole.sum()))
    return float(chances[away > observed].sum() + chances[away == observed].sum() / 2)


def _signed_sums(size: int, clusters: int) -> FloatArray:
    """Return the chances of all sums of so many numbers that are ``size`` or ``-size``, the least sum first."""
    from scipy.special import gammaln

    ups = np.arange(clusters + 1)
    ways = gammaln(clusters + 1) - gammaln(ups + 1) - gammaln(clusters - ups + 1)
    chances = np.zeros(2 * size * clusters + 1)
    chances[:: 2 * size] = np.exp(ways - clusters * math.log(2))
    return chances
