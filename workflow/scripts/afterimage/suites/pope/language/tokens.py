"""Words and marks of a text, with their places in it, and which of them stand under a negation."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[^\w\s]")
_SAME_LENGTH = str.maketrans({"\u2019": "'", "\u2018": "'", "\u2010": "-", "\u2011": "-"})
_POSSESSIVE = re.compile(r"'s?$")

_NEGATORS = {"no", "without", "neither", "nor", "lacks", "lacking"}
# "Not" denies a noun only with a determiner behind: "not a car", but not "not far from the car".
_NOT = {"not", "isn't", "aren't", "wasn't", "weren't", "doesn't", "don't", "never"}
_DETERMINERS = {"a", "an", "any", "the", "contain", "show", "have", "include", "depict", "feature"}
# Where the denied things end: behind a preposition, a verb or another clause stands something real.
_BOUNDARIES = {
    *("in", "on", "at", "with", "near", "by", "beside", "behind", "under", "over", "from"),
    *("to", "into"),
    *("is", "are", "was", "were", "has", "have", "can", "be", "but", "except", "while"),
    *("as", "that"),
    *("which", "who", "where", "visible", "present", "around", "next", "inside", "outside", "of"),
}
_EXEMPT_ING = {"building", "ceiling", "painting", "railing", "clothing", "thing", "wing", "string"}


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


def negated(words: Sequence[Token]) -> set[int]:
    """Return the numbers of the tokens that a negation covers."""
    covered: set[int] = set()
    number = 0
    while number < len(words):
        if _negates(words, number):
            end = _end(words, number + 1)
            covered.update(range(number, end))
            number = max(end, number + 1)
        else:
            number += 1
    return covered


def _negates(words: Sequence[Token], number: int) -> bool:
    word = words[number].text
    if word in _NOT:
        return number + 1 < len(words) and words[number + 1].text in _DETERMINERS
    return word in _NEGATORS


def _end(words: Sequence[Token], start: int) -> int:
    """Return the number of the first token behind the denied list of things."""
    for number in range(start, len(words)):
        word = words[number]
        if word.text == ",":
            # A comma goes on with the list, unless a new clause begins: "no cars, a man walks".
            after = words[number + 1].text if number + 1 < len(words) else ""
            if after in {"a", "an", "the", "one", "two", "there"}:
                return number
        elif word.text in _DETERMINERS and number == start:
            continue
        elif not word.is_word or word.text in _BOUNDARIES or _is_verb_form(word.text):
            return number
    return len(words)


def _is_verb_form(word: str) -> bool:
    return word.endswith("ing") and len(word) > 4 and word not in _EXEMPT_ING
