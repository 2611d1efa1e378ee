from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.showing.tables.columns import percent, rounded


@pytest.mark.parametrize(
    ("k", "n", "printed"),
    [
        (5, 28, "17.9"),
        (0, 28, "0.0"),
        (28, 28, "100.0"),
        (1, 16, "6.3"),
        (3, 16, "18.8"),
        (1, 80, "1.3"),
        (9, 2000, "0.5"),
        (-1, 16, "-6.3"),
        (-10, 28, "-35.7"),
        (0, 0, "n/a"),
    ],
)
def test_percent_is_rounded_half_up_from_the_counts(k, n, printed):
    assert percent(k, n) == printed


def test_exact_half_goes_up_where_float_formatting_goes_down():
    assert f"{100 * 1 / 16:.1f}" == "6.2"
    assert percent(1, 16) == "6.3"


def test_counts_of_numpy_are_counts():
    assert percent(np.int64(5), np.int32(28)) == "17.9"


@pytest.mark.parametrize(
    ("value", "decimals", "printed"),
    [
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(-1, 1000), 1, "0.0"),
        (-0.0, 1, "0.0"),
        (2.5, 0, "3"),
        (-2.5, 0, "-3"),
        (12.0, 4, "12.0000"),
        (1e-9, 8, "0.00000000"),
        (float("nan"), 1, "n/a"),
        (float("inf"), 1, "n/a"),
    ],
)
def test_number_is_printed_with_fixed_decimals(value, decimals, printed):
    assert rounded(value, decimals) == printed


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(0, 6))
def test_printed_value_is_within_half_a_unit(numerator, denominator, decimals):
    value = Fraction(numerator, denominator)
    assert abs(Fraction(rounded(value, decimals)) - value) <= Fraction(1, 2 * 10**decimals)
