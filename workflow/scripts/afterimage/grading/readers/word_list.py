"""A list of three words separated by 、, as the texture suite's generation task asks for.

Strict reading: without blanks at its ends and one final 。 the reply falls at 、 into exactly three parts, none of them
empty or with a line break, all different as normal forms, and is no sentence: no 。 inside, at most 40 characters.
Everything else is invalid, with a reason. The lenient reading takes other separators and any number of words: for
people who judge each word, and never for the share of words in common.
"""

import re
import unicodedata
from collections.abc import Sequence

from afterimage.contract.readings import EMPTY, REFUSED
from afterimage.grading.language.typography import normal_form
from afterimage.grading.language.words import is_refusal
from afterimage.grading.parsed import NOTHING, Parsed, unread

#: Joins the words of an answer, and of the reading ``lenient``.
SEPARATOR = "、"
_WRONG_COUNT, _OTHER_SEPARATOR = "wrong_count", "other_separator"
_SENTENCE, _DUPLICATE = "sentence", "duplicate"
#: Why a reply is no valid list: the codes of its readings.
REASONS = (_WRONG_COUNT, _OTHER_SEPARATOR, _SENTENCE, _DUPLICATE, EMPTY, REFUSED)

_WORDS = 3
_LONGEST = 40
_OTHER_SEPARATORS = re.compile(r"[,・;/\n]")
# "この果物はつるつるしていて、...を持っています" says of something what it is.
_SENTENCE_ENDS = ("です", "ます", "でした", "ました", "である")
_NUMBERED = re.compile(r"(?:^|[\n\s])[\[(]?\d+[.):\]]\s*\S")
# What begins an item of a list, and what may stand around a word.
_BULLET = re.compile(r"^\s*(?:[\[(]?\d+[.):\]]|[-*•・])\s*")
_QUOTES = "\"'“”‘’「」『』*\n\t 　"
_AROUND = "\"'「」『』“”‘’*`。. \t"
_LENIENT_SPLIT = re.compile(r"[、,・;/\n。]|(?<=\S)\s+(?=[\[(]?\d+[.):\]]\s)")


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as a list of three words; never raises, whatever the reply.

    Returns:
        The three words as normal forms, joined by 、, with outcome "exact"; or None with outcome "unparsed" and
        one of ``REASONS`` before a colon. ``readings`` holds ``lenient``: all words of the lenient reading.
    """
    reply = unicodedata.normalize("NFKC", text).strip().removesuffix("。").strip(_QUOTES)
    parsed = _fault(reply)
    if parsed is None:
        words = SEPARATOR.join(normal_form(part) for part in reply.split(SEPARATOR))
        return Parsed(words, "exact", "three different words", readings={"lenient": words})
    lenient = [] if parsed.code in (EMPTY, REFUSED) else _lenient_words(reply)
    return parsed._replace(readings={"lenient": SEPARATOR.join(lenient)})


def words_of(reading: str | None) -> tuple[str, ...]:
    """Return the words of an answer or of a lenient reading."""
    return tuple(reading.split(SEPARATOR)) if reading else ()


def _fault(reply: str) -> Parsed | None:
    """Say why a reply is no valid list; None if it is one."""
    if not reply:
        return NOTHING
    if is_refusal(reply):
        return unread(REFUSED, "the reply declines to answer")
    if "。" in reply or _is_sentence(reply):
        return unread(_SENTENCE, "the reply is a sentence, or goes on after a full stop")
    parts = [part.strip() for part in reply.split(SEPARATOR)]
    if _OTHER_SEPARATORS.search(reply) and (len(parts) != _WORDS or "\n" in reply):
        return unread(_OTHER_SEPARATOR, "the words are parted by something else than 、")
    if _NUMBERED.search(reply):
        return unread(_OTHER_SEPARATOR, "the words are numbered")
    if len(reply) > _LONGEST:
        return unread(_SENTENCE, f"the reply is longer than {_LONGEST} characters")
    if len(parts) != _WORDS or not all(parts):
        return unread(_WRONG_COUNT, f"found {sum(map(bool, parts))} instead of {_WORDS} words")
    if len(set(map(normal_form, parts))) < _WORDS:
        return unread(_DUPLICATE, "a word occurs twice")
    return None


def _is_sentence(reply: str) -> bool:
    # Not an expression: は.*です takes quadratic time where there are many は.
    return any(reply.endswith(end) and "は" in reply[: -len(end)] for end in _SENTENCE_ENDS)


def _lenient_words(reply: str) -> list[str]:
    parts = [
        normal_form(_BULLET.sub("", part).strip(_AROUND)) for part in _LENIENT_SPLIT.split(reply)
    ]
    return [part for part in parts if part]
