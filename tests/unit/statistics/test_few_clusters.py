"""Resamples of few clusters are counted out; the jackknife knows its few degrees of freedom."""

import math

import numpy as np
import pytest
from scipy import stats

from afterimage.statistics.bootstrap import bootstrap_weights, jackknife_interval, weighted_interval


def generator():
    return np.random.default_rng(5)


def test_four_clusters_have_35_resamples_whose_probabilities_sum_to_one():
    weights, chances = bootstrap_weights(4, 1000, generator())
    assert weights.shape == (35, 4)
    assert (weights.sum(axis=1) == 4).all()
    assert len({tuple(row) for row in weights}) == 35
    assert chances.sum() == pytest.approx(1)
    alone = (weights == 4).any(axis=1)
    np.testing.assert_allclose(chances[alone], 1 / 4**4)


def test_counted_out_and_drawn_resamples_agree():
    values = np.array([1.0, 2.0, 4.0, 9.0])
    weights, chances = bootstrap_weights(4, 1000, generator())
    drawn, equal = bootstrap_weights(4, 34, generator())
    assert len(drawn) == 34
    many = np.random.default_rng(1).multinomial(4, np.full(4, 1 / 4), 100_000) @ values / 4
    exact = weights @ values / 4
    assert chances @ exact == pytest.approx(many.mean(), abs=0.02)
    assert equal.sum() == pytest.approx(1)


def test_many_clusters_are_drawn_by_the_seed():
    first, second = (bootstrap_weights(30, 200, generator())[0] for _ in range(2))
    assert first.shape == (200, 30)
    np.testing.assert_array_equal(first, second)


def test_one_cluster_has_one_resample():
    weights, chances = bootstrap_weights(1, 100, generator())
    assert weights.tolist() == [[1]]
    assert chances.tolist() == [1]


def test_percentiles_follow_the_probabilities():
    values = np.array([3.0, 1.0, 2.0])
    assert weighted_interval(values, np.array([0.01, 0.01, 0.98]), 0.95) == (2, 2)
    assert weighted_interval(values, np.array([0.3, 0.3, 0.4]), 0.95) == (1, 3)


def test_undefined_resamples_beyond_a_tail_leave_no_interval():
    values = np.array([math.nan, 1.0, 2.0])
    assert weighted_interval(values, np.array([0.02, 0.49, 0.49]), 0.95) == (1, 2)
    assert all(map(math.isnan, weighted_interval(values, np.array([0.03, 0.48, 0.49]), 0.95)))


def test_the_jackknife_of_a_mean_is_the_t_interval():
    values = np.array([1.0, 2.0, 4.0, 9.0])
    without = (values.sum() - values) / 3
    expected = stats.t.interval(0.95, 3, values.mean(), stats.sem(values))
    assert jackknife_interval(values.mean(), without, 0.95) == pytest.approx(expected)


def test_the_jackknife_needs_two_clusters_and_defined_estimates():
    assert all(map(math.isnan, jackknife_interval(1.0, np.array([1.0]), 0.95)))
    assert all(map(math.isnan, jackknife_interval(1.0, np.array([1.0, math.nan]), 0.95)))


def test_probabilities_are_scipys_to_the_last_digit():
    for clusters in (2, 3, 5, 8):
        weights, chances = bootstrap_weights(clusters, 10_000, generator())
        expected = stats.multinomial.pmf(weights, clusters, np.full(clusters, 1 / clusters))
        assert (chances == expected / expected.sum()).all()
