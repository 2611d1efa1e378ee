"""Which words of a caption stand under a negation: "no other objects or people in the image"."""

from collections.abc import Sequence

from afterimage.suites.pope.language.tokens import Token

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
