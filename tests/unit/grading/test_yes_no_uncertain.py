import pytest

from afterimage.grading.yes_no_uncertain import parse


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Yes.", "Yes"),
        ("No, it is not.", "No"),
        ("I cannot tell.", "Uncertain"),
        ("As a language model I don't have the data for that year.", "Uncertain"),
        ("Without the chart I would have to guess.", "Uncertain"),
        ("There is not enough information.", "Uncertain"),
        ("No, I cannot confirm that.", "No"),
        ("The lines are of the same length.", None),
        ("", None),
    ],
)
def test_leaving_a_question_open_is_an_answer_of_its_own(reply, answer):
    assert parse(reply).answer == answer
