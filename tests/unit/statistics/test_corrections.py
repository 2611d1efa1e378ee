import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterimage.statistics.matched import holm

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
