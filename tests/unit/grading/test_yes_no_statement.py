import pytest

from afterimage.grading.readers.yes_no_statement import parse, read


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Yes, the left line is longer.", "yes"),
        ("**No.** They are equal.", "no"),
        (" yes", "yes"),
        ("There are nine tiles. So, no, not all are grey.", "no"),
        ("It has three sides; therefore yes.", "yes"),
        ("Having looked twice, the answer is: no.", "no"),
    ],
)
def test_a_leading_or_concluding_word_decides(reply, said):
    assert read(reply, "") == said
    assert parse(reply).answer == said.capitalize()


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Nobody can know.",
        "Yesterday it rained.",
        "There is no line.",
        "I cannot confirm that the left line is longer than the right one.",
        "If the left line is longer than the right one, they would not meet.",
        "So no one can tell.",
    ],
)
def test_a_reply_without_an_answer_is_left_open(reply):
    assert read(reply, "Is the left line longer than the right one?") is None


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("The left line is longer than the right one.", "yes"),
        ("The lines are the same length.", "no"),
        ("The left line is not longer than the right one.", "no"),
        ("At first it looks so. But the left line isn't longer than the right one", "no"),
    ],
)
def test_the_questions_own_predicate_affirmed_or_denied_decides(reply, said):
    assert read(reply, "Is the left line longer than the right one?") == said


def test_the_predicate_said_of_something_else_decides_nothing():
    question = "Of Rome, Oslo and Bonn, is Rome the farthest north?"
    assert read("Oslo is the farthest north.", question) is None
    assert read("Rome is not the farthest north. Oslo is the farthest north.", question) == "no"
