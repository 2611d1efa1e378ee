import itertools
import math

import numpy as np
import pytest
from clustered_data import pairs
from hypothesis import given, settings
from hypothesis import strategies as st

from afterimage.statistics.intervals import sized, totals
from afterimage.statistics.matched import (
    MIN_DIFFERING,
    holm,
    matched_difference,
    sign_flip_p,
    tango_interval,
    tango_statistic,
)

COUNTS = st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 60)).map(
    lambda drawn: (drawn[0], drawn[1], sum(drawn))
)
SUMS = st.lists(st.integers(-4, 4), max_size=9)


@given(pairs())
def test_a_difference_has_width_and_holds_its_estimate(made):
    found = matched_difference(*made)
    assert -1 <= found.low < found.high <= 1
    assert found.low <= found.estimate <= found.high
    assert found.n == len(made[0])
    assert found.only_first - found.only_second == round(found.n * found.estimate)
    effective = sized(totals(made[2])[0]).effective
    assert effective * (1 - 1e-12) <= found.effective_n <= found.n * (1 + 1e-12)


@given(pairs())
def test_exchanging_the_two_mirrors_the_interval_and_keeps_p(made):
    first, second, clusters = made
    one, other = (
        matched_difference(first, second, clusters),
        matched_difference(second, first, clusters),
    )
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-9)
    assert other.p == pytest.approx(one.p)


@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_units_does_not_matter(made, random):
    units = list(zip(*made, strict=True))
    random.shuffle(units)
    shuffled = matched_difference(*zip(*units, strict=True))
    assert shuffled == pytest.approx(matched_difference(*made), abs=1e-9)


def test_no_units_leave_everything_undefined():
    found = matched_difference([], [], [])
    assert all(map(math.isnan, (found.estimate, found.low, found.high, found.p, found.effective_n)))
    assert found.n == 0


def test_units_without_a_partner_are_refused():
    with pytest.raises(ValueError, match="one pair per unit"):
        matched_difference([1, 0], [1], ["a", "b"])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80))
def test_one_unit_per_cluster_is_tangos_interval_of_independent_pairs(units):
    first, second = zip(*units, strict=True)
    found = matched_difference(first, second, range(len(units)))
    low, high = tango_interval(found.only_first, found.only_second, found.n)
    assert (found.low, found.high) == pytest.approx((float(low), float(high)))


@given(st.integers(0, 40), st.integers(0, 40))
def test_one_unit_per_cluster_is_mcnemars_mid_p(only_first, only_second):
    from scipy.stats import binom

    found = sign_flip_p([1] * only_first + [-1] * only_second + [0] * 5)
    n, least = only_first + only_second, min(only_first, only_second)
    point = binom.pmf(least, n, 0.5)
    # Both tails hold the middle where the two are equal; without any difference there is no test.
    mid_p = 1 - point / 2 if only_first == only_second else 2 * binom.cdf(least, n, 0.5) - point
    assert found == pytest.approx(mid_p if n else 1.0)


@given(COUNTS)
def test_no_difference_is_rejected_where_mcnemars_statistic_is_large(counts):
    from statsmodels.stats.contingency_tables import mcnemar

    b, c, n = counts
    if b + c:
        statistic = mcnemar([[0, b], [c, n - b - c]], exact=False, correction=False).statistic
        assert float(tango_statistic(b, c, n, 0.0)) ** 2 == pytest.approx(statistic)


@given(COUNTS)
def test_tangos_bounds_are_where_the_statistic_is_at_the_quantile(counts):
    bounds = tango_interval(*counts)
    for bound, sign in zip(bounds, (1, -1), strict=True):
        if abs(bound) < 1 - 1e-9:
            statistic = float(tango_statistic(*counts, bound))
            assert sign * statistic == pytest.approx(1.959963984540054, abs=1e-6)


@given(SUMS)
def test_sign_flips_are_counted_as_all_patterns_one_by_one(sums):
    patterns = np.array(list(itertools.product((-1, 1), repeat=len(sums)))) @ np.array(sums, int)
    away, observed = np.abs(patterns), abs(sum(sums))
    expected = float((away > observed).mean() + (away == observed).mean() / 2)
    assert sign_flip_p(sums) == pytest.approx(expected if any(sums) else 1.0)


def test_many_clusters_are_counted_without_overflow():
    assert sign_flip_p([1] * 3000 + [-1] * 3000) > 0.9
    assert sign_flip_p([2] * 3000 + [-1] * 2000) < 1e-12


def test_too_few_clusters_that_differ_cannot_reach_five_percent():
    assert sign_flip_p([1] * (MIN_DIFFERING - 1)) > 0.05 >= sign_flip_p([1] * MIN_DIFFERING)


def test_broken_differences_are_refused():
    with pytest.raises(ValueError, match="whole numbers"):
        sign_flip_p([0.5])


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@settings(max_examples=25)
@given(P_VALUES)
def test_corrections_are_those_of_statsmodels(values):
    from statsmodels.stats.multitest import multipletests

    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]))


@given(P_VALUES)
def test_a_correction_never_lowers_a_p_value_and_keeps_their_order(values):
    found = holm(values)
    assert all(p <= corrected <= 1 for p, corrected in zip(values, found, strict=True))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [found[place] for place in order] == sorted(found)


def test_undefined_values_are_no_tests():
    found = holm([math.nan, 0.01, math.nan, 0.04])
    assert math.isnan(found[0]) and math.isnan(found[2])
    assert [found[1], found[3]] == holm([0.01, 0.04]) == [0.02, 0.04]
    assert holm([]) == []
