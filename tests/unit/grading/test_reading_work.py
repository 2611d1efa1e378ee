"""How much is done to read a word of the lists over and over, counted in calls."""

import random
import sys
from functools import partial
from importlib import import_module

import pytest
from listed_words import JOINTS, repeated, words
from reading_effort import ASKED, OPTIONS, SLOWEST, forget

from afterimage.grading.language import restated
from afterimage.grading.language.words import Words
from afterimage.grading.readers import yes_no

#: Some 10 ms of an idle processor. Before clauses were read once, the worst took four times as many.
MAX_CALLS = 60_000


def calls(read, text):
    """Return how many functions a reading calls, in Python and in C."""
    count = 0

    def counted(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    read(text)
    forget()
    sys.setprofile(counted)
    try:
        read(text)
    finally:
        sys.setprofile(None)
    return count


def readers():
    for name in ("choice", "integer", "lettered_choice", "presence", "roman", "true_false"):
        yield (
            name,
            partial(import_module(f"afterimage.grading.readers.{name}").parse, options=OPTIONS),
        )
    for name, question in ASKED.items():
        module = import_module(f"afterimage.grading.readers.{name}")
        yield (
            f"{name}, asked",
            partial(module.parse_with_question, options=OPTIONS, question=question),
        )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "read"), list(readers()))
def test_words_over_and_over_take_a_bounded_number_of_calls(name, read):
    drawn = random.Random(name)
    others = [word + drawn.choice(JOINTS) for word in drawn.sample(sorted(words()), 12)]
    took = {piece: calls(read, repeated(piece)) for piece in (*SLOWEST, *others)}
    assert not {piece: count for piece, count in took.items() if count > MAX_CALLS}


def test_a_clause_over_and_over_is_read_once(monkeypatch):
    read = []
    read_clause = restated._read_clause
    monkeypatch.setattr(
        restated, "_read_clause", lambda text, *rest: read.append(text) or read_clause(text, *rest)
    )
    forget()
    yes_no.parse_with_question(
        "the sky, the sea, " * 600, (), "Is the red line longer than the blue one?"
    )
    assert 2 <= len(read) <= 8
    assert len(read) == len(set(read))


def test_words_of_which_a_text_holds_no_part_are_not_searched():
    searched = []

    class Counted:
        def search(self, text, *places):
            searched.append(text)

    looked = Words({"en": ["cannot tell", "no idea"]})
    looked._compiled = Counted()
    looked.search("the left circle " * 100)
    assert not searched
    looked.search("i cannot tell")
    assert searched == ["i cannot tell"]
