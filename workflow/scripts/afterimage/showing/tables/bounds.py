"""Every interval of every table, in percent: the one place where tables meet statistics. Slow imports come late.

The methods, and why: docs/statistics.md; the notes below tables are its short form. Clusters hold answers that may be
alike, mostly those about one image."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from afterimage.note import Note

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.statistics.matched import MatchedDifference as MatchedDifference
    from afterimage.statistics.shares import Share as Share

Settings = Mapping[str, Any]
#: Right or wrong, or scores, one for each answer, and the cluster of each answer.
Answers = tuple[Any, Iterable[Hashable]]


class Interval(NamedTuple):
    """Lower and upper bound; NaN if undefined."""

    low: float
    high: float


UNDEFINED = Interval(float("nan"), float("nan"))


def share_of(right: Any, clusters: Iterable[Hashable], settings: Settings) -> Share:
    """Return the share of right answers, 0 to 1, with Wilson's interval on the effective number of answers.

    Args:
        right: Whether each answer is right.
        clusters: The cluster of each answer.
        settings: "confidence".
    """
    import numpy as np

    from afterimage.statistics.shares import clustered_share

    return clustered_share(np.asarray(right, dtype=float), list(clusters), settings["confidence"])


def share_bounds(
    right: Any, clusters: Iterable[Hashable], settings: Settings
) -> tuple[float, float]:
    """Return the bounds of a share in percent; NaN without answers. See :func:`share_of`."""
    return in_percent(share_of(right, clusters, settings))


def score_bounds(
    scores: Any, clusters: Iterable[Hashable], settings: Settings, top: float = 1.0
) -> tuple[float, float]:
    """Return the bounds of a mean of scores from 0 to ``top``, on the scores' own scale.

    Args:
        scores: A number for each answer.
        clusters: The cluster of each answer.
        settings: "confidence".
        top: The highest score.
    """
    from afterimage.statistics.shares import clustered_score

    found = clustered_score(scores, list(clusters), top, settings["confidence"])
    return top * found.low, top * found.high


def f1_bounds(
    hits: Any, mistakes: Any, clusters: Iterable[Hashable], settings: Settings
) -> tuple[float, float]:
    """Return the bounds of F1 in percent.

    Args:
        hits: Whether each answer is a true positive.
        mistakes: Whether it is a false positive or a false negative.
        clusters: The cluster of each answer.
        settings: "confidence".
    """
    from afterimage.statistics.intervals import totals
    from afterimage.statistics.shares import f1_of_totals

    _, true_positives, wrong = totals(list(clusters), hits, mistakes)
    return in_percent(f1_of_totals(true_positives, wrong, settings["confidence"]))


def mean_of_groups(groups: Sequence[Answers], settings: Settings) -> Share:
    """Return the plain mean of the shares of several groups of answers, 0 to 1, with its interval.

    Args:
        groups: Right or wrong, and the clusters, of each group; groups may share clusters.
        settings: "confidence".
    """
    from afterimage.statistics.shares import mean_of_shares

    each = [(right, list(clusters)) for right, clusters in groups]
    shares = [share_of(right, clusters, settings) for right, clusters in each]
    return mean_of_shares(shares, _shared(each), settings["confidence"])


def mean_of_separate(shares: Sequence[Share], settings: Settings) -> Share:
    """Return the plain mean of shares that have no cluster in common, 0 to 1, with its interval."""
    from afterimage.statistics.shares import mean_of_shares

    return mean_of_shares(shares, None, settings["confidence"])


def matched(
    first: Any, second: Any, clusters: Iterable[Hashable], settings: Settings
) -> MatchedDifference:
    """Return the difference of two shares over the same units, first minus second, -1 to 1, with interval and p value.

    Args:
        first: Whether the first is right, of each unit.
        second: Whether the second is.
        clusters: The cluster of each unit.
        settings: "confidence".
    """
    from afterimage.statistics.matched import matched_difference

    return matched_difference(first, second, list(clusters), settings["confidence"])


def difference_bounds(
    first: tuple[Any, Any], second: tuple[Any, Any], settings: Settings, shared: bool = False
) -> Interval:
    """Return the bounds of the difference of two shares that are not matched unit by unit, -1 to 1.

    Args:
        first: Successes and sizes of the first share's clusters.
        second: The same of the second.
        settings: "confidence".
        shared: Whether the clusters are the same ones, place by place.
    """
    from afterimage.statistics.unmatched import difference_of_totals

    found = difference_of_totals(first, second, shared, settings["confidence"])
    return Interval(found.low, found.high)


def corrected(values: Sequence[float]) -> list[float]:
    """Return the p values of a family of tests, corrected by Holm's method."""
    from afterimage.statistics.matched import holm

    return holm(values)


