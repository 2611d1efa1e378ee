"""Multiple choice with lettered options: "b", "(b)", "b. A cat", "The answer is b", or the option's own words.

A letter counts only where it cannot be a word: alone, before a period, bracket or colon, or after "answer is". "A man
is standing there" names no option a.
"""

import re
from collections.abc import Sequence

from afterimage.grading import choice
from afterimage.grading.parsed import Parsed
from afterimage.grading.reply_text import plain

_DECORATION = " \t\n\"'`.,:;!()[]{}<>"
_LABELLED = re.compile(r"^[\"'(\[<]*([a-z])\s*[.):\]>]+[\"'\s]+(.+)$", re.IGNORECASE | re.DOTALL)
_SAYS = re.compile(
    r"\b(?:answer|option|choice)\b[\"']?(?:\s+is)?(?:\s+(?:option|choice))?\s*[:=]?\s*[\"'(\[]*([a-z])(?![\w'-])",
    re.IGNORECASE,
)


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: (option id, option text) as they were offered; the first is a, the second b, ...

    Returns:
        The option id with outcome "exact" (the reply is a letter, or an option's text) or "contained"; or None with
        outcome "unparsed" and why: no option named, several, a letter that none bears, or a letter beside the words
        of another option.
    """
    reply = plain(text)
    bare = reply.strip(_DECORATION)
    if not bare:
        return Parsed(None, "unparsed", "the reply is empty")
    if len(bare) == 1 and bare.isascii() and bare.isalpha():
        return _by_letter(bare, options, "exact", "the reply is this letter")
    if bare.isascii() and bare.isdigit():
        return _by_number(int(bare), options)
    labelled = _LABELLED.match(reply)
    if labelled:
        return _by_label(labelled[1], labelled[2], options)
    said = _SAYS.findall(reply)
    # Words after "answer" that are an article ("the answer is a cat") are decided by the options' texts.
    if said and not (said[-1].lower() == "a" and _article_follows(reply)):
        return _by_letter(
            said[-1], options, "contained", "the last letter that is called the answer"
        )
    return choice.parse(text, options)


def _by_letter(letter: str, options: Sequence[tuple[str, str]], outcome: str, why: str) -> Parsed:
    index = ord(letter.lower()) - ord("a")
    if index >= len(options):
        return Parsed(None, "unparsed", f"no option bears the letter {letter}")
    return Parsed(options[index][0], outcome, why)


def _by_number(number: int, options: Sequence[tuple[str, str]]) -> Parsed:
    texts = choice.parse(str(number), options)
    if texts.answer is not None:
        return texts
    if not 1 <= number <= len(options):
        return Parsed(None, "unparsed", f"no option bears the number {number}")
    return Parsed(
        options[number - 1][0], "contained", "other numbering: a number instead of a letter"
    )


def _by_label(letter: str, words: str, options: Sequence[tuple[str, str]]) -> Parsed:
    lettered = _by_letter(letter, options, "contained", "a letter and its words")
    named = choice.parse(words, options)
    if lettered.answer is None or named.outcome != "exact" or named.answer == lettered.answer:
        return lettered
    return Parsed(None, "unparsed", f"conflict: the letter {letter} beside another option's words")


def _article_follows(reply: str) -> bool:
    last = list(_SAYS.finditer(reply))[-1]
    return bool(re.match(r"\s+[^\W\d_]", reply[last.end() :]))
