"""A note is English text that remembers its template."""

import copy
import pickle

import pytest

from afterimage.note import Note, joined


def test_a_note_is_its_english_text():
    note = Note("{n:,} of {all:,} items", n=3, all=1224)
    assert note == "3 of 1,224 items"
    assert (note.template, dict(note.slots)) == (
        "{n:,} of {all:,} items",
        {"n": 3, "all": 1224},
    )
    assert Note("a {brace} that is no slot") == "a {brace} that is no slot"


@pytest.mark.parametrize(
    "through", [str, copy.deepcopy, lambda note: pickle.loads(pickle.dumps(note))]
)
def test_a_note_keeps_its_template(through):
    kept = through(Note("{n} items", n=3))
    assert (kept, kept.template, dict(kept.slots)) == ("3 items", "{n} items", {"n": 3})


def test_a_note_may_be_laid_out_in_lines():
    laid = Note("not finished: {reason}", reason="no key").laid_out("not finished:\nno key")
    assert (laid, laid.template) == ("not finished:\nno key", "not finished: {reason}")


def test_joined_texts_stay_apart():
    parts = [Note("{n} items", n=3), "braces {stay}"]
    both = joined(parts, ", ")
    assert both == "3 items, braces {stay}"
    assert list(both.slots.values()) == parts
    assert joined([]) == ""
