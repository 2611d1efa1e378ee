"""What a judge's reply counts as."""

import pytest

from afterimage.grading.judge.replies import counted


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("1", 1),
        ("0", 0),
        (" 1\n", 1),
        ("１", 1),
        ("**0**", 0),
        ("Result: 1.", 1),
        ("(1)", 1),
        ("1 (correct)", 1),
        ("", None),
        ("yes", None),
        ("The respondent is correct.", None),
        ("2", None),
        ("10", None),
        ("1 or 0", None),
        ("1 1", None),
        ("0.1", None),
        ("1/5", None),
        ("٣ 1", None),
        ("१", None),
        ("½", None),
        ("Since options II and 3 differ: 0", None),
    ],
)
def test_of_right_or_wrong_a_reply_counts_whose_only_digit_is_0_or_1(reply, value):
    assert counted(reply, (0, 1)) == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("2", 2),
        ("2: No conflict.", 2),
        ("Rating 1", 1),
        ("1 or 2", None),
        ("3", None),
        ("2/2", None),
    ],
)
def test_of_ratings_a_reply_counts_whose_only_digit_is_one_of_the_scale(reply, value):
    assert counted(reply, (0, 1, 2)) == value
