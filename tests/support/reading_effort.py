"""Texts that are long to read, and how long reading takes: the same for tests and ``benchmarks/reading.py``."""

import random
import re
import time

from afterimage.grading.language import denial, evidence, number_mentions, reply_text, typography
from afterimage.grading.readers import choice

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
    denial._analysed,
    denial._candidate_languages,
    denial._spared,
    denial.has_denial,
    denial.spoken,
    evidence.clauses,
    evidence.conclusions,
    evidence.final_answers,
    evidence.is_supposed,
    evidence.refuses,
    evidence._clauses_of,
    evidence._refuses,
    evidence._tone,
    number_mentions.mentions,
    reply_text.prepared,
    reply_text.sentences,
    typography.levelled,
)

_WORDS = re.compile(r"\w+")

#: Some 10 KB of English, and how often their words are found: about a millisecond of an idle processor.
_YARDSTICK, _OFTEN = "The left circle is bigger than the right one. " * 220, 5

#: How often what seems to take too long is measured.
_TURNS = 5


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


def times_as_long(few, many, most):
    """Return how many times as long one call takes as another, measured again where it seems to be ``most`` or more.

    By turns: other work on the machine, which makes all slower that shares a core with it, is to meet both.
    """
    best = float("inf")
    for _ in range(_TURNS):
        took = []
        for call in (few, many):
            seconds = []
            for _ in range(3):
                forget()
                start = time.process_time()
                call()
                seconds.append(time.process_time() - start)
            took.append(min(seconds))
        best = min(best, took[1] / took[0])
        if best < most:
            break
    return best


def yardstick():
    """Return the seconds of one yardstick, now."""
    start = time.process_time()
    for _ in range(_OFTEN):
        _WORDS.findall(_YARDSTICK)
    return time.process_time() - start


ASKED = {
    "presence": "Is there a red car in the image?",
    "yes_no_uncertain": "Is the left circle larger than the right one?",
}

#: The words that take most.
SLOWEST = (
    "無",
    "左",
    "直, ",
    "no, ",
    "看不见。. ",
    "no estoy de acuerdo ",
    "一个",
    '"false" ,or "true ',
)
