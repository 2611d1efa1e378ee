"""Multiple choice: which of the offered options a reply names.

Rule: the exact option text after normalisation of
case, spaces, quotes and the final period; else the one option that the reply contains; else
unparsed. The rule reads words, not sense: "It is not true that X" contains X and counts as X, and a
reply that weighs two options before it decides names two and is unparsed. Replies that shorten or
reword an option are unparsed as well.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from afterimage.grading.parsed import Parsed

_WORD = r"[^\W_]"
_SINGLE_QUOTES = "'`\u00b4\u2018\u2019\u201a\u201b\u2032\u2039\u203a"
_DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f'
_HYPHENS = "-\u2010\u2011"

_STRAIGHT_QUOTES = str.maketrans(
    dict.fromkeys(_SINGLE_QUOTES, "'") | dict.fromkeys(_DOUBLE_QUOTES, '"')
)
# An apostrophe inside a word is spelling ("don't"); every other quote is punctuation around words.
_PUNCTUATION_QUOTES = re.compile(rf"(?<!{_WORD})['\"]|['\"](?!{_WORD})")
# Markdown's emphasis opens before a non-space and closes after one. A lone star before a space is a
# bullet, one between words is multiplication, an underscore between words is part of a name: those
# stay.
_EMPHASIS = re.compile(rf"(?<!{_WORD})[*_]+(?=\S)|(?<=\S)[*_]+(?!{_WORD})")
_FINAL = " .\u3002"

# "parallel" is no word of "non-parallel", and "5" none of "1.5" or "5.2".
_STARTS_WORD = rf"(?<!{_WORD})(?<!{_WORD}[{_HYPHENS}'])(?!(?<=\d[.,])\d)"
_ENDS_WORD = rf"(?!{_WORD}|[{_HYPHENS}']{_WORD}|(?<=\d)[.,]\d)"


class _Mention(NamedTuple):
    option_id: str
    start: int
    end: int


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: (option id, option text) as they were offered.

    Returns:
        The option id with outcome "exact" or "contained", or None with outcome "unparsed" and the
        reason: the reply is empty, names several options, or names none. Options that read the same
        after normalisation are always named together, so neither is ever the answer; an option
        without any letter or sign is never named.
    """
    reply = normalise(text)
    if not reply:
        return Parsed(None, "unparsed", "the reply is empty")
    wanted = {option_id: _normalised_option(option) for option_id, option in options}
    equal = [option_id for option_id, option in wanted.items() if option == reply]
    if len(equal) == 1:
        return Parsed(equal[0], "exact", "the reply is the option's text")
    named = _named(reply, wanted)
    if len(named) == 1:
        return Parsed(named[0], "contained", "the reply contains the text of this option alone")
    if named:
        return Parsed(None, "unparsed", f"the reply names several options: {', '.join(named)}")
    return Parsed(None, "unparsed", "the reply names no option")


def normalise(text: str) -> str:
    """Remove the differences that do not matter: case, spaces, quotes, emphasis, final periods.

    Unicode compatibility forms and invisible characters go as well. Idempotent.
    """
    # Each step can uncover work for another (a quote inside emphasis inside quotes), hence the
    # fixed point. It is
    # reached: case and compatibility folding settle, and all other steps only shorten the text.
    while (simpler := _normalised_once(text)) != text:
        text = simpler
    return text


# The same few options are offered with every question.
_normalised_option = lru_cache(maxsize=4096)(normalise)


def _normalised_once(text: str) -> str:
    if text.isascii():
        # Nothing to fold, nothing invisible: the common case, without a look at every sign.
        text = text.translate(_STRAIGHT_QUOTES).lower()
    else:
        text = unicodedata.normalize("NFKC", text.translate(_STRAIGHT_QUOTES)).casefold()
        text = unicodedata.normalize("NFKC", text).translate(_STRAIGHT_QUOTES)
        text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = _EMPHASIS.sub("", text)
    text = _PUNCTUATION_QUOTES.sub("", text)
    return " ".join(text.split()).rstrip(_FINAL)


def _named(reply: str, wanted: dict[str, str]) -> list[str]:
    mentions = [
        _Mention(option_id, found.start(), found.end())
        for option_id, option in wanted.items()
        if option
        for found in _whole_words(option).finditer(reply)
    ]
    own = {mention.option_id for mention in mentions if not _is_inside_longer(mention, mentions)}
    return [option_id for option_id in wanted if option_id in own]


@lru_cache(maxsize=4096)
def _whole_words(option: str) -> re.Pattern:
    return re.compile(rf"{_STARTS_WORD}{re.escape(option)}{_ENDS_WORD}")


def _is_inside_longer(mention: _Mention, mentions: Sequence[_Mention]) -> bool:
    return any(
        other.start <= mention.start
        and mention.end <= other.end
        and other.end - other.start > mention.end - mention.start
        for other in mentions
    )
