import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.statistics.agreement import (
    Rating,
    counts_by_unit,
    fleiss_kappa,
    krippendorff_alpha,
    uniform_annotators,
)

# Fleiss (1971) as worked in textbooks: 10 subjects, 14 raters, 5 categories; kappa 0.210.
FLEISS_EXAMPLE = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
tables_of_five = st.lists(st.integers(0, 5), min_size=2, max_size=12).map(
    lambda yes: np.array([[5 - k, k] for k in yes])
)


def test_kappa_of_the_textbook_example():
    assert fleiss_kappa(FLEISS_EXAMPLE) == pytest.approx(0.210, abs=0.0005)


@given(tables_of_five)
def test_kappa_equals_its_definition(counts):
    n = counts.sum(axis=1)[0]
    observed = np.mean([sum(c * (c - 1) for c in row) / (n * (n - 1)) for row in counts])
    expected = np.sum((counts.sum(axis=0) / counts.sum()) ** 2)
    if expected == 1:
        assert math.isnan(fleiss_kappa(counts))
    else:
        assert fleiss_kappa(counts) == pytest.approx((observed - expected) / (1 - expected))


@given(tables_of_five)
def test_alpha_equals_one_minus_observed_by_expected_disagreement(counts):
    total = counts.sum()
    marginal = counts.sum(axis=0)
    observed = sum(
        sum(row[a] * row[b] for a, b in combinations(range(2), 2)) / (row.sum() - 1)
        for row in counts
    )
    expected = marginal[0] * marginal[1] / (total - 1)
    if expected == 0:
        assert math.isnan(krippendorff_alpha(counts))
    else:
        assert krippendorff_alpha(counts) == pytest.approx(1 - observed / expected)


def test_alpha_takes_units_with_different_numbers_of_answers_where_kappa_does_not():
    counts = [[5, 0], [0, 4], [3, 0], [1, 1]]
    assert math.isnan(fleiss_kappa(counts))
    assert 0 < krippendorff_alpha(counts) < 1


def test_units_with_one_answer_say_nothing_about_agreement():
    counts = [[5, 0], [0, 4], [2, 3]]
    assert krippendorff_alpha([*counts, [1, 0], [0, 1]]) == krippendorff_alpha(counts)


def test_perfect_agreement_is_one_and_the_same_answer_throughout_is_undefined():
    assert fleiss_kappa([[5, 0], [0, 5]]) == krippendorff_alpha([[5, 0], [0, 5]]) == 1
    assert math.isnan(fleiss_kappa([[5, 0], [5, 0]]))
    assert math.isnan(krippendorff_alpha([[5, 0], [5, 0]]))


@pytest.mark.parametrize("counts", [[], [[1, 0], [0, 1]], np.zeros((0, 2), dtype=int)])
def test_without_two_answers_to_anything_agreement_is_undefined(counts):
    assert math.isnan(fleiss_kappa(counts))
    assert math.isnan(krippendorff_alpha(counts))


def test_on_an_ordinal_scale_near_misses_weigh_less():
    near, far = [[1, 1, 0], [0, 2, 0], [0, 0, 2]], [[1, 0, 1], [0, 2, 0], [0, 0, 2]]
    assert krippendorff_alpha(near, values=(0, 1, 2)) > krippendorff_alpha(far, values=(0, 1, 2))


def test_answers_are_counted_by_unit_and_category():
    ratings = [Rating("u", "a", True), Rating("u", "b", False), Rating("v", "a", True)]
    assert counts_by_unit(ratings, (False, True)).tolist() == [[1, 1], [0, 1]]
    assert counts_by_unit([]).shape == (0, 0)


def test_two_answers_of_one_annotator_to_one_unit_are_refused():
    with pytest.raises(ValueError, match="found several for"):
        counts_by_unit([Rating("u", "a", 1), Rating("u", "a", 0)])


def test_an_answer_that_is_no_category_is_refused():
    with pytest.raises(ValueError, match="found 'maybe'"):
        counts_by_unit([Rating("u", "a", "maybe")], ("yes", "no"))


def test_more_than_the_limit_of_one_answer_is_careless_and_exactly_the_limit_is_not():
    def answers(yes, no):
        return [Rating(f"u{n}", "a", n < yes) for n in range(yes + no)]

    assert [p.careless for p in uniform_annotators(answers(19, 1))] == [False]
    assert [p.careless for p in uniform_annotators(answers(20, 1))] == [True]
    assert [p.careless for p in uniform_annotators(answers(1, 39))] == [True]


def test_each_annotator_is_told_apart():
    ratings = [Rating(n, who, n % 2 if who == "b" else 1) for n in range(4) for who in "ab"]
    found = {p.annotator: (p.answers, p.commonest) for p in uniform_annotators(ratings)}
    assert found == {"a": (4, 4), "b": (4, 2)}
