"""Intervals of shares, Wilson's on the effective number of answers n*, and of averages.

Answers about one image, or about two variants of one illusion, are correlated: the effective number of 28 answers in 7
such clusters can be as low as 7. The design effect D (Kish 1965, Survey Sampling; Rao and Scott 1992, Biometrics 48,
577) is the ratio of the variance of cluster totals to that of independent answers; n* = n/D replaces n.

Few clusters cannot show how correlated their answers are, least of all if nearly all are right. So for the variance
only, half a cluster of right answers and half a cluster of wrong answers are added (the idea of Agresti and Coull 1998,
The American Statistician 52, 119, with clusters instead of answers), and Student's t replaces the normal quantile. n*
lies between G* (all answers of a cluster alike) and n (independent answers).

Notation: cluster g has m_g units and the total y_g; n = sum m_g; G clusters; M = sum m_g^2 / n is the size of the
cluster of a typical unit; G* = n/M is the effective number of clusters (Carter, Schnepel and Steigerwald 2017, Review
of Economics and Statistics 99, 698), which is G for clusters of equal size.
"""

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

FloatArray = NDArray[np.float64]


class Interval(NamedTuple):
    """Lower and upper bound; both NaN if the interval is undefined."""

    low: float
    high: float


#: From fewer clusters no resampling can tell how a number varies.
MIN_CLUSTERS = 6


def enough_to_say(low: float, high: float, clusters: int) -> bool:
    """Tell whether resampled bounds say anything: with few clusters, or where all resamples agree, they do not.

    Args:
        low: Lower bound.
        high: Upper bound.
        clusters: How many clusters were resampled.
    """
    return clusters >= MIN_CLUSTERS and high > low


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
        answers: More than 0, shape (...); NaN if undefined.
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


# ---- effective number of answers ----

#: Up to so many effective clusters Student's t is undefined, and the cluster is the unit.
_ONE_CLUSTER = 1 + 1e-9


class Sizes(NamedTuple):
    """The sizes of clusters, summed up.

    Attributes:
        each: m_g, shape (clusters,), all above 0.
        n: Units in all.
        typical: M, the size of the cluster of a typical unit.
    """

    each: FloatArray
    n: float
    typical: float

    @property
    def effective(self) -> float:
        """G*, how many equal clusters weigh as much as these."""
        return self.n / self.typical


def totals(clusters: Sequence[Hashable], *columns: ArrayLike) -> tuple[FloatArray, ...]:
    """Add up numbers of units by cluster.

    Args:
        clusters: The cluster of each unit, shape (units,).
        *columns: One number per unit each, shape (units,).

    Returns:
        The number of units of each cluster and the totals of each column, shape (clusters,) each; clusters in the
        order of their first unit.

    Raises:
        ValueError: A column is not as long as ``clusters``.
    """
    indices: dict[Hashable, int] = {}
    membership = np.array(
        [indices.setdefault(cluster, len(indices)) for cluster in clusters], dtype=int
    )
    added = []
    for column in (np.ones(len(membership)), *columns):
        numbers = np.asarray(column, dtype=float)
        if numbers.shape != membership.shape:
            raise ValueError(
                f"expected one number per unit, found {numbers.shape} for {len(membership)} units"
            )
        added.append(np.bincount(membership, numbers, len(indices)).astype(float))
    return tuple(added)


def sized(sizes: ArrayLike) -> Sizes:
    """Sum up the sizes of clusters.

    Args:
        sizes: Units of each cluster, above 0, at least one cluster.
    """
    each = np.asarray(sizes, dtype=float)
    n = float(each.sum())
    return Sizes(each, n, float((each**2).sum()) / n)


@lru_cache(maxsize=4096)
def student_factor(effective: float, confidence: float) -> float:
    """Return (z/t)^2, t with G* - 1 degrees of freedom: n* shrinks by it. 0 for a single cluster."""
    if effective <= _ONE_CLUSTER:
        return 0.0
    t = float(stdtrit(effective - 1, 0.5 + 0.5 * confidence))
    return (normal_quantile(confidence) / t) ** 2


def effective_answers(
    sums: ArrayLike, sizes: Sizes, confidence: float = 0.95, max_n: ArrayLike | None = None
) -> FloatArray:
    """Return n* of right or wrong answers, or of scores from 0 to 1.

    ::

        p~ = (k + M/2) / (n + M)
        S  = sum (y_g - m_g p~)^2 + (M^2/2) ((1 - p~)^2 + p~^2)
        D  = (G + 1)/G S / ((n + M) p~ (1 - p~))
        n* = min(max_n, max(G*, (z/t)^2 n/D))

    Args:
        sums: y_g, shape (..., clusters): leading axes are replicates.
        sizes: Of the clusters.
        confidence: Of the interval that n* is for, between 0 and 1.
        max_n: Upper limit, shape (...); default: n. For scores: :func:`max_effective_answers`.
    """
    y = np.asarray(sums, dtype=float)
    n, typical = sizes.n, sizes.typical
    p = (y.sum(axis=-1) + typical / 2) / (n + typical)
    spread = ((y - sizes.each * p[..., None]) ** 2).sum(axis=-1) + _half_clusters(p, typical)
    return effective_n(sizes, (n + typical) * p * (1 - p), spread, confidence, max_n)


