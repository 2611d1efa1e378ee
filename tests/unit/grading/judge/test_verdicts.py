"""Votes to verdicts: majority, mean, abstentions."""

import pytest

from afterimage.grading.judge.verdicts import Verdict, verdicts


def verdict(*values, aggregation="majority"):
    return Verdict(values, aggregation, "p", "paper", "j", "sha", False)


@pytest.mark.parametrize(
    ("values", "majority"),
    [
        ((1, 0, 1, 0, 1), 1),
        ((0, 1, 0, 1, 0), 0),
        ((1, 1, 1, None, None), 1),
        ((1, 1, None, None, 0), None),
        ((1, 1, 0, 0, None), None),
        ((None,) * 5, None),
        ((1,), 1),
        ((None,), None),
        ((1, 0), None),
        ((1, 1, 0, 0), None),
        ((1, 1, 1, 0), 1),
    ],
)
def test_more_than_half_of_all_rounds_decide_and_abstentions_are_rounds(values, majority):
    assert verdict(*values).majority == majority


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        ((2, 1, 2, 1, 2), 1.6),
        ((0, 0, 0, 0, 0), 0),
        ((2, None, 1, None, 0), 1),
        ((2, 2, None, None, None), None),
        ((None,) * 5, None),
    ],
)
def test_the_mean_is_over_the_rounds_that_count_and_missing_with_fewer_than_three_of_five(
    values, mean
):
    assert verdict(*values, aggregation="mean").mean == mean


def test_unanimity_is_of_the_rounds_that_count_and_unknown_with_too_few():
    assert verdict(1, 1, 1, 1, 1).unanimous is True
    assert verdict(1, 1, None, 1, None).unanimous is True
    assert verdict(1, 1, 0, 1, 1).unanimous is False
    assert verdict(1, 1, None, None, None).unanimous is None


def vote(item, round_, attempt, value, repeat=0):
    return {
        "item_id": item, "repeat": repeat, "round": round_, "attempt": attempt, "value": value,
        "aggregation": "majority", "prompt": "p", "prompt_set": "paper", "judge": "j", "answer_sha": item,
        "injection_suspect": item == "b",
    }  # fmt: skip


def test_of_several_attempts_in_a_round_the_last_is_its_vote_whatever_the_order_of_rows():
    rows = [vote("a", 0, 0, None), vote("a", 0, 1, 1), vote("a", 1, 0, None), vote("a", 1, 1, None)]
    rows += [
        vote("a", 1, 2, None),
        vote("a", 2, 0, 0),
        vote("b", 0, 0, 1),
        vote("a", 0, 0, 1, repeat=1),
    ]
    for order in (rows, rows[::-1]):
        found = verdicts(order)
        assert {answer: given.values for answer, given in found.items()} == {
            ("a", 0): (1, None, 0),
            ("b", 0): (1,),
            ("a", 1): (1,),
        }
        assert found["b", 0].injection_suspect and not found["a", 0].injection_suspect
        assert found["a", 0].answer_sha == "a"
