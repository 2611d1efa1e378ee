"""A look ahead at the first signs of words of a list changes nothing but the time that it takes."""

import re

import pytest
import reading_cases

from afterimage.files.yaml import read_yaml
from afterimage.grading.first_signs import ahead
from afterimage.grading.words import FOLDER


@pytest.mark.parametrize(
    ("words", "signs"),
    [
        (["no", "not"], "n"),
        (["(?:does|is) not", "none"], "din"),
        (["colou?r", "a?n"], "can"),
        (["(?:very )?dark", "[xyz]{0,2}b"], "vdxyzb"),
        (["(?<!a )(?=b)bc", r"\bd", "^e"], "bde"),
        (["(?:a|(?:b|c)?d)e"], "abcd"),
        (["(?:a?|b*)c"], "abc"),
        (["[a)|]x", "(?:[(]y|z)"], "a)|(z"),
        ([r"\(x", r"\w+y"], "(abcxyz019_"),
    ],
)
def test_signs_that_words_begin_with(words, signs):
    found = re.compile(ahead(words)[3:-1])
    assert all(map(found.fullmatch, signs))
    assert not found.fullmatch("?")


@pytest.mark.parametrize("word", ["", "a?", "(?:|a)", ".a", "[^a]b", "(?:(?=a)|b?)"])
def test_what_may_begin_with_anything_looks_ahead_at_nothing(word):
    assert ahead(["no", word]) == ""


def test_no_word_of_the_lists_is_missed():
    """Each list, with and without the look ahead, finds the same in answers."""
    texts = sorted({case.reply.lower() for case in reading_cases.cases()})[::40]
    for words in _lists(read_yaml(path) for path in sorted(FOLDER.rglob("*.yaml"))):
        plain = "|".join(words)
        looking = re.compile(f"{ahead(words)}(?:{plain})")
        text = "\n".join(texts)
        assert [m.span() for m in looking.finditer(text)] == [
            m.span() for m in re.finditer(plain, text)
        ]


def _lists(values):
    for value in values:
        if isinstance(value, dict):
            yield from _lists(value.values())
        elif isinstance(value, list) and all(isinstance(one, str) for one in value):
            yield value
