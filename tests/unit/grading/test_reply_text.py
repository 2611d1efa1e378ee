from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.language.reply_text import plain, sentences

PLAIN = [
    ("**5** circles", "5 circles"),
    ("__5__ circles and _6_", "5 circles and 6"),
    ("# Answer\n5", "Answer\n5"),
    ("\\(5\\)", "5"),
    ("$\\boxed{5}$", "{5}"),
    ("\\text{five}\\,dots", "{five}dots"),
    ("\u201cfive\u201d", '"five"'),
    ("a  b\u00a0c \r\n d", "a b c\nd"),
    ("* a bullet", "* a bullet"),
    ("2 * 3", "2 * 3"),
    ("snake_case_name", "snake_case_name"),
    ("5\u00b2", "5\u00b2"),
    ("\u24d2", "\u24d2"),
]
SENTENCES = [
    ("One. Two!", ["One.", "Two!"]),
    ("1. First\n2. Second", ["1. First", "2. Second"]),
    ("It is 2.5 long. Yes", ["It is 2.5 long.", "Yes"]),
    ('He said "no." Then left', ['He said "no."', "Then left"]),
    ("Numbers, e.g. {3}, help.", ["Numbers, e.g. {3}, help."]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_typography_goes_and_characters_stay(text, expected):
    assert plain(text) == expected


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_sentences_end_at_periods_but_not_at_list_numbers(text, expected):
    assert [text[start:end].strip() for start, end in sentences(text)] == expected


@given(st.text())
def test_plain_text_is_plain_already(text):
    assert plain(plain(text)) == plain(text)


@given(st.text(alphabet="ab1.!?\n \"'"))
def test_sentences_cover_all_but_blanks_in_order(text):
    spans = sentences(text)
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
