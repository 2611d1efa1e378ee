"""Intervals from few clusters: all resamples counted out instead of drawn, and the jackknife.

With G clusters there are only C(2G - 1, G) different bootstrap resamples (35 for 4), each with its multinomial
probability. Counting them out leaves no chance in the interval and costs less than drawing thousands.

Percentile bounds of the bootstrap are too narrow with few clusters: the resamples vary by (G - 1)/G of the
variance, and no quantile of Student's t makes up for the few degrees of freedom. The delete-one jackknife with
G - 1 degrees of freedom does both (Cameron, Gelbach and Miller 2008; MacKinnon, Nielsen and Webb 2023).
"""

import math
from itertools import combinations_with_replacement

import numpy as np
from scipy.special import gammaln, stdtrit, xlogy

from afterimage.statistics.intervals import Interval


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
