import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from afterimage.grading.letter import parse

EXACT = [
    ("e", "e"),
    ("E", "e"),
    ('"k"', "k"),
    ("**w**", "w"),
    ("{t}", "t"),
    ("m.", "m"),
    ("@", "@"),
    ("\\boxed{q}", "q"),
]
CONTAINED = [
    ('The marked letter is "K".', "k"),
    ("The marked letter is 'k'.", "k"),
    ("The marked letter is \u201ck\u201d.", "k"),
    ('The marked letter is "k."', "k"),
    ("It is the letter **K**.", "k"),
    ("The letter K has the oval around it.", "k"),
    ("The letter with the oval is M.", "m"),
    ("The letter in the oval is a.", "a"),
    ("The letter with the oval is s, the first one.", "s"),
    ("The letter with the oval is U (uppercase U).", "u"),
    ("It is the lowercase g that is marked.", "g"),
    ('The oval surrounds "l" (lowercase L) in "Parallel".', "l"),
    ('The letter "r" in the word "Parallel" is in the oval.', "r"),
    ('The letter after "o" is "w", and that one is marked.', "w"),
    ('The letter "g" is marked, between "n" and "t".', "g"),
    ('It is not "c" but "e".', "e"),
    ("Answer: p", "p"),
    ("E is circled.", "e"),
    ('The marked character is the sign "@".', "@"),
    ('The marked character is the number "0".', "0"),
    ('It looks like "o" or "c". Therefore, the letter is "o".', "o"),
]
UNPARSED = [
    ("", "empty"),
    ("There is no letter in an oval here.", "no single character"),
    ("I cannot see the picture.", "refused: "),
    ('The marked letter is "We".', "several characters together"),
    ("The marked letters are 'me'.", "several characters together"),
    ("The marked letter is me.", "several characters together"),
    ('The letters "m" and "e" are marked.', "several characters: m, e"),
    ('It is "n" or "h".', "several characters: n, h"),
]


@pytest.mark.parametrize(("reply", "answer"), EXACT)
def test_reply_of_one_character_is_exact(reply, answer):
    assert parse(reply, [])[:2] == (answer, "exact")


@pytest.mark.parametrize(("reply", "answer"), CONTAINED)
def test_one_character_is_read_out_of_a_sentence(reply, answer):
    assert parse(reply, [])[:2] == (answer, "contained")


@pytest.mark.parametrize(("reply", "reason"), UNPARSED)
def test_two_characters_or_none_are_unparsed_and_say_why(reply, reason):
    parsed = parse(reply, [])
    assert parsed[:2] == (None, "unparsed")
    assert reason in parsed.reason


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
