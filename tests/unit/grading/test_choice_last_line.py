"""Multiple choice after written reasoning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading import choice, choice_last_line

OPTIONS = [
    ("left", "The left red circle is bigger."),
    ("right", "The right red circle is bigger."),
    ("same", "Both red circles are the same size."),
]
REASONING = (
    "1. Understanding: which circle is bigger?\n"
    "2. Preliminary judgement: The left red circle is bigger.\n"
    "3. Critical evaluation: it could be that both red circles are the same size.\n"
)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (REASONING + "The right red circle is bigger.", "right"),
        (REASONING + "\n**Both red circles are the same size.**\n\n", "same"),
        (REASONING + "Answer: The left red circle is bigger", "left"),
        ("The left red circle is bigger.", "left"),
        ("I settle on this: the left red circle is bigger.\nConfidence: 90 percent.", "left"),
        (REASONING + "I cannot tell.", None),
        (REASONING + "The left red circle is bigger, or both red circles are the same size.", None),
        ("", None),
        ("\n \n", None),
    ],
)
def test_the_last_line_decides_and_two_options_in_it_are_none(reply, answer):
    assert choice_last_line.parse(reply, OPTIONS).answer == answer


@given(st.text())
def test_a_reply_of_one_line_is_read_as_plain_multiple_choice(text):
    if len(text.splitlines()) < 2:
        assert choice_last_line.parse(text, OPTIONS) == choice.parse(text, OPTIONS)


@given(
    st.lists(st.one_of(st.text(), st.sampled_from([text for _, text in OPTIONS]))).map("\n".join)
)
def test_parsing_never_raises_and_answers_only_what_was_offered(text):
    assert choice_last_line.parse(text, OPTIONS).answer in {"left", "right", "same", None}
