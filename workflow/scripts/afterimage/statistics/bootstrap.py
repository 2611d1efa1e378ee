"""Bootstrap over clusters, enumerated if clusters are few, and the jackknife.

G clusters have only C(2G - 1, G) different bootstrap resamples (35 for 4), each with its multinomial probability.
Enumerating them removes chance from the interval and costs less than drawing thousands.

Percentile bounds of the bootstrap are too narrow with few clusters: the resamples vary by (G - 1)/G of the
variance, and no quantile of Student's t makes up for the few degrees of freedom. The delete-one jackknife with
G - 1 degrees of freedom does both (Cameron, Gelbach and Miller 2008; MacKinnon, Nielsen and Webb 2023).
"""

import math
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, stdtrit, xlogy

from afterimage.statistics.intervals import MIN_CLUSTERS, Interval, enough_to_say

# ---- clustered ----

# Resamples times clusters that are held at once: 32 MB of indices or weights.
_CELLS_IN_MEMORY = 4_000_000


class Estimate(NamedTuple):
    """A mean with its bootstrap interval.

    Attributes:
        estimate: Mean over the units; NaN without units.
        low: Lower bound; NaN if there is too little to say, see :func:`intervals.enough_to_say`.
        high: Upper bound, likewise.
        clusters: Number of distinct clusters.
        resamples: Number of resamples behind the bounds; 0 where they are undefined.
    """

    estimate: float
    low: float
    high: float
    clusters: int
    resamples: int


