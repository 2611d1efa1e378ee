import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.intervals import mean_interval, wilson_interval


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(21, 28, 56.6, 87.3), (5, 28, 7.9, 35.6), (15, 28, 35.8, 70.5), (10, 16, 38.6, 81.5)],
)
def test_interval_equals_the_known_values(k, n, low, high):
    interval = wilson_interval(k, n)
    assert (round(100 * interval.low, 1), round(100 * interval.high, 1)) == (low, high)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_bounds_solve_wilsons_equation(counts):
    k, n = counts
    z = 1.959963984540054
    for bound in wilson_interval(k, n):
        assert (k / n - bound) ** 2 == pytest.approx(z**2 * bound * (1 - bound) / n, abs=1e-12)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_holds_the_share_and_mirrors_with_it(counts):
    k, n = counts
    low, high = wilson_interval(k, n)
    assert 0 <= low <= k / n <= high <= 1
    assert wilson_interval(n - k, n) == pytest.approx((1 - high, 1 - low))


def test_higher_confidence_widens_the_interval():
    narrow, wide = wilson_interval(5, 28, 0.8), wilson_interval(5, 28, 0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_no_trials_leave_the_interval_undefined():
    assert all(math.isnan(bound) for bound in wilson_interval(0, 0))


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_impossible_counts_are_refused(k, n):
    with pytest.raises(ValueError, match="0 <= k <= n"):
        wilson_interval(k, n)


def test_bounds_are_scipys_to_the_last_digit():
    from scipy.stats import binomtest

    for n in (1, 2, 7, 40, 336, 100_000):
        for k in {0, 1, n // 3, n // 2, n - 1, n}:
            for confidence in (0.5, 0.9, 0.95, 0.999):
                bounds = binomtest(k, n).proportion_ci(confidence, method="wilson")
                assert wilson_interval(k, n, confidence) == (bounds.low, bounds.high)


INTERVAL = st.tuples(
    st.floats(-100, 100), st.floats(0, 50, allow_subnormal=False), st.floats(0, 50)
).map(lambda drawn: (drawn[0], drawn[0] - drawn[1], drawn[0] + drawn[2]))


def test_interval_of_one_estimate_is_its_own():
    assert mean_interval([40.0], [30.0], [52.0]) == pytest.approx((30.0, 52.0))


def test_symmetric_intervals_add_like_standard_errors():
    low, high = mean_interval([50.0, 70.0], [47.0, 66.0], [53.0, 74.0])
    assert (low, high) == pytest.approx((60.0 - 2.5, 60.0 + 2.5))


def test_sides_are_kept_apart():
    low, high = mean_interval([0.0, 0.0], [0.0, 0.0], [6.0, 8.0])
    assert (low, high) == pytest.approx((0.0, 5.0))


def test_undefined_bound_leaves_that_side_undefined():
    low, high = mean_interval([1.0, 2.0], [math.nan, 1.0], [3.0, 4.0])
    assert math.isnan(low)
    assert not math.isnan(high)


def test_no_estimate_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        mean_interval([], [], [])


@given(st.lists(INTERVAL, min_size=1, max_size=8))
def test_interval_holds_the_mean_and_is_no_wider_than_the_widest(intervals):
    estimates, lows, highs = zip(*intervals, strict=True)
    low, high = mean_interval(estimates, lows, highs)
    mean = math.fsum(estimates) / len(estimates)
    assert low <= mean + 1e-9 and mean <= high + 1e-9
    assert mean - low <= max(e - bound for e, bound in zip(estimates, lows, strict=True)) + 1e-9
