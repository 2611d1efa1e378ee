"""No text takes long to read: looping, nested, random, a megabyte.

Nothing is compared with a clock. How long a text takes is counted in how long it takes to find the words of ten
kilobytes of English, at the same moment on the same processor.
"""

import time
from functools import partial
from importlib import import_module

import pytest
from reading_effort import OPTIONS, READERS, forget, texts, times_as_long, yardstick

from afterimage.grading.language import option_words, reply_text
from afterimage.grading.language.known_options import options_of
from afterimage.grading.readers import true_false
from afterimage.grading.reasoning import split

#: Names of options, what compares with them and what denies them.
NAMES = (
    "左",
    "左边",
    "왼쪽",
    "left ",
    "比左",
    "than the left ",
    "bigger on the left ",
    "不左",
    "not the left ",
)
#: So many times as many names may take so many times as long: twice what is linear, a quarter of what is quadratic.
TIMES, LONGER = 8, 16
#: Yardsticks that a text may take.
TEN_KILOBYTES, MEGABYTE = 20, 800
_ROUNDS = 5


def yardsticks(read, text, most):
    """Return how many yardsticks a text takes, measured again where it seems to be more than ``most``."""
    best = float("inf")
    for _ in range(_ROUNDS):
        forget()
        before = yardstick()
        start = time.process_time()
        read(text)
        took = time.process_time() - start
        best = min(best, took / max(before, yardstick()))
        if best <= most:
            break
    return best


@pytest.mark.parametrize("reader", READERS)
def test_ten_kilobytes_of_anything_are_read_at_once(reader):
    module = import_module(f"afterimage.grading.readers.{reader}")
    module.parse("a first reply, for what is read once", OPTIONS)
    slow = {
        name: took
        for name, text in texts(10_240)
        if (took := yardsticks(partial(module.parse, options=OPTIONS), text, TEN_KILOBYTES))
        > TEN_KILOBYTES
    }
    assert not slow


@pytest.mark.parametrize("reader", READERS)
def test_a_megabyte_takes_little_longer(reader):
    module = import_module(f"afterimage.grading.readers.{reader}")
    for name, text in texts(1 << 20):
        assert yardsticks(partial(module.parse, options=OPTIONS), text, MEGABYTE) <= MEGABYTE, name


def test_splitting_a_megabyte_takes_little_longer():
    for name, text in texts(1 << 20):
        assert yardsticks(split, text, MEGABYTE) <= MEGABYTE, name


@pytest.mark.parametrize("name", NAMES)
def test_a_clause_takes_as_long_as_it_names_options(name):
    known = options_of(tuple((option_id, text.lower()) for option_id, text in OPTIONS))
    few, many = (
        partial(option_words.named, name * number, options=known) for number in (500, 500 * TIMES)
    )
    assert times_as_long(few, many, LONGER) < LONGER


@pytest.mark.parametrize("word", ["錯誤", "錯誤 ", "不正確"])
def test_of_a_verdict_that_nobody_can_settle_no_more_are_read(word, monkeypatch):
    calls = []
    stance = true_false.stance
    monkeypatch.setattr(
        true_false, "stance", lambda *place, **how: calls.append(place) or stance(*place, **how)
    )
    counts = []
    for times in (500, 4_000):
        forget()
        calls.clear()
        assert true_false.parse(word * times).answer is None
        counts.append(len(calls))
    assert 0 < counts[1] <= counts[0]


def test_of_two_verdicts_over_and_over_each_is_read_once(monkeypatch):
    calls = []
    stance = true_false.stance
    monkeypatch.setattr(
        true_false, "stance", lambda *place, **how: calls.append(place) or stance(*place, **how)
    )
    word = "no estoy de acuerdo "
    forget()
    assert true_false.parse(word * 500).answer is None
    expected = (reply_text.HEAD + reply_text.TAIL) // len(word)
    assert expected - 5 < len(calls) < expected + 10


def test_a_number_of_thousands_of_digits_raises_nowhere():
    for reader in READERS:
        import_module(f"afterimage.grading.readers.{reader}").parse("7" * 5_000, OPTIONS)
        import_module(f"afterimage.grading.readers.{reader}").parse(
            f"There are {'7' * 5_000}.", OPTIONS
        )