def cluster_bootstrap(
    values: ArrayLike,
    clusters: Sequence[Hashable],
    generator: np.random.Generator,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Estimate:
    """Estimate the mean of ``values`` with a percentile interval from resampling whole clusters.

    Each resample draws as many clusters as there are, with replacement, and takes the mean over all
    of their units, so larger clusters weigh more, as they do in the estimate. Clusters are put in
    order first: the order of the units does not matter, and two calls with equal clusters and
    equally seeded generators resample alike.

    Args:
        values: One number per unit, shape (units,).
        clusters: The cluster of each unit, sortable, shape (units,).
        generator: Source of the resamples.
        resamples: Number of resamples, at least 1.
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: ``values`` and ``clusters`` differ in length.
    """
    units = np.asarray(values, dtype=float)
    if units.shape != (len(clusters),):
        raise ValueError(f"expected one cluster per value, found {len(clusters)} for {units.shape}")
    if not units.size:
        return Estimate(math.nan, math.nan, math.nan, 0, 0)
    names, membership = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(membership, weights=units)
    counts = np.bincount(membership)
    nothing = Estimate(float(units.mean()), math.nan, math.nan, len(names), 0)
    if len(names) < MIN_CLUSTERS:
        return nothing
    means = np.sort(_resampled_means(sums, counts, generator, resamples))
    tail = (1 - confidence) / 2
    low, high = (_quantile(means, share) for share in (tail, 1 - tail))
    if not enough_to_say(low, high, len(names)):
        return nothing
    return Estimate(float(units.mean()), low, high, len(names), resamples)


def _resampled_means(
    sums: np.ndarray, counts: np.ndarray, generator: np.random.Generator, resamples: int
) -> np.ndarray:
    """Return the pooled mean of each resample; it draws as ``scipy.stats.bootstrap`` does, batch by batch."""
    clusters = len(sums)
    batch = max(1, _CELLS_IN_MEMORY // clusters)
    means = []
    for start in range(0, resamples, batch):
        chosen = generator.integers(0, clusters, (min(batch, resamples - start), clusters))
        means.append(sums[chosen].sum(axis=1) / counts[chosen].sum(axis=1))
    return np.concatenate(means)


def _quantile(ordered: np.ndarray, share: float) -> float:
    """Return a quantile, interpolated as in ``scipy.stats.quantile``: NumPy's own differs in the last digit."""
    position = share * len(ordered) + (1 - share)
    below, weight = int(position // 1) - 1, position % 1
    above = min(below + 1, len(ordered) - 1)
    return float((1 - weight) * ordered[below] + weight * ordered[above])


class Intervals(NamedTuple):
    """Percentile intervals of several statistics.

    Attributes:
        low: Lower bounds, shape (statistics,); NaN if undefined or where there is too little to say.
        high: Upper bounds, likewise.
        clusters: Number of distinct clusters.
    """

    low: np.ndarray
    high: np.ndarray
    clusters: int


def cluster_intervals(
    counts: ArrayLike,
    clusters: Sequence[Hashable],
    statistics: Callable[[np.ndarray], np.ndarray],
    generator: np.random.Generator,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Intervals:
    """Return percentile intervals of statistics of summed counts from resampling whole clusters.

    Each resample draws as many clusters as there are, with replacement, and sums the counts of all of
    their units. A resample in which a statistic is undefined (a precision without any positive) is left
    out of its interval; where these are more than a tail of it, the bounds could lie anywhere and are NaN,
    and so they are where there is too little to say (:func:`intervals.enough_to_say`). The order of the units does not
    matter.

    Args:
        counts: What each unit counts, shape (units, kinds).
        clusters: The cluster of each unit, sortable, shape (units,).
        statistics: From summed counts, shape (resamples, kinds), to values, shape (resamples, statistics), NaN
            where undefined.
        generator: Source of the resamples.
        resamples: Number of resamples, at least 1.
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: ``counts`` and ``clusters`` differ in length.
    """
    units = np.asarray(counts, dtype=float)
    if units.ndim != 2 or len(units) != len(clusters):
        raise ValueError(
            f"expected one cluster per row of counts, found {len(clusters)} for {units.shape}"
        )
    names, membership = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.zeros((len(names), units.shape[1]))
    np.add.at(sums, membership, units)
    values = (
        statistics(resampled_sums(sums, generator, resamples))
        if len(names) >= MIN_CLUSTERS
        else np.full_like(statistics(sums.sum(axis=0, keepdims=True)), np.nan)
    )
    tail = (1 - confidence) / 2
    defined = np.isfinite(values).mean(axis=0) > 1 - tail
    low, high = np.full((2, values.shape[1]), np.nan)
    if defined.any():
        low[defined], high[defined] = np.nanquantile(values[:, defined], [tail, 1 - tail], axis=0)
    has_width = high > low
    return Intervals(
        np.where(has_width, low, np.nan), np.where(has_width, high, np.nan), len(names)
    )


def resampled_sums(sums: np.ndarray, generator: np.random.Generator, resamples: int) -> np.ndarray:
    """Return the summed counts of each resample, shape (resamples, kinds).

    Args:
        sums: What each cluster counts, shape (clusters, kinds).
        generator: Source of the resamples.
        resamples: Number of resamples.
    """
    clusters = len(sums)
    portion = max(1, _CELLS_IN_MEMORY // clusters)
    shares = np.full(clusters, 1 / clusters)
    return np.concatenate(
        [
            generator.multinomial(clusters, shares, size=min(portion, resamples - done)) @ sums
            for done in range(0, resamples, portion)
        ]
    )


# ---- few clusters ----


def bootstrap_weights(
    clusters: int, resamples: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each cluster is in each resample, and the probability of each resample.

    Where there are at most ``resamples`` different resamples, they are all returned, and nothing is drawn.

    Args:
        clusters: Number of clusters, at least 1.
        resamples: Number of resamples to draw where there are more than these.
        generator: Source of drawn resamples.

    Returns:
        Whole numbers, shape (resamples, clusters), each row summing to ``clusters``; probabilities, shape
        (resamples,), summing to 1.
    """
    if math.comb(2 * clusters - 1, clusters) > resamples:
        shares = np.full(clusters, 1 / clusters)
        return generator.multinomial(clusters, shares, resamples), np.full(resamples, 1 / resamples)
    chosen = combinations_with_replacement(range(clusters), clusters)
    weights = np.array([np.bincount(members, minlength=clusters) for members in chosen])
    # Multinomial, each cluster as likely as any other.
    chances = np.exp(
        gammaln(clusters + 1) + np.sum(xlogy(weights, 1 / clusters) - gammaln(weights + 1), axis=1)
    )
    return weights, chances / chances.sum()


def weighted_interval(values: np.ndarray, chances: np.ndarray, confidence: float) -> Interval:
    """Return the percentile interval of values that come with probabilities.

    Values that are undefined (NaN) are left out; where they are more than a tail, the bounds could lie anywhere
    and are NaN.

    Args:
        values: One value per resample, shape (resamples,).
        chances: Probability of each resample, shape (resamples,).
        confidence: Coverage, between 0 and 1.
    """
    tail = (1 - confidence) / 2
    defined = np.isfinite(values)
    if not defined.any() or chances[~defined].sum() > tail:
        return Interval(math.nan, math.nan)
    low, high = np.quantile(
        values[defined], [tail, 1 - tail], weights=chances[defined], method="inverted_cdf"
    )
    return Interval(float(low), float(high))


def jackknife_interval(estimate: float, without: np.ndarray, confidence: float) -> Interval:
    """Return the interval of Student's t around an estimate from leaving out one cluster at a time.

    Args:
        estimate: From all clusters.
        without: Estimates without each of the clusters, shape (clusters,).
        confidence: Coverage, between 0 and 1.

    Returns:
        Bounds; NaN with fewer than two clusters or where an estimate is undefined.
    """
    clusters = len(without)
    if clusters < 2 or not (math.isfinite(estimate) and np.isfinite(without).all()):
        return Interval(math.nan, math.nan)
    error = math.sqrt((clusters - 1) / clusters * float(((without - estimate) ** 2).sum()))
    reach = float(stdtrit(clusters - 1, (1 + confidence) / 2)) * error
    return Interval(estimate - reach, estimate + reach)
