"""Spearman's correlation and its interval, against scipy, Bonett and Wright, and in simulated samples."""

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from afterimage.statistics.rank_correlation import rank_correlation, rank_correlation_interval


def test_the_correlation_is_scipys_ties_and_all():
    first, second = [3, 1, 1, 5, 9, 2], [2.0, 2.0, 0.5, 8, 7, 1]
    assert rank_correlation(first, second) == pytest.approx(spearmanr(first, second).statistic)


def test_there_is_none_where_one_side_is_the_same_for_all():
    assert math.isnan(rank_correlation([1, 1, 1], [1, 2, 3]))


def test_with_many_units_it_is_that_of_bonett_and_wright():
    """Psychometrika 65 (2000): atanh of the bounds is atanh(rho) -+ z sqrt((1 + rho^2 / 2) / (n - 3))."""
    half = 1.96 * math.sqrt((1 + 0.5**2 / 2) / 37)
    expected = [math.tanh(math.atanh(0.5) + side * half) for side in (-1, 1)]
    assert rank_correlation_interval(0.5, 40, 0.95, 1) == pytest.approx(expected, abs=0.02)


def test_a_perfect_order_of_few_units_says_little():
    three, six = (rank_correlation_interval(1.0, n, 0.95, 1) for n in (3, 6))
    assert three.low < -0.7 and 0.3 < six.low < 0.7
    assert three.high == six.high == 1


def test_the_lower_bound_of_a_perfect_order_can_be_reckoned():
    """Without correlation each of 3! orders is as likely: at a tail of 1/6 the bound is 0."""
    assert rank_correlation_interval(1.0, 3, 2 / 3, 1).low == pytest.approx(0, abs=0.02)
    assert rank_correlation_interval(-1.0, 3, 2 / 3, 1).high == pytest.approx(0, abs=0.02)


def test_the_same_seed_gives_the_same_bounds():
    assert rank_correlation_interval(0.7, 7, 0.95, 5) == rank_correlation_interval(0.7, 7, 0.95, 5)


@pytest.mark.parametrize("r", [0.0, 0.6, 0.9])
def test_it_holds_the_populations_correlation_as_often_as_it_says(r):
    units, samples = 7, 400
    generator = np.random.default_rng(3)
    population = 6 / math.pi * math.asin(r / 2)
    bounds, held = {}, 0
    for _ in range(samples):
        first, other = generator.standard_normal((2, units))
        rho = round(rank_correlation(first, r * first + math.sqrt(1 - r * r) * other), 9)
        if rho not in bounds:
            bounds[rho] = rank_correlation_interval(rho, units, 0.9, 7)
        held += bounds[rho].low <= population <= bounds[rho].high
    # Two standard errors of 400 samples are 3 points.
    assert held / samples > 0.87
