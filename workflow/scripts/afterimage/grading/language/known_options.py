"""The concepts, comparisons and names of a question's options, before any reply is read.

The words are data, in several languages: ``resources/answers/options.yaml``.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from afterimage.grading.language.typography import is_number
from afterimage.grading.language.words import Words, cue, expression, listed, load

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
# Private characters, which occur in no text.
_FIRST_MARK = 0xE000
# A name begins at a word, at "1番目" or at a non-ASCII character: one lookahead instead of one for each name.
_MAY_BEGIN = r"(?:(?<![a-z0-9])(?=[a-z]|[0-9][つ番])|(?=[^\x00-\x7f]))"
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_NUMBERS = ("one", "two", "three", "four", "five")
_NUMERALS = ("一", "二", "三", "四", "五")
# Words without meaning for the question.
STOP = frozenset(
    WORD.findall(
        "a an the is are was were be of in on at to and or it its this that there they both one ones with for "
        "as by from "
    )
)


class Option(NamedTuple):
    """One option.

    Attributes:
        concept: Its meaning, a key of ``concepts``; None without one.
        distinct: The words that no other option has; empty for a number, which is named as a whole.
        compares: Whether it compares: bigger, smaller.
    """

    option_id: str
    concept: str | None
    distinct: frozenset[str]
    compares: bool


class Options(NamedTuple):
    """The options of a question, prepared for reading.

    Attributes:
        names: Matches an option's mark, or a word for its concept or position in the list; the group is "o" and the
            option's number.
        more: Words of the comparison that options make; None if they make none.
        less: Words of the contrary.
        words: All words of all options.
        same: Words for the property in which the options call things the same.
        larger_number: The side of the larger of two lengths, "more" or "less"; None if the options compare no
            lengths.
        about_looks: Whether the options are about how things look.
    """

    options: tuple[Option, ...]
    names: re.Pattern[str]
    more: Words | None
    less: Words | None
    words: frozenset[str]
    same: frozenset[str]
    larger_number: str | None
    about_looks: bool

    def number(self, match: re.Match[str]) -> int:
        """Return the number of the option that a match of :attr:`names` names."""
        assert match.lastgroup is not None
        return int(match.lastgroup[1:])

    def named(self, match: re.Match[str]) -> Option:
        return self.options[self.number(match)]


@lru_cache(maxsize=4096)
def options_of(options: tuple[tuple[str, str], ...]) -> Options:
    """Prepare options, given as (id, text in lower case)."""
    data = load("options")
    concepts = _concepts(options, data["concepts"])
    comparison = _comparison([text for _, text in options])
    more, less, larger_number = comparison or (None, None, None)
    compared = [side for side in (more, less) if side is not None]
    texts = [frozenset(WORD.findall(text)) - STOP for _, text in options]
    known = tuple(
        Option(
            option_id,
            concepts[number],
            frozenset()
            if is_number(text)
            else texts[number] - frozenset().union(*texts[:number], *texts[number + 1 :]),
            any(side.search(text) for side in compared),
        )
        for number, (option_id, text) in enumerate(options)
    )
    names = [_names(number, option.concept, options, data) for number, option in enumerate(known)]
    return Options(
        known,
        re.compile(f"{_MAY_BEGIN}(?:{'|'.join(names)})"),
        more,
        less,
        frozenset().union(*texts),
        _sameness_words(options, data["dimensions"]),
        larger_number,
        any(map(_speaks_of_looks, (text for _, text in options))),
    )


def _speaks_of_looks(text: str) -> bool:
    """Tell whether a text has a word for looking so; outside English, words are not separated."""
    looks = cue("looks")
    if not text.isascii() and looks.search(text):
        return True
    return any(looks.fullmatch(word) for word in WORD.findall(text) if word not in STOP)


def mark_of(number: int) -> str:
    """Return the character that replaces the whole text of an option in a clause."""
    return chr(_FIRST_MARK + number)


def _concepts(options: Sequence[tuple[str, str]], concepts: Mapping[str, Any]) -> list[str | None]:
    """Return each option's concept: that of its id, else one that its text alone among the options names."""
    if all(option_id in concepts for option_id, _ in options):
        # "Neither, all three are the same" denies a difference, "there is no pattern" what there may be.
        same = re.compile(expression({"en": concepts["same"]["en"]}))
        return ["same" if name == "none" and same.search(text) else name for name, text in options]
    concepts_of: list[str | None] = [None] * len(options)
    for concept, words in concepts.items():
        if concept in load("options")["by_id_only"]:
            continue
        named_by = [
            number
            for number, (_, text) in enumerate(options)
            if re.search(expression({"en": words["en"]}), text)
        ]
        if len(named_by) == 1 and concepts_of[named_by[0]] is None:
            concepts_of[named_by[0]] = concept
    return concepts_of


