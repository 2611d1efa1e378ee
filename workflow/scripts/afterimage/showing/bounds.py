"""Every interval of every table: how a share, a mean and a statistic of counts are bounded. Slow imports come late."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple


class Interval(NamedTuple):
    """Lower and upper bound; NaN where undefined."""

    low: float
    high: float


UNDEFINED = Interval(float("nan"), float("nan"))


def share_bounds(k: int, n: int, settings: Mapping[str, Any]) -> tuple[float, float]:
    """Return the bounds of ``k`` out of ``n`` in percent; NaN without any. Every table's, for independent answers."""
    from afterimage.statistics.intervals import wilson_interval

    low, high = wilson_interval(k, n, settings["confidence"])
    return 100 * low, 100 * high


def averaged_bounds(
    estimates: Sequence[Real], bounds: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """Return the bounds of the plain mean of independent estimates, from theirs."""
    from afterimage.statistics.averages import mean_interval

    lows, highs = zip(*bounds, strict=True)
    return mean_interval([float(value) for value in estimates], lows, highs)


def mean_bounds(
    numbers: Any, clusters: Any, settings: Mapping[str, Any]
) -> tuple[float, float, float]:
    """Return the mean of numbers, and its bounds from resampling clusters whole.

    Args:
        numbers: One number for each unit.
        clusters: The cluster of each unit.
        settings: "confidence", "resamples", "seed".
    """
    import numpy as np

    from afterimage.statistics.bootstrap import cluster_bootstrap

    found = cluster_bootstrap(
        np.asarray(numbers, dtype=float),
        list(clusters),
        np.random.default_rng(settings["seed"]),
        settings["resamples"],
        settings["confidence"],
    )
    return found.estimate, found.low, found.high


def statistic_bounds(
    counts: Any,
    clusters: Sequence[Any],
    statistics: Callable[[Any], Any],
    settings: Mapping[str, Any],
    seed: int | Sequence[int] | None = None,
) -> Any:
    """Return bounds of statistics of summed counts, such as precision or F1, from resampling clusters whole.

    Args:
        counts: What each unit counts, shape (units, kinds).
        clusters: The cluster of each unit.
        statistics: From summed counts to values, see :func:`afterimage.statistics.clustered.cluster_intervals`.
        settings: "confidence", "resamples", "seed".
        seed: Of the resamples, where it is another than that of the settings.

    Returns:
        :class:`afterimage.statistics.clustered.Intervals`.
    """
    import numpy as np

    from afterimage.statistics.clustered import cluster_intervals

    return cluster_intervals(
        counts,
        clusters,
        statistics,
        np.random.default_rng(settings["seed"] if seed is None else seed),
        settings["resamples"],
        settings["confidence"],
    )


def resampled_bounds(
    clusters: Sequence[Any], statistic: Callable[[Any], float], settings: Mapping[str, Any]
) -> tuple[float, float, int]:
    """Return bounds of a statistic that no counts sum up, such as a rank correlation, from resampling clusters whole.

    Args:
        clusters: The cluster of each unit.
        statistic: From the places of units to a value, NaN where undefined.
        settings: "confidence", "resamples", "seed".

    Returns:
        The bounds, and behind them the number of resamples in which the statistic is defined; NaN and 0 where it is
        undefined as a whole or there are fewer than two clusters.
    """
    import numpy as np

    _, members = np.unique(np.asarray(clusters), return_inverse=True)
    of_cluster = [np.flatnonzero(members == number) for number in range(len(set(members)))]
    if len(of_cluster) < 2 or np.isnan(statistic(np.arange(len(members)))):
        return *UNDEFINED, 0
    generator = np.random.default_rng(settings["seed"])
    drawn = generator.integers(len(of_cluster), size=(settings["resamples"], len(of_cluster)))
    values = np.array(
        [statistic(np.concatenate([of_cluster[place] for place in places])) for places in drawn]
    )
    values = values[~np.isnan(values)]
    if not len(values):
        return *UNDEFINED, 0
    tail = (1 - settings["confidence"]) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high), len(values)


def difference_bounds(
    first: tuple[int, int], second: tuple[int, int], settings: Mapping[str, Any]
) -> tuple[float, float]:
    """Return Newcombe's bounds (1998) of the difference of two independent shares, each ``k`` out of ``n`` above 0."""
    from statsmodels.stats.proportion import confint_proportions_2indep

    alpha = 1 - settings["confidence"]
    low, high = confint_proportions_2indep(
        *first, *second, method="newcomb", compare="diff", alpha=alpha
    )
    return float(low), float(high)


def few_clusters_weights(clusters: int, settings: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return how often each cluster is in each resample, and how likely that is; see :mod:`few_clusters`."""
    import numpy as np

    from afterimage.statistics.few_clusters import bootstrap_weights

    generator = np.random.default_rng(settings["seed"])
    return bootstrap_weights(clusters, settings["resamples"], generator)


def weighted_bounds(values: Any, chances: Any, settings: Mapping[str, Any]) -> Interval:
    """Return percentile bounds of a statistic's values in resamples that come with probabilities."""
    from afterimage.statistics.few_clusters import weighted_interval

    return Interval(*weighted_interval(values, chances, settings["confidence"]))


def jackknife_bounds(estimate: float, without: Any, settings: Mapping[str, Any]) -> Interval:
    """Return bounds of an estimate from what it is without each cluster, by Student's t."""
    from afterimage.statistics.few_clusters import jackknife_interval

    return Interval(*jackknife_interval(estimate, without, settings["confidence"]))
