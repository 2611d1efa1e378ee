"""Bootstrap over clusters, for units that are not independent of each other."""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import LEAST_CLUSTERS, enough_to_say

# Resamples times clusters that are held at once: 32 MB of indices.
_CELLS_IN_MEMORY = 4_000_000


class Estimate(NamedTuple):
    """A mean with its bootstrap interval.

    Attributes:
        estimate: Mean over the units; NaN without units.
        low: Lower bound; NaN where there is too little to say, see :func:`intervals.enough_to_say`.
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
    if len(names) < LEAST_CLUSTERS:
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
    place = share * len(ordered) + (1 - share)
    below, weight = int(place // 1) - 1, place % 1
    above = min(below + 1, len(ordered) - 1)
    return float((1 - weight) * ordered[below] + weight * ordered[above])
