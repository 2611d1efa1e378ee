"""Looks ahead at first signs and at needed parts of words change nothing but the time that a search takes."""

import re

import pytest
import reading_cases

from afterimage.files.yaml import read_yaml
from afterimage.grading.language.words import FOLDER, Words, ahead, needed


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


def test_a_look_ahead_misses_no_word_of_the_lists():
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


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["no", "none", "not"], {"no"}),
        (["colou?r", "shade"], {"colo", "shade"}),
        (["(?:does|is) not"], {" not"}),
        (["(?:very )?dark", r"a\.b\s*c"], {"dark", "a.b"}),
        (["(?:x|yz)+[ab]"], {"x", "yz"}),
        (["(?<!a )(?=bc)b[cd]efg$", r"\bhi{2,3}j"], {"efg", "hi"}),
        (["a{0,3}bb?c*"], {"b"}),
    ],
)
def test_parts_of_which_words_hold_one(words, parts):
    assert needed(words) == parts


@pytest.mark.parametrize("word", ["", "a?", "(?:|a)", ".+", "[ab]c*", r"\d\w", "(?:a|b?)", "(?=a)"])
def test_of_what_may_be_anything_no_part_is_known(word):
    assert needed(["no", word]) == frozenset()


def test_a_look_at_needed_parts_misses_no_word_of_the_lists():
    """Each list finds in each answer what its expression alone finds."""
    texts = sorted({case.reply.lower() for case in reading_cases.cases()})[::25]
    known = 0
    for by_language in _lists_by_language(
        read_yaml(path) for path in sorted(FOLDER.rglob("*.yaml"))
    ):
        words = Words(by_language)
        known += bool(needed(word for own in by_language.values() for word in own))
        plain = re.compile(words.pattern)
        for text in texts:
            spans = [found.span() for found in plain.finditer(text)]
            assert [found.span() for found in words.finditer(text)] == spans
            assert (words.search(text) is None) == (not spans)
            assert words.sub("#", text) == plain.sub("#", text)
    assert known > 100


def _lists_by_language(values):
    for value in values:
        if isinstance(value, dict):
            lists = {key: words for key, words in value.items() if _is_list(words)}
            if lists:
                yield lists
            yield from _lists_by_language(value.values())


def _is_list(value):
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
