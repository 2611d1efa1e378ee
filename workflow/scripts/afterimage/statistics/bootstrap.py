"""Bootstrap over clusters, for units that are not independent of each other."""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

# Resamples times clusters that are held at once: 32 MB of indices.
_CELLS_IN_MEMORY = 4_000_000


class Estimate(NamedTuple):
    """A mean with its bootstrap interval.

    Attributes:
        estimate: Mean over the units; NaN without units.
        low: Lower bound; NaN with fewer than two clusters, which show no variation between
            clusters.
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
    if len(names) < 2:
        return Estimate(float(units.mean()), math.nan, math.nan, len(names), 0)
    bounds = stats.bootstrap(
        (sums, counts),
        _pooled_mean,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=resamples,
        confidence_level=confidence,
        batch=max(1, _CELLS_IN_MEMORY // len(names)),
        rng=generator,
    ).confidence_interval
    return Estimate(
        float(units.mean()), float(bounds.low), float(bounds.high), len(names), resamples
    )


def _pooled_mean(sums: np.ndarray, counts: np.ndarray, axis: int) -> np.ndarray:
    return sums.sum(axis=axis) / counts.sum(axis=axis)
