"""Multiple choice after written reasoning."""

from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.readers import choice, choice_last_line

OPTIONS = [
    ("left", "The left red circle is bigger."),
    ("right", "The right red circle is bigger."),
    ("same", "Both red circles are the same size."),
]


@given(st.text())
def test_a_reply_of_one_line_is_read_as_plain_multiple_choice(text):
    if len(text.splitlines()) < 2:
        assert choice_last_line.parse(text, OPTIONS) == choice.parse(text, OPTIONS)


@given(
    st.lists(st.one_of(st.text(), st.sampled_from([text for _, text in OPTIONS]))).map("\n".join)
)
def test_parsing_never_raises_and_answers_only_what_was_offered(text):
    assert choice_last_line.parse(text, OPTIONS).answer in {"left", "right", "same", None}
