from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.paired import mcnemar_exact


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (0, 5, 2 / 32), (0, 6, 2 / 64), (0, 10, 2 / 1024), (3, 3, 1.0)],
)
def test_p_equals_the_closed_form(only_first, only_second, p):
    assert mcnemar_exact(only_first, only_second) == pytest.approx(p)


@given(st.integers(0, 60), st.integers(0, 60))
def test_p_is_twice_the_smaller_tail_of_a_fair_coin(only_first, only_second):
    n, k = only_first + only_second, min(only_first, only_second)
    tail = sum(comb(n, i) for i in range(k + 1)) / 2**n
    assert mcnemar_exact(only_first, only_second) == pytest.approx(min(1.0, 2 * tail))


@given(st.integers(0, 60), st.integers(0, 60))
def test_p_does_not_depend_on_which_side_is_first(only_first, only_second):
    assert mcnemar_exact(only_first, only_second) == mcnemar_exact(only_second, only_first)
