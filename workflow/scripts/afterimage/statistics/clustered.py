"""Bootstrap of any statistic of counts over clusters, for ratios such as precision and F1."""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import LEAST_CLUSTERS

# Resamples times clusters that are held at once: 32 MB of weights.
_CELLS_IN_MEMORY = 4_000_000


class Intervals(NamedTuple):
    """Percentile intervals of several statistics.

    Attributes:
        low: Lower bounds, shape (statistics,); NaN where undefined or where there is too little to say.
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
        if len(names) >= LEAST_CLUSTERS
        else np.full_like(statistics(sums.sum(axis=0, keepdims=True)), np.nan)
    )
    tail = (1 - confidence) / 2
    defined = np.isfinite(values).mean(axis=0) > 1 - tail
    low, high = np.full((2, values.shape[1]), np.nan)
    if defined.any():
        low[defined], high[defined] = np.nanquantile(values[:, defined], [tail, 1 - tail], axis=0)
    said = high > low
    return Intervals(np.where(said, low, np.nan), np.where(said, high, np.nan), len(names))


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
