import math

import pytest
from clustered_data import cells
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.shares import share_of_totals
from afterimage.statistics.unmatched import (
    difference_bounds,
    difference_of_totals,
    inverted_p,
    residual_correlation,
)

COUNTS = st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@st.composite
def shared(draw):
    """Two shares over the same clusters, each with at least one answer."""
    cluster = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
    drawn = [(2, 1, 2, 1), *draw(st.lists(cluster, max_size=20))]
    return [([min(y, m) for m, y in side], [m for m, _ in side]) for side in _sides(drawn)]


def _sides(drawn):
    return [one[:2] for one in drawn], [one[2:] for one in drawn]


@given(cells(), cells())
def test_separate_shares_differ_with_width(first, second):
    found = difference_of_totals(first, second)
    assert -1 <= found.low < found.high <= 1
    assert found.low <= found.estimate <= found.high
    assert 0 < found.p <= 1


@given(shared())
def test_shared_clusters_never_leave_zero_width(sides):
    found = difference_of_totals(*sides, shared=True)
    assert -1 < found.correlation < 1
    assert found.low < found.high
    assert found.low <= found.estimate <= found.high


@given(shared())
def test_exchanging_the_two_mirrors_the_interval_and_keeps_p(sides):
    one, other = (difference_of_totals(*pair, shared=True) for pair in (sides, sides[::-1]))
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
    assert other.p == pytest.approx(one.p, abs=1e-6)


@given(COUNTS, COUNTS)
def test_one_answer_per_cluster_is_newcombes_interval(first, second):
    from statsmodels.stats.proportion import confint_proportions_2indep

    sides = [([1] * k + [0] * (n - k), [1] * n) for k, n in (first, second)]
    expected = confint_proportions_2indep(*first, *second, method="newcomb")
    found = difference_of_totals(*sides)
    assert (found.low, found.high) == pytest.approx(tuple(map(float, expected)), abs=1e-9)


@given(cells(), cells())
def test_p_is_where_the_interval_ends_at_zero(first, second):
    found = difference_of_totals(first, second)
    if 1e-6 < found.p < 1 - 1e-5:
        bounds = [share_of_totals(*side, 1 - found.p) for side in (first, second)]
        low, high = difference_bounds(*bounds)
        assert min(-low, high) == pytest.approx(0, abs=1e-6)
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


def test_a_difference_beyond_all_doubt_has_the_least_p():
    sides = ([1] * 3000, [1] * 3000), ([0] * 3000, [1] * 3000)
    assert difference_of_totals(*sides).p == 1e-12


def test_equal_shares_have_p_one():
    side = ([1, 0, 1], [1, 1, 1])
    assert difference_of_totals(side, side).p == 1.0
    assert inverted_p(lambda confidence: (-confidence, confidence)) == 1.0


def test_a_share_without_answers_has_no_difference():
    assert all(map(math.isnan, difference_of_totals(([], []), ([1], [1]))))
    empty = difference_of_totals(([0, 0], [0, 0]), ([1, 1], [1, 2]), shared=True)
    assert all(map(math.isnan, empty))


def test_shared_clusters_have_to_be_as_many():
    with pytest.raises(ValueError, match="same clusters"):
        residual_correlation([1], [1], [1, 1], [1, 1])


def test_clusters_on_one_side_only_tell_nothing_of_the_correlation():
    assert residual_correlation([1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]) == 0
