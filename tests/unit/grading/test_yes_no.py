import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from afterimage.grading.language.affirmation import read
from afterimage.grading.readers.yes_no import parse


@given(st.text())
def test_any_reply_is_read_without_error(reply):
    parsed = parse(reply, [])
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
    assert parsed.answer in ("Yes", "No", None)


@given(st.lists(st.sampled_from(["yes", "no", "maybe", "the", "circles", ",", "."]), max_size=8))
def test_answer_reads_as_itself(words):
    answer = parse(" ".join(words), []).answer
    if answer is not None:
        assert parse(answer, [])[:2] == (answer, "exact")


@given(st.sampled_from(["Yes", "No"]), st.sampled_from([", ", ". ", "\n"]), st.text())
def test_what_follows_the_first_answer_and_is_none_itself_does_not_change_it(word, mark, rest):
    assume(parse(rest, []).answer is None)
    assert parse(f"{word}{mark}{rest}", []).answer == word


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("there is a green circle in the image.", None),
        ("the image shows green circles and red squares.", None),
        ("there are green circles and one red circle.", "yes"),
        ("there is a big circle that is red.", "yes"),
        ("there is one small red circle.", "yes"),
    ],
)
def test_another_kind_of_what_is_looked_for_is_no_yes(reply, answer):
    assert read(reply, "is there a red circle in this image?").answer == answer


@pytest.mark.parametrize(
    ("asked", "reply", "answer"),
    [
        ("is the flower above the star in the image?", "they are at the same height.", "no"),
        ("is the flower above the star in the image?", "both are the same color.", None),
        ("is the flower above the star in the image?", "the discs have the same size.", None),
        ("is the left disc larger than the right one?", "both have the same size.", "no"),
        ("is the left disc larger than the right one?", "both have the same color.", None),
        ("is the left disc darker than the right one?", "both have the same color.", "no"),
        ("is the left disc larger than the right one?", "they are the same.", "no"),
    ],
)
def test_the_same_colour_denies_no_size_and_no_place(asked, reply, answer):
    assert read(reply, asked).answer == answer
