"""Short free answers: equality but for what does not matter."""

import pytest

from afterimage.grading.short_text import LONGEST, parse

OPTIONS = (
    ("New York", "New York"),
    ("New York", "NYC"),
    ("Paris", "Paris"),
    ("I cannot tell.", "I cannot tell."),
)


@pytest.mark.parametrize("reply", ["New York", "  new  york. ", '"NYC"', "**NYC**", "ＮＹＣ"])
def test_case_spaces_quotes_emphasis_and_final_periods_do_not_matter(reply):
    parsed = parse(reply, OPTIONS)
    assert (parsed.answer, parsed.outcome) == ("New York", "exact")


def test_another_answer_is_read_as_itself_and_never_as_the_right_one():
    assert parse("Lyon.", OPTIONS).answer == "lyon"
    assert parse("paris", OPTIONS).answer == "Paris"
    assert parse("New Yorker", OPTIONS).answer == "new yorker"


@pytest.mark.parametrize(
    "reply", ["It is New York.", "Not Paris but NYC", "New York or NYC", "", " . ", "x" * 300]
)
def test_what_says_more_than_an_answer_is_left_unparsed(reply):
    parsed = parse(reply, OPTIONS)
    assert (parsed.answer, parsed.outcome) == (None, "unparsed")


def test_length_alone_refuses_no_known_answer():
    known = "word " * LONGEST
    assert parse(known, (("k", known),)).answer == "k"