def statistic_bounds(
    counts: Any,
    clusters: Sequence[Any],
    statistics: Callable[[Any], Any],
    settings: Settings,
    seed: int | Sequence[int] | None = None,
) -> Any:
    """Return bounds of statistics of summed counts, such as kappa, from resampling clusters whole.

    For statistics that are no share and no difference of shares; NaN with too few clusters.

    Args:
        counts: The counts of each unit, shape (units, kinds).
        clusters: The cluster of each unit.
        statistics: From summed counts to values, see :func:`afterimage.statistics.bootstrap.cluster_intervals`.
        settings: "confidence", "resamples", "seed".
        seed: Seed of the resamples; that of the settings where None.

    Returns:
        :class:`afterimage.statistics.bootstrap.Intervals`.
    """
    import numpy as np

    from afterimage.statistics.bootstrap import cluster_intervals

    return cluster_intervals(
        counts,
        clusters,
        statistics,
        np.random.default_rng(settings["seed"] if seed is None else seed),
        settings["resamples"],
        settings["confidence"],
    )


def resampled_totals(totals: Any, settings: Settings) -> Any:
    """Return the summed counts of each resample, for statistics that share one set of resampled clusters.

    Args:
        totals: The counts of each cluster, shape (clusters, kinds).
        settings: "resamples", "seed".

    Returns:
        Shape (resamples, kinds); (0, kinds) with too few clusters.
    """
    import numpy as np

    from afterimage.statistics.bootstrap import resampled_sums
    from afterimage.statistics.intervals import MIN_CLUSTERS

    if len(totals) < MIN_CLUSTERS:
        return np.empty((0, totals.shape[1]))
    return resampled_sums(totals, np.random.default_rng(settings["seed"]), settings["resamples"])


def mean_bounds(
    numbers: Any, clusters: Any, settings: Mapping[str, Any]
) -> tuple[float, float, float]:
    """Return the mean of numbers without limits, and its bounds from resampling clusters whole.

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


def resampled_bounds(
    clusters: Sequence[Any], statistic: Callable[[Any], float], settings: Mapping[str, Any]
) -> tuple[float, float, int]:
    """Return bounds of a statistic that is no function of counts, such as a rank correlation, by resampling clusters.

    Args:
        clusters: The cluster of each unit.
        statistic: From the indices of units to a value, NaN if undefined.
        settings: "confidence", "resamples", "seed".

    Returns:
        The bounds, and the number of resamples in which the statistic is defined; NaN and 0 where it is undefined for
        all units or there are too few clusters.
    """
    import numpy as np

    from afterimage.statistics.intervals import MIN_CLUSTERS, enough_to_say

    _, members = np.unique(np.asarray(clusters), return_inverse=True)
    of_cluster = [np.flatnonzero(members == number) for number in range(len(set(members)))]
    if len(of_cluster) < MIN_CLUSTERS or np.isnan(statistic(np.arange(len(members)))):
        return *UNDEFINED, 0
    generator = np.random.default_rng(settings["seed"])
    samples = generator.integers(len(of_cluster), size=(settings["resamples"], len(of_cluster)))
    values = np.array(
        [
            statistic(np.concatenate([of_cluster[cluster] for cluster in sample]))
            for sample in samples
        ]
    )
    values = values[~np.isnan(values)]
    if not len(values):
        return *UNDEFINED, 0
    tail = (1 - settings["confidence"]) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    if not enough_to_say(low, high, len(of_cluster)):
        return *UNDEFINED, 0
    return float(low), float(high), len(values)


def few_clusters_weights(clusters: int, settings: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return how often each cluster is in each resample, and how likely that is; see :mod:`few_clusters`."""
    import numpy as np

    from afterimage.statistics.bootstrap import bootstrap_weights

    generator = np.random.default_rng(settings["seed"])
    return bootstrap_weights(clusters, settings["resamples"], generator)


