import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.intervals import Interval, wilson
from afterimage.statistics.shares import share_of_totals
from afterimage.statistics.unmatched import (
    CONFIDENCE,
    difference_bounds,
    effective_n_of,
    effective_printed,
    printed_band,
    replicated,
    replication_bounds,
    same_fact,
    score_kappa,
)

SHARES = st.floats(0, 1)
WORTHS = st.floats(1, 500)


@pytest.mark.parametrize(
    ("printed", "unit", "cut_off", "low", "high"),
    [
        ("75.0", 100, False, 0.7495, 0.7505),
        ("62", 100, False, 0.615, 0.625),
        ("75.00", 100, True, 0.75, 0.7501),
        ("100", 100, False, 0.995, 1),
        ("0.0", 100, False, 0, 0.0005),
        ("1.60", 2, False, 0.7975, 0.8025),
        ("0.5", 1, False, 0.45, 0.55),
    ],
)
def test_values_that_print_alike(printed, unit, cut_off, low, high):
    assert printed_band(printed, unit, cut_off) == pytest.approx((low, high))


@given(SHARES, WORTHS, SHARES, WORTHS)
def test_the_interval_has_width_and_the_verdict_follows_from_it(
    printed, effective_n, new, new_worth
):
    band = printed_band(f"{100 * printed:.1f}", 100)
    found = replicated(band, effective_n, new, new_worth)
    assert found.low < found.high
    assert found.low <= found.difference + 1e-9 and found.difference <= found.high + 1e-9
    excludes = found.low > 0 or found.high < 0
    assert (found.verdict == "differs") == excludes
    if found.verdict == "consistent":
        assert found.low >= -0.1 and found.high <= 0.1
    unknown = replicated(band, effective_n, new, new_worth, counts_known=False)
    assert unknown.verdict == ("differs" if excludes else "cannot_tell")


@given(SHARES, WORTHS, SHARES, WORTHS)
def test_the_union_holds_the_interval_of_each_end_of_the_band(printed, effective_n, new, new_worth):
    band = printed_band(f"{100 * printed:.0f}", 100)
    low, high = replication_bounds(band, effective_n, new, new_worth)
    for end in band:
        alone = replication_bounds((end, end), effective_n, new, new_worth)
        assert float(low) <= float(alone[0]) and float(alone[1]) <= float(high)


def test_an_exact_printed_number_is_a_difference_of_two_shares():
    new, old = share_of_totals([20], [28], CONFIDENCE), share_of_totals([12], [28], CONFIDENCE)
    found = replication_bounds(
        (old.estimate, old.estimate), old.effective_n, new.estimate, new.effective_n
    )
    assert tuple(map(float, found)) == pytest.approx(difference_bounds(new, old))


def test_a_wider_margin_accepts_more():
    arguments = (printed_band("62", 100), 100.0, 0.64, 100.0)
    assert replicated(*arguments).verdict == "cannot_tell"
    assert replicated(*arguments, margin=0.25).verdict == "consistent"


def test_the_papers_answers_are_taken_to_be_clustered_as_ours():
    assert effective_printed(28, 14, 28) == 14
    assert effective_printed(28, 28, 28) == 28
    # Never more than the paper has, whatever ours are worth.
    assert effective_printed(28, 40, 28) == 28


def test_printed_scores_of_nothing_or_all_are_shares():
    scores = np.array([2.0] * 30 + [0.0] * 20)
    assert score_kappa(scores.mean(), scores.std(ddof=1), 50) == pytest.approx(1)
    assert score_kappa(1.0, 0.0, 10) > 5


def test_facts_print_alike_or_not():
    band = printed_band("14.1", 100)
    assert [same_fact(band, value) for value in (0.141, 0.1415, 0.142)] == [
        "consistent",
        "consistent",
        "differs",
    ]
    assert same_fact(band, math.nan) == "cannot_tell"


def test_no_new_number_has_no_verdict_of_its_own():
    found = replicated(printed_band("50", 100), 28, math.nan, math.nan)
    assert found.verdict == "cannot_tell"


@pytest.mark.parametrize(
    "share, n", [(0.0, 7.5), (0.02, 300), (0.5, 14.85), (0.73, 51.9), (1.0, 1)]
)
def test_what_a_printed_interval_stands_on_is_found_again(share, n):
    low, high = map(float, wilson(share, n, 0.9))
    assert effective_n_of(share, Interval(low, high), 0.9) == pytest.approx(n)


@pytest.mark.parametrize("bounds", [(0.4, 0.4), (0.0, 1.0), (math.nan, math.nan)])
def test_bounds_that_say_nothing_stand_on_nothing(bounds):
    assert math.isnan(effective_n_of(0.4, Interval(*bounds), 0.95))
