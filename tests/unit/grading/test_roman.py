"""Roman numerals: what a reply names, and what it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.readers import roman
from afterimage.grading.readers.roman import parse

OPTIONS = [
    ("I", "They are equally long."),
    ("II", "The upper one is longer."),
    ("III", "The lower one is longer."),
    ("IV", "Only one line is shown."),
]


@pytest.mark.parametrize("numeral", ["VI", "VII", "IX", "XI"])
def test_numeral_out_of_range_is_never_cut_to_a_shorter_one(numeral):
    assert parse(f"I choose {numeral}.", OPTIONS).answer is None
    assert parse(numeral, OPTIONS).answer is None


def test_l_inside_a_sentence_is_no_numeral():
    assert parse("We saw ll of them", OPTIONS).answer is None


@pytest.mark.parametrize("numeral", roman.NUMERALS)
@pytest.mark.parametrize(
    "form", ["{}", "{}.", "({})", "**{}**", "Option {}", "Answer: {}", "The answer is {}."]
)
def test_every_numeral_is_read_in_every_form_and_case(numeral, form):
    assert parse(form.format(numeral), OPTIONS).answer == numeral
    assert parse(form.format(numeral.lower()), OPTIONS).answer == numeral


def test_option_ids_are_those_of_the_places():
    lettered = [(f"option_{index}", text) for index, (_, text) in enumerate(OPTIONS)]
    assert parse("III", lettered).answer == "option_2"


@given(st.text(max_size=60))
def test_no_reply_raises_and_answers_are_options(reply):
    parsed = parse(reply, OPTIONS)
    assert parsed.answer in {None, *roman.NUMERALS}
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