def weighted_bounds(values: Any, chances: Any, settings: Mapping[str, Any]) -> Interval:
    """Return percentile bounds of a statistic's values in resamples that come with probabilities."""
    from afterimage.statistics.bootstrap import weighted_interval

    return Interval(*weighted_interval(values, chances, settings["confidence"]))


def jackknife_bounds(estimate: float, without: Any, settings: Mapping[str, Any]) -> Interval:
    """Return bounds of an estimate from what it is without each cluster, by Student's t."""
    from afterimage.statistics.bootstrap import jackknife_interval

    return Interval(*jackknife_interval(estimate, without, settings["confidence"]))


def with_width(low: float, high: float, minimum: float = 1e-4) -> Interval:
    """Return bounds; undefined where they differ by no more than ``minimum`` and would print as one number.

    Clusters that all agree, as those of a simulated answerer do, say nothing of others.
    """
    return Interval(float(low), float(high)) if high - low > minimum else UNDEFINED


def in_percent(found: Share) -> tuple[float, float]:
    return 100 * found.low, 100 * found.high


def _shared(groups: Sequence[tuple[Any, list[Hashable]]]) -> Any:
    """Return the correlations between groups, 0 where two share no cluster; None if no two share any."""
    import numpy as np

    from afterimage.statistics.intervals import totals
    from afterimage.statistics.shares import group_correlations

    names = list(dict.fromkeys(cluster for _, clusters in groups for cluster in clusters))
    columns = {name: column for column, name in enumerate(names)}
    sizes, successes = np.zeros((2, len(groups), len(names)))
    for number, (right, clusters) in enumerate(groups):
        present = [columns[name] for name in dict.fromkeys(clusters)]
        sizes[number, present], successes[number, present] = totals(clusters, right)
    overlap = (sizes > 0).astype(float) @ (sizes > 0).T
    if not (overlap - np.diag(np.diag(overlap))).any() or not sizes.any(axis=1).all():
        return None
    return np.where(overlap > 0, group_correlations(successes, sizes), 0.0)


# ---- what notes below tables say ----


def coverage_of(settings: Settings) -> str:
    """Return the intervals' coverage as notes print it: ``95 %``."""
    return f"{100 * settings['confidence']:.10g} %"


def interval_note(clusters: str, where: str = "Brackets") -> Note:
    """Return the sentence about the intervals of shares.

    Args:
        clusters: The clusters of answers: "images".
        where: Where the intervals are printed.
    """
    return Note(
        "{where}: {coverage} interval, Wilson's on what the answers are worth, as those of one cluster may be alike; "
        "clusters: {clusters} (docs/statistics.md).",
        where=where,
        coverage="{coverage}",
        clusters=clusters,
    )


def repeats_note(answers: pd.DataFrame) -> Iterator[str]:
    """Yield the note that repeats are pooled, where models answered more than once."""
    repeats = answers["repeat"].nunique() if "repeat" in answers else 1
    if repeats > 1:
        yield Note("Answers of {repeats} repeats are pooled.", repeats=repeats)


def test_note(clusters: str, family: str = "all rows of this table") -> str:
    """Return the sentences about the p values of differences.

    Args:
        clusters: The clusters of pairs: "images".
        family: Which tests are corrected together.
    """
    return Note(
        "p: the signs of whole clusters flipped, two-sided mid-p; clusters: {clusters}. "
        "Corrected: by Holm's method, together for {family}. Too few differing clusters: "
        "fewer than five cannot reach 5 %. Intervals are not corrected.",
        clusters=clusters,
        family=family,
    )
