"""Multiple choice with lettered options: "b", "(b)", "b. A cat", "The answer is b", or the option's own words.

A letter counts only where it cannot be a word: alone, before a period, bracket or colon, or after "answer is". "A man
is standing there" does not name option a. The exact text of an option takes precedence over a letter in quotes. The
contexts in which a letter counts: :mod:`afterimage.grading.readers.labels`.
"""

import re
from collections.abc import Sequence

from afterimage.contract.readings import OFF_TOPIC
from afterimage.grading.language.reply_text import plain, prepared
from afterimage.grading.parsed import NOTHING, Parsed, unread
from afterimage.grading.readers import choice
from afterimage.grading.readers.labels import Labels, read

_DECORATION = " \t\n\"'`.,:;!()[]{}<>"
_QUOTED = re.compile(r"\s*[\"'‘’“”「『]")
_MAX_DIGITS = 4


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Args:
        options: (option id, option text) as they were offered; the first is a, the second b, ...

    Returns:
        The option id with outcome "exact" (the reply is a letter, or an option's text) or "contained"; or None with
        outcome "unparsed" and why: no option named, several, a letter of no option, or a letter with the words of
        another option.
    """
    reply = plain(text)
    bare = reply.strip(_DECORATION)
    if not bare:
        return NOTHING
    if len(bare) == 1 and bare.isascii() and bare.isalpha():
        return _by_letter(bare, _QUOTED.match(text) is not None, options)
    if bare.isascii() and bare.isdigit() and len(bare) <= _MAX_DIGITS:
        return _by_number(int(bare), options)
    whole = choice.exact(text, options)
    return whole if whole is not None else read(prepared(text), options, _LETTERS)


def _by_letter(letter: str, quoted: bool, options: Sequence[tuple[str, str]]) -> Parsed:
    index = ord(letter.lower()) - ord("a")
    whole = choice.exact(letter, options)
    if whole is not None and (quoted or index >= len(options)):
        return whole
    if index >= len(options):
        return unread(OFF_TOPIC, f"no option bears the letter {letter}")
    return Parsed(options[index][0], "exact", "the reply is this letter")


def _by_number(number: int, options: Sequence[tuple[str, str]]) -> Parsed:
    texts = choice.parse(str(number), options)
    if texts.answer is not None:
        return texts
    if not 1 <= number <= len(options):
        return unread(OFF_TOPIC, f"no option bears the number {number}")
    return Parsed(
        options[number - 1][0], "contained", "other numbering: a number instead of a letter"
    )


def _is_article(letter: str, behind: str) -> bool:
    """Tell whether a letter may be a word: "a cat", "i think"."""
    follows = re.match(r"\s*[a-zà-ÿ]", behind) is not None
    return letter in "ai" and follows and re.match(r"\s+(?:or|and)\s+[a-z]\b", behind) is None


_LETTERS = Labels("[a-z]", lambda letter: ord(letter) - ord("a"), _is_article)
