import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.intervals import mean_interval

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
