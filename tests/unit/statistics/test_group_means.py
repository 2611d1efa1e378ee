import math

import numpy as np
import pytest
from clustered_data import cells
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.shares import (
    group_correlations,
    mean_of_shares,
    mean_worth,
    share_of_totals,
)


@given(st.lists(cells(), min_size=1, max_size=6))
def test_a_mean_has_width_and_holds_the_average(groups):
    shares = [share_of_totals(*group) for group in groups]
    found = mean_of_shares(shares)
    assert found.estimate == pytest.approx(np.mean([share.estimate for share in shares]))
    assert 0 <= found.low < found.high <= 1
    assert found.low - 1e-12 <= found.estimate <= found.high + 1e-12
    assert found.n == sum(share.n for share in shares)


@given(cells())
def test_the_mean_of_one_group_is_the_group(cell):
    share = share_of_totals(*cell)
    found = mean_of_shares([share])
    assert found[:3] == pytest.approx(share[:3])
    assert found.worth == pytest.approx(share.worth)


@given(cells(), st.integers(2, 5))
def test_the_same_group_twice_is_worth_no_more_where_it_is_shared(cell, times):
    share = share_of_totals(*cell)
    correlations = group_correlations([cell[0]] * times, cell[1])
    shared = mean_of_shares([share] * times, correlations)
    assert correlations == pytest.approx(np.ones((times, times)))
    assert shared.worth == pytest.approx(share.worth)
    assert (shared.clusters, mean_of_shares([share] * times).clusters) == (
        share.clusters,
        times * share.clusters,
    )


@given(st.integers(1, 12), st.integers(2, 4), st.randoms(use_true_random=False))
def test_correlations_are_a_correlation_matrix(clusters, groups, random):
    sizes = [[random.randint(0, 3) for _ in range(clusters - 1)] + [2] for _ in range(groups)]
    successes = [[random.randint(0, size) for size in row] for row in sizes]
    found = group_correlations(successes, sizes)
    assert np.diag(found) == pytest.approx(np.ones(groups))
    assert found == pytest.approx(found.T)
    assert np.linalg.eigvalsh(found).min() > -1e-9


def test_equal_separate_groups_add_up():
    assert float(mean_worth([0.0, 0.0, 0.0], [5, 5, 5])) == pytest.approx(15)


def test_a_group_without_answers_leaves_the_mean_undefined():
    found = mean_of_shares([share_of_totals([1], [2]), share_of_totals([], [])])
    assert all(map(math.isnan, found[:3]))
    assert found.n == 2


def test_no_group_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        mean_of_shares([])
