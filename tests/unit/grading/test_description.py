"""Free descriptions: no rule decides, and what is no description is told apart."""

import pytest

from afterimage.grading.readers.description import BLANK, is_refusal, parse

ANSWERS = [
    "I cannot see any illusion in the image.",
    "There is no visual illusion in the image.",
    "I can't find a visual illusion; the two lines are equally long.",
    "The image shows a man who says: I cannot help with that.",
    "I see two red lines.",
]


def test_no_description_is_ever_right_or_wrong_by_rule():
    parsed = parse("In this picture, two lines are shown.")
    assert (parsed.answer, parsed.outcome) == (None, "not_judged")
    assert "judge" in parsed.reason


def test_blank_reply_is_no_description():
    assert parse(" \n") == BLANK


@pytest.mark.parametrize("reply", ANSWERS)
def test_denying_an_illusion_is_no_refusal(reply):
    assert not is_refusal(reply)


def test_long_reply_that_begins_with_an_excuse_is_a_description():
    assert not is_refusal(
        "I'm sorry, I cannot help with names. " + "The image shows a street. " * 20
    )
