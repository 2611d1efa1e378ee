"""Several answers to one question: how often they are the same, and how much accuracy differs."""

import math

import pytest

from afterimage.statistics.agreement import likeness, spread


def test_hand_counted_answers():
    found = likeness({"a": ["x", "x", "x"], "b": ["x", "x", "y"], "c": ["x", None, None]})
    assert (found.items, found.answers, found.unanimous) == (3, 9, 1)
    assert found.pairs_alike == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_alpha_of_a_hand_computed_example():
    # Two questions, x x and x y: observed disagreement 1/2, expected 1/2 of all 6 ordered pairs of unlike answers.
    found = likeness({"a": ["x", "x"], "b": ["x", "y"]})
    assert found.alpha == pytest.approx(1 - (1 / 2) / (2 * 3 * 1 / (4 * 3)))


def test_answers_that_were_not_read_are_like_no_other():
    found = likeness({"a": [None, None], "b": ["x", "x"]})
    assert (found.unanimous, found.pairs_alike) == (1, 0.5)


def test_one_answer_is_compared_with_nothing():
    found = likeness({"a": ["x"]})
    assert (found.items, found.answers) == (0, 0)
    assert math.isnan(found.pairs_alike)


def test_spread_is_over_questions_that_were_asked_in_every_way():
    right = {
        "a": {0: True, 1: True, 2: False},
        "b": {0: True, 1: False, 2: False},
        "asked in two ways": {0: False, 1: True},
    }
    found = spread(right)
    assert found.items == 2
    assert (found.lowest, found.highest) == (0.0, 1.0)
    assert found.deviation == pytest.approx(0.5)


def test_no_questions_have_no_spread():
    assert spread({}).items == 0
    assert math.isnan(spread({}).lowest)