def max_effective_answers(sums: ArrayLike, squares: ArrayLike, sizes: Sizes) -> FloatArray:
    """Return kappa n, the upper limit of n* for n answers with scores from 0 to 1.

    Scores in between vary less than right or wrong answers of the same mean::

        unit  = Q - 2 p~ k + n p~^2 + (M/2) ((1 - p~)^2 + p~^2)
        kappa = (n + M) p~ (1 - p~) / unit

    Args:
        sums: Of the scores, shape (..., clusters).
        squares: Q, the sum of the squares of all scores, shape (...).
        sizes: Of the clusters.

    Returns:
        Shape (...); n where all scores are 0 or 1.
    """
    k = np.asarray(sums, dtype=float).sum(axis=-1)
    n, typical = sizes.n, sizes.typical
    p = (k + typical / 2) / (n + typical)
    halves = typical / 2 * ((1 - p) ** 2 + p**2)
    unit = np.asarray(squares, dtype=float) - 2 * p * k + n * p**2 + halves
    found: FloatArray = n * (n + typical) * p * (1 - p) / unit
    return found


def effective_pairs(
    differences: ArrayLike, discordant: ArrayLike, sizes: Sizes, confidence: float = 0.95
) -> FloatArray:
    """Return n* of matched differences, each -1, 0 or 1; the half clusters added are all +1 and all -1.

    ::

        d~ = (b - c) / (n + M)      unit = b + c + M - (n + M) d~^2
        S  = sum (D_g - m_g d~)^2 + (M^2/2) ((1 - d~)^2 + (1 + d~)^2)
        n* = min(n, max(G*, (z/t)^2 n unit G / ((G + 1) S)))

    Args:
        differences: D_g, sums of the units' differences, shape (..., clusters).
        discordant: b + c, how many units differ, shape (...).
        sizes: Of the clusters.
        confidence: Of the interval that n* is for, between 0 and 1.
    """
    d = np.asarray(differences, dtype=float)
    n, typical = sizes.n, sizes.typical
    mean = d.sum(axis=-1) / (n + typical)
    unit = np.asarray(discordant, dtype=float) + typical - (n + typical) * mean**2
    spread = ((d - sizes.each * mean[..., None]) ** 2).sum(axis=-1)
    spread = spread + typical**2 / 2 * ((1 - mean) ** 2 + (1 + mean) ** 2)
    return effective_n(sizes, unit, spread, confidence)


def effective_n(
    sizes: Sizes,
    unit: ArrayLike,
    spread: ArrayLike,
    confidence: float,
    max_n: ArrayLike | None = None,
) -> FloatArray:
    """Return n* = min(max_n, max(G*, (z/t)^2 n unit G / ((G + 1) spread))).

    Args:
        sizes: Of the clusters.
        unit: Sum of squares of the units, those of the added half clusters among them, shape (...).
        spread: S, the same of the clusters' totals, shape (...), above 0.
        confidence: Of the interval that n* is for.
        max_n: Upper limit, shape (...); default: n.
    """
    clusters = len(sizes.each)
    wanted = sizes.n * np.asarray(unit) * clusters / ((clusters + 1) * np.asarray(spread))
    wanted = wanted * student_factor(sizes.effective, confidence)
    upper = sizes.n if max_n is None else max_n
    limited: FloatArray = np.minimum(upper, np.maximum(sizes.effective, wanted))
    return limited


def _half_clusters(p: FloatArray, typical: float) -> FloatArray:
    """Return what the two half clusters add to the spread of the totals."""
    added: FloatArray = typical**2 / 2 * ((1 - p) ** 2 + p**2)
    return added


# ---- averages ----


def mean_interval(
    estimates: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> Interval:
    """Return the interval of the unweighted mean of independent estimates, from their own intervals.

    Method of variance estimates recovery (Zou and Donner 2008, Statistics in Medicine 27, 1693):
    each distance from an estimate to its bound stands for that side's standard error, and the
    squares add up. The interval has the coverage of those it is made of.

    Args:
        estimates: Point estimates, at least one.
        lows: Their lower bounds, in the same order.
        highs: Their upper bounds, in the same order.

    Returns:
        Bounds of the mean; NaN if one of the bounds is NaN.

    Raises:
        ValueError: There is no estimate, or the lengths differ.
    """
    if not estimates:
        raise ValueError("expected at least one estimate, found none")
    below = math.hypot(*(e - low for e, low in zip(estimates, lows, strict=True)))
    above = math.hypot(*(high - e for e, high in zip(estimates, highs, strict=True)))
    mean = math.fsum(estimates) / len(estimates)
    return Interval(mean - below / len(estimates), mean + above / len(estimates))
