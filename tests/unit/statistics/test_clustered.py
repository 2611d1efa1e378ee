"""Intervals of ratios of counts, clusters resampled whole."""

import numpy as np
import pytest

from afterimage.statistics.bootstrap import cluster_bootstrap, cluster_intervals


def generator():
    return np.random.default_rng(7)


def share(counts):
    with np.errstate(invalid="ignore"):
        return counts[:, :1] / counts.sum(axis=1, keepdims=True)


def units(values):
    right = np.asarray(values)
    return np.stack([right, 1 - right], axis=1)


def test_a_plain_share_has_the_interval_of_the_bootstrap_of_means():
    values = np.random.default_rng(1).integers(0, 2, 300)
    clusters = np.repeat(np.arange(60), 5)
    found = cluster_intervals(units(values), clusters, share, generator())
    mean = cluster_bootstrap(values, clusters, generator())
    assert found.clusters == mean.clusters == 60
    assert found.low[0] == pytest.approx(mean.low, abs=0.01)
    assert found.high[0] == pytest.approx(mean.high, abs=0.01)


def test_units_of_one_cluster_count_as_one():
    values = np.repeat([1, 0, 1, 1, 0, 1, 0, 1], 50)
    apart = cluster_intervals(units(values), np.arange(400), share, generator())
    together = cluster_intervals(units(values), np.repeat(np.arange(8), 50), share, generator())
    assert together.high[0] - together.low[0] > 3 * (apart.high[0] - apart.low[0])


def test_the_order_of_the_units_changes_nothing():
    values = np.random.default_rng(2).integers(0, 2, 90)
    clusters = np.array([f"image {number % 30}" for number in range(90)])
    order = np.random.default_rng(3).permutation(90)
    first = cluster_intervals(units(values), clusters, share, generator(), 500)
    second = cluster_intervals(units(values)[order], clusters[order], share, generator(), 500)
    assert (first.low == second.low).all()
    assert (first.high == second.high).all()


def test_few_clusters_show_too_little_variation_and_have_no_bounds():
    found = cluster_intervals(units([1, 0, 1, 1, 0, 1]), list("abcdee"), share, generator())
    assert np.isnan([found.low, found.high]).all()
    assert found.clusters == 5


def test_where_all_resamples_agree_there_is_too_little_to_say():
    found = cluster_intervals(units([1] * 20), range(20), share, generator())
    assert np.isnan([found.low, found.high]).all()


def test_a_statistic_that_is_mostly_undefined_has_no_bounds_and_others_keep_theirs():
    def precision_and_share(counts):
        with np.errstate(invalid="ignore"):
            return np.stack([counts[:, 0] / counts[:, 0], counts[:, 1] / 10], axis=1)

    counts = np.stack([np.eye(1, 10)[0], np.arange(10)], axis=1)
    found = cluster_intervals(counts, range(10), precision_and_share, generator(), 2000)
    assert np.isnan(found.low[0])
    assert found.low[1] < 4.5 < found.high[1]


def test_as_many_clusters_as_units_are_expected():
    with pytest.raises(ValueError, match="expected one cluster per row of counts, found 2"):
        cluster_intervals(units([1, 0, 1]), ["a", "b"], share, generator())


def test_memory_is_bounded_and_portions_do_not_change_the_number_of_resamples():
    values = np.random.default_rng(4).integers(0, 2, 2000)
    found = cluster_intervals(units(values), np.arange(2000), share, generator(), 5000)
    assert found.low[0] < values.mean() < found.high[0]