def _comparison(texts: Sequence[str]) -> tuple[Words, Words, str | None] | None:
    """Return the comparison that at least two options make, and the side of the larger number."""
    for number, entry in enumerate(load("options")["comparisons"]):
        more, less = (listed("options", "comparisons", number, side) for side in ("more", "less"))
        larger = entry.get("larger_number")
        if sum(bool(more.search(text)) for text in texts) >= 2:
            return more, less, larger
        if sum(bool(less.search(text)) for text in texts) >= 2:
            return less, more, {"more": "less", "less": "more"}.get(larger)
    return None


def _names(
    number: int, concept: str | None, options: Sequence[tuple[str, str]], data: Mapping[str, Any]
) -> str:
    """Return the expression for an option's concept, its number in words, and its position in the list."""
    words = [mark_of(number)]
    spelled = _spelled().get(options[number][1].strip(" ."))
    if spelled:
        words.append(expression({"en": spelled}))
    if concept is not None:
        words.append(expression(data["concepts"][concept]))
    if number < len(_ORDINALS):
        kinds = "(?:option|choice|statement|alternative|answer|description|possibility)"
        ordinal, digit, letter = _ORDINALS[number], number + 1, chr(ord("a") + number)
        word = _NUMBERS[number]
        last = "|last|final(?! answer)" if number == len(options) - 1 and number > 1 else ""
        words += [
            rf"\b(?:{ordinal}{last}) (?:\w+ )?{kinds}\b",
            rf"\b{kinds} is (?:the )?(?:{ordinal}{last})(?: one)?\b",
            rf"\b{kinds} (?:number |no\.? ?|#)?(?:{digit}|{letter}|{word})\b(?!')",
            rf"第?{_NUMERALS[number]}(?:个|個)?(?:选项|選項)|选项(?:{_NUMERALS[number]}|{digit}|{letter})",
            rf"選択肢{digit}|(?:{digit}|{_NUMERALS[number]})(?:つ目|番目)(?:の選択肢)?",
        ]
    return f"(?P<o{number}>{'|'.join(words)})"


@lru_cache(maxsize=1)
def _spelled() -> Mapping[str, list[str]]:
    """Return digits to spellings."""
    spelled: dict[str, list[str]] = {}
    for words in (*load("numbers")["words"].values(), *load("numbers")["digits"].values()):
        for word, value in words.items():
            spelled.setdefault(str(value), []).append(word)
    return spelled


def _sameness_words(
    options: Sequence[tuple[str, str]], dimensions: Mapping[str, Any]
) -> frozenset[str]:
    texts = [
        frozenset(WORD.findall(text))
        for option_id, text in options
        if option_id in ("same", "halfway") or "same" in text or "equal" in text
    ]
    shared = [
        plain_words(entry["en"])
        for name, entry in dimensions.items()
        if name != "other" and any(plain_words(entry["en"]) & text for text in texts)
    ]
    return frozenset().union(*shared)


def plain_words(words: Sequence[str]) -> frozenset[str]:
    return frozenset(
        part for word in words for part in (word.replace("u?", ""), word.replace("u?", "u"))
    )
