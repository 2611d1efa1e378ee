"""No text takes long to read: looping, nested, random, a megabyte.

Nothing is compared with a clock. How long a text takes is counted in how long it takes to find the words of ten
kilobytes of English, at the same moment on the same processor.
"""

import random
import re
import time
from functools import partial
from importlib import import_module

import pytest

from afterimage.grading import (
    choice,
    denial,
    evidence,
    number_mentions,
    option_words,
    reply_text,
    true_false,
    typography,
)
from afterimage.grading.known_options import options_of
from afterimage.grading.reasoning import split

READERS = (
    "choice",
    "choice_last_line",
    "description",
    "integer",
    "letter",
    "lettered_choice",
    "numbered_option",
    "presence",
    "presence_blog",
    "roman",
    "rows_columns",
    "short_text",
    "true_false",
    "word_list",
    "yes_no",
    "yes_no_statement",
    "yes_no_uncertain",
)
OPTIONS = (
    ("left", "The left red circle is bigger."),
    ("right", "The right red circle is bigger."),
    ("same", "Both red circles are the same size."),
)
PIECES = {
    "marks of turns": "[INST]",
    "half marks": "<  ",
    "speakers": "\nUSER",
    "hashes": "### ",
    "opened turns": "<|im_start|>user\n",
    "looping": "The left circle is bigger. Wait, no, the right circle is bigger. ",
    "counting": "I count 3 squares, then 4 squares, so 5 squares. ",
    "supposing": "if the left is bigger than the right and not ",
    "nested": "((((**__``{{[[<<",
    "marks": "<think>",
    "answers": "<answer>",
    "boxes": "\\boxed{",
    "rows": "| a | b |\n",
    "numbers": "1 2 3 4 5 6 7 8 9 ",
    "digits": "7",
    "quotes": "'\"",
    "letters": '"a" or "b" ',
    "looking": "A looks bigger than B, but II looks right: 12 px. ",
    "japanese": "左の円の方が大きいです。",
    "hiragana": "ふわふわはつるつるではありません",
    "topics": "は",
    "chinese": "两个圆没有接触,图中并非有汽车,这个说法不正确。",
    "korean": "두 원은 서로 닿지 않습니다. 사실이 아닙니다. ",
    "denying": "No es cierto que los círculos no se toquen nunca ",
    "joined denials": "不没无非未接触",
    "an option": "the left ",
    "an option in Chinese": "左",
    "an option in two signs": "左边",
    "an option in Korean": "왼쪽",
    "blanks": " \n",
    "one word": "a",
    "emoji": "😀",
    "accents": "é",
    "short words with accents": "né ",
    "a dotted capital": "İ",
    "adverbs": "really ",
    "an opinion with adverbs": "it is clearly ",
    "one Korean sign": "같",
    "fractions": "½ ",
    "numbered": "1.",
    "listed": "1,",
    "German yes": "ja ",
    "German no": "nein, ",
    "nothing there": "there is no car. ",
    "none in Portuguese": "não ",
    "full stops": "。",
    "not agreeing in Spanish": "no estoy de acuerdo ",
    "no problem in Korean": "문제없",
    "none in Chinese": "無",
}  # fmt: skip
REMEMBERED = (
    choice._normalised,
    denial._found,
    denial._of,
    denial._spared,
    denial.has_denial,
    denial.spoken,
    evidence.clauses,
    evidence.conclusions,
    evidence.final_answers,
    evidence.is_supposed,
    evidence.refuses,
    evidence._in_sentence,
    evidence._refuses,
    evidence._tone,
    number_mentions.mentions,
    reply_text.prepared,
    reply_text.sentences,
    typography.levelled,
)
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
_WORDS = re.compile(r"\w+")
#: Some 10 KB of English, and how often their words are found: about a millisecond of an idle processor.
_YARDSTICK, _OFTEN = "The left circle is bigger than the right one. " * 220, 5
#: Yardsticks that a text may take.
TEN_KILOBYTES, MEGABYTE = 20, 800
_ROUNDS = 5


def forget():
    """Forget what is remembered of replies, so that a second reading takes as long as the first."""
    for remembered in REMEMBERED:
        remembered.cache_clear()


def texts(size):
    for name, piece in PIECES.items():
        yield name, (piece * (size // len(piece) + 1))[:size]
    drawn = random.Random(5)
    signs = "abcdefg hij 0123456789.,;:!?(){}[]*_#|\\\"'\n是左右同ない\u2019"
    yield "random", "".join(drawn.choices(signs, k=size))


def seconds(read, text):
    best = float("inf")
    for _ in range(3):
        forget()
        start = time.process_time()
        read(text)
        best = min(best, time.process_time() - start)
    return best


def yardstick():
    """Return the seconds of one yardstick, now."""
    start = time.process_time()
    for _ in range(_OFTEN):
        _WORDS.findall(_YARDSTICK)
    return time.process_time() - start


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
    module = import_module(f"afterimage.grading.{reader}")
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
    module = import_module(f"afterimage.grading.{reader}")
    for name, text in texts(1 << 20):
        assert yardsticks(partial(module.parse, options=OPTIONS), text, MEGABYTE) <= MEGABYTE, name


def test_splitting_a_megabyte_takes_little_longer():
    for name, text in texts(1 << 20):
        assert yardsticks(split, text, MEGABYTE) <= MEGABYTE, name


@pytest.mark.parametrize("name", NAMES)
def test_a_clause_takes_as_long_as_it_names_options(name):
    known = options_of(tuple((option_id, text.lower()) for option_id, text in OPTIONS))
    few, many = (
        seconds(partial(option_words.named, options=known), name * number)
        for number in (500, 500 * TIMES)
    )
    assert many < LONGER * few


@pytest.mark.parametrize("word", ["錯誤", "錯誤 ", "不正確"])
def test_of_a_verdict_that_nobody_can_settle_no_more_are_read(word, monkeypatch):
    asked = []
    stance = true_false.stance
    monkeypatch.setattr(
        true_false, "stance", lambda *place, **how: asked.append(place) or stance(*place, **how)
    )
    counts = []
    for times in (500, 4_000):
        forget()
        asked.clear()
        assert true_false.parse(word * times).answer is None
        counts.append(len(asked))
    assert 0 < counts[1] <= counts[0]


def test_of_two_verdicts_over_and_over_each_is_read_once(monkeypatch):
    asked = []
    stance = true_false.stance
    monkeypatch.setattr(
        true_false, "stance", lambda *place, **how: asked.append(place) or stance(*place, **how)
    )
    word = "no estoy de acuerdo "
    forget()
    assert true_false.parse(word * 500).answer is None
    said = (reply_text.HEAD + reply_text.TAIL) // len(word)
    assert said - 5 < len(asked) < said + 10


def test_a_number_of_thousands_of_digits_raises_nowhere():
    for reader in READERS:
        import_module(f"afterimage.grading.{reader}").parse("7" * 5_000, OPTIONS)
        import_module(f"afterimage.grading.{reader}").parse(f"There are {'7' * 5_000}.", OPTIONS)
