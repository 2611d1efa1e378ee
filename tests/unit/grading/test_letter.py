import string

from hypothesis import assume, given
from hypothesis import strategies as st

from afterimage.grading.readers.letter import parse


def test_copyright_sign_in_brackets_is_not_the_letter_c():
    assert parse('The marked character is "(c)".', []).answer == "\u00a9"


def test_apostrophe_in_a_word_quotes_nothing():
    assert parse("It's the artist's mark, isn't it", []).outcome == "unparsed"


@given(st.text())
def test_any_reply_is_read_without_error(reply):
    parsed = parse(reply, [])
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
    assert parsed.answer is None or len(parsed.answer) == 1


@given(st.text())
def test_answer_reads_as_itself(reply):
    answer = parse(reply, []).answer
    if answer is not None:
        assert parse(answer, [])[:2] == (answer, "exact")


@given(st.sampled_from(string.ascii_letters))
def test_notations_of_one_letter_agree_whatever_its_case(letter):
    replies = [
        letter,
        f'The letter "{letter}" is marked.',
        f"It is the letter '{letter}'.",
        f"The marked letter is **{letter}**.",
        f"The marked letter is {letter}.",
        f'The marked letter is the letter "{letter}" in the word "Parallel".',
    ]
    assert {parse(reply, []).answer for reply in replies} == {letter.lower()}


@given(st.sampled_from(string.ascii_letters), st.sampled_from(string.ascii_letters))
def test_two_different_letters_without_conclusion_are_unparsed(first, second):
    assume(first.lower() != second.lower())
    assert parse(f'The letter "{first}" and the letter "{second}".', []).outcome == "unparsed"
