"""Every interval of every table: how a share, a mean and a statistic of counts are bounded. Slow imports come late."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any


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
