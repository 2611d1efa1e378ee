import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.intervals import wilson_interval


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
