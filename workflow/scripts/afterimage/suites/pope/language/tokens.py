"""Words and marks of a text, with their places in it."""

import re
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_SAME_LENGTH = str.maketrans({"\u2019": "'", "\u2018": "'", "\u2010": "-", "\u2011": "-"})
_POSSESSIVE = re.compile(r"'s?$")


class Token(NamedTuple):
    """A word or a mark.

    Attributes:
        text: In lower case, without a possessive ending.
        start: Where it begins in the text.
        end: Where it ends.
        is_word: Whether it is a word and not a mark.
    """

    text: str
    start: int
    end: int
    is_word: bool


def tokens(text: str) -> list[Token]:
    """Return the words and marks of a text; a hyphen between two words only separates them."""
    plain = text.translate(_SAME_LENGTH)
    found = []
    for match in _TOKEN.finditer(plain):
        written = match.group()
        is_word = written[0].isalnum()
        if written == "-" and _joins(plain, match.start()):
            continue
        # Case folding must not change the length that spans refer to.
        lowered = _POSSESSIVE.sub("", written.lower()) if is_word else written
        found.append(Token(lowered, match.start(), match.end(), is_word))
    return found


def name_key(name: str) -> str:
    """Return a name in the form in which texts are looked up: lower-case words, single spaces."""
    return " ".join(token.text for token in tokens(name) if token.is_word)


def _joins(text: str, place: int) -> bool:
    around = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return len(around) == 2 and all(sign.isalnum() for sign in around)
