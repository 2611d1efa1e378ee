"""True or false: what a reply says of a statement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.true_false import parse

TRUE = [
    "True",
    "true.",
    "**True**",
    '"True"',
    "\u2018True\u2019",
    "\uff34\uff52\uff55\uff45",
    "\\boxed{True}",
    "Yes",
    "Yes, it is.",
    "\u5bf9",
    "\u6b63\u786e",
    "The answer is true",
    "The answer is true, because the lines are equal.",
    "It is true, because the lines are equal.",
    "The description is correct.",
    "Final answer: **True**",
    "True, because no line is longer.",
    "\u7b54\u6848\u662f\u6b63\u786e\u3002",
    "At first it seems false. The answer is True.",
]
FALSE = [
    "False",
    "'False'.",
    "No",
    "No, the lines differ.",
    "not true",
    "It is not true.",
    "That isn't true.",
    "This cannot be true.",
    "Answer: not true",
    "untrue",
    "\u9519",
    "\u9519\u8bef",
    "\u4e0d\u6b63\u786e",
    "The description is incorrect.",
    "The correct answer is False.",
    "False. It is true that the lines look alike.",
    "Not true: it would be true of parallel lines.",
    "True/False: False",
]
NEITHER = [
    "",
    " \n ",
    "I cannot tell.",
    "True or False",
    "true and false",
    "True False",
    "It could be true or false",
    "neither true nor false",
    "It is true that the upper is longer, but the rest is false.",
    "I cannot say whether the description is true.",
    "The true colour is grey.",
    "The correct answer cannot be given.",
    "No illusion is present.",
    "Yesterday",
    "nothing",
    "There is an illusion",
    "\u5bf9\u4e8e\u8fd9\u4e2a",
]


@pytest.mark.parametrize("reply", TRUE)
def test_true_is_read(reply):
    assert parse(reply).answer == "True"


@pytest.mark.parametrize("reply", FALSE)
def test_false_is_read(reply):
    assert parse(reply).answer == "False"


@pytest.mark.parametrize("reply", NEITHER)
def test_both_or_none_is_unparsed(reply):
    parsed = parse(reply)
    assert (parsed.answer, parsed.outcome) == (None, "unparsed")
    assert parsed.reason


def test_no_before_a_noun_denies_the_noun_not_the_statement():
    assert parse("No illusion can be seen, so the statement is true.").answer == "True"


def test_word_alone_is_exact_and_word_in_a_sentence_is_contained():
    assert parse("True.").outcome == "exact"
    assert parse("True, I think.").outcome == "contained"


@given(st.text(max_size=60))
def test_no_reply_raises(reply):
    parsed = parse(reply)
    assert parsed.answer in {None, "True", "False"}
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
