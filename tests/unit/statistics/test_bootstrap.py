import math
from itertools import product

import numpy as np
import pytest

from afterimage.statistics import bootstrap
from afterimage.statistics.bootstrap import cluster_bootstrap

VALUES = [1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0]
CLUSTERS = list("aabbccddeeff")


def run(values=VALUES, clusters=CLUSTERS, seed=1, resamples=4000, confidence=0.95):
    return cluster_bootstrap(values, clusters, np.random.default_rng(seed), resamples, confidence)


def test_estimate_is_the_mean_over_units_with_unequal_clusters():
    assert run([1, 0, 0, 0], ["a", "b", "b", "b"]).estimate == 0.25


def test_bounds_approach_the_percentiles_of_all_possible_resamples():
    means = {"a": 1.0, "b": 0.0, "c": 0.5, "d": 1.0, "e": 0.5, "f": 0.5}
    every = [np.mean([means[name] for name in draw]) for draw in product("abcdef", repeat=6)]
    estimate = run(resamples=100_000)
    assert estimate.low == pytest.approx(np.percentile(every, 2.5), abs=0.01)
    assert estimate.high == pytest.approx(np.percentile(every, 97.5), abs=0.01)


def test_larger_clusters_weigh_more_in_the_resamples_too():
    values, clusters = [0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0], list("abbbbbbccdef")
    sums = {
        name: sum(v for v, c in zip(values, clusters, strict=True) if c == name)
        for name in clusters
    }
    every = [
        sum(sums[name] for name in draw) / sum(clusters.count(name) for name in draw)
        for draw in product("abcdef", repeat=6)
    ]
    estimate = run(values, clusters, resamples=100_000, confidence=0.7)
    assert estimate.low == pytest.approx(np.percentile(every, 15), abs=0.02)
    assert estimate.high == pytest.approx(np.percentile(every, 85), abs=0.02)


def test_whole_clusters_are_drawn_not_single_units():
    clusters = np.repeat(np.arange(10), 20)
    values = (clusters < 5).astype(float)
    clustered = run(values, clusters)
    single = run(values, np.arange(200))
    assert clustered.high - clustered.low > 3 * (single.high - single.low)


def test_same_seed_gives_the_same_interval_and_another_seed_another():
    values = np.linspace(0, 1, 40) ** 2
    clusters = np.arange(40) % 13
    assert run(values, clusters) == run(values, clusters)
    assert run(values, clusters).low != run(values, clusters, seed=2).low


def test_order_of_units_does_not_matter():
    order = np.random.default_rng(3).permutation(len(VALUES))
    shuffled = run(np.array(VALUES)[order], np.array(CLUSTERS)[order])
    assert shuffled == run()


def test_where_all_resamples_agree_there_is_too_little_to_say():
    estimate = run([1] * 12)
    assert estimate.estimate == 1.0
    assert math.isnan(estimate.low) and math.isnan(estimate.high)
    assert estimate[3:] == (6, 0)


def test_from_fewer_than_six_clusters_there_is_too_little_to_say():
    estimate = run(VALUES[:10], CLUSTERS[:10])
    assert estimate.estimate == 0.6
    assert math.isnan(estimate.low) and math.isnan(estimate.high)
    assert estimate[3:] == (5, 0)


def test_clusters_and_resamples_are_reported():
    assert run(resamples=500)[3:] == (6, 500)


def test_no_units_leave_everything_undefined():
    estimate = run([], [])
    assert all(math.isnan(value) for value in estimate[:3])
    assert estimate[3:] == (0, 0)


def test_values_without_cluster_are_refused():
    with pytest.raises(ValueError, match="one cluster per value"):
        run([1, 0, 1], ["a", "b"])


@pytest.mark.parametrize("resamples", [2, 7, 1000])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_resamples_and_bounds_are_scipys_to_the_last_digit(resamples, confidence, monkeypatch):
    from scipy import stats

    def pooled(sums, counts, axis):
        return sums.sum(axis=axis) / counts.sum(axis=axis)

    draw = np.random.default_rng(11)
    values, clusters = draw.random(90), np.concatenate([np.arange(17), draw.integers(0, 17, 73)])
    sums, counts = np.bincount(clusters, weights=values), np.bincount(clusters)
    # Batches that do not divide the resamples.
    monkeypatch.setattr(bootstrap, "_CELLS_IN_MEMORY", 17 * 3)
    expected = stats.bootstrap(
        (sums, counts),
        pooled,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=resamples,
        confidence_level=confidence,
        batch=3,
        rng=np.random.default_rng(5),
    ).confidence_interval
    found = run(values, clusters, 5, resamples, confidence)
    assert (found.low, found.high) == (expected.low, expected.high)
