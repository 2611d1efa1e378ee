"""The extraction that is always there: longest match with the lexicon, deterministic, no dependency."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from afterimage.suites.pope.language import LONGEST, English, Lexicon, Token, negated, tokens
from afterimage.suites.pope.record import Mention

NAME = "lexicon"
VERSION = "1"

# After these a noun has ended: an orange "on" a plate is a fruit, an orange "jersey" is none.
_NO_CONTENT = {
    *("a", "an", "the", "and", "or", "nor", "but", "it", "its", "his", "her", "their"),
    *("this", "that"),
    *("these", "those", "which", "who", "while", "as", "in", "on", "at", "with", "near"),
    *("by", "beside"),
    *("behind", "under", "over", "from", "to", "into", "of", "for", "next", "inside"),
    *("outside", "between"),
    *("above", "below", "around", "along", "through", "there", "is", "are", "was", "were"),
    *("be", "being"),
    *("has", "have", "can", "sits", "sit", "sitting", "lies", "lying", "rests"),
    *("resting", "stands"),
    *("standing", "hangs", "hanging", "placed", "cut", "sliced", "peeled"),
}


class _Match(NamedTuple):
    words: int
    lemma: str
    category: str | None


def extract(text: str, lexicon: Lexicon, english: English) -> list[Mention]:
    """Return the objects that a caption mentions, in its order; what it denies is left out."""
    words = tokens(text)
    denied = negated(words)
    mentions = []
    number = 0
    while number < len(words):
        match = _longest(words, number, lexicon, english)
        if match is None:
            number += 1
            continue
        last = number + match.words - 1
        if (
            match.category
            and number not in denied
            and not _only_describes(words, number, match, lexicon, english)
        ):
            start, end = words[number].start, words[last].end
            surface = text[start:end]
            attributes = _attributes(words, number, english)
            mentions.append(
                Mention(surface, start, end, match.lemma, match.category, attributes, NAME)
            )
        number = last + 1
    return mentions


def ending_in(
    mentions: Iterable[Mention], spans: Sequence[tuple[int, int]], backend: str
) -> list[Mention]:
    """Return the mentions whose last word ends in one of the spans (start, end) of another backend."""
    return [
        mention._replace(backend=backend)
        for mention in mentions
        if any(start < mention.end <= end for start, end in spans)
    ]


def _longest(
    words: Sequence[Token], number: int, lexicon: Lexicon, english: English
) -> _Match | None:
    """Return the longest name that begins at a token; its category is None for a phrase of no kind."""
    for length in range(LONGEST, 0, -1):
        part = words[number : number + length]
        if len(part) < length or not all(token.is_word for token in part):
            continue
        *before, last = [token.text for token in part]
        for form in english.forms(last):
            name = " ".join([*before, form])
            if name in lexicon.none:
                return _Match(length, name, None)
            if name in lexicon.names:
                return _Match(length, name, lexicon.names[name])
    return None


def _only_describes(
    words: Sequence[Token], number: int, match: _Match, lexicon: Lexicon, english: English
) -> bool:
    """Tell whether a name stands before what it describes: "orange jersey", "adult zebra"."""
    after = number + match.words
    is_as_listed = words[after - 1].text == match.lemma.split(" ")[-1]
    if not is_as_listed or after >= len(words) or not words[after].is_word:
        return False
    if match.lemma in lexicon.adjectives:
        return words[after].text not in _NO_CONTENT
    return match.lemma in lexicon.modifiers and _longest(words, after, lexicon, english) is not None


def _attributes(words: Sequence[Token], number: int, english: English) -> tuple[str, ...]:
    """Return the attributes directly before a name, "black and white" included."""
    values: list[str] = []
    index = number - 1
    while index >= 0:
        value = english.value_of(words[index].text)
        if value is not None:
            values.insert(0, value)
        elif not (words[index].text in ("and", ",") and _joins(words, index, values, english)):
            break
        index -= 1
    return tuple(dict.fromkeys(values))


def _joins(words: Sequence[Token], index: int, values: Sequence[str], english: English) -> bool:
    """Tell whether an "and" or comma joins two attributes of one dimension."""
    previous = english.value_of(words[index - 1].text) if index else None
    if previous is None or not values:
        return False
    return english.dimension_of(previous) == english.dimension_of(values[0])
