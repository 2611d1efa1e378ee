"""Which option a clause is about, where it does not repeat the option's text.

The words for what options can be about (left, the same, parallel, ...), for comparisons (bigger, smaller) and for
places in a list ("the second option") are data, in several languages: ``resources/answers/options.yaml``. Options
that are about none of it are known by the words that no other option has.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from afterimage.grading.evidence import has_negation
from afterimage.grading.words import expression, load

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
# "Linear" is no word of "non-linear".
_COMPOUND = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")
_ANY_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# What surrounds something is no part of it.
_SURROUNDINGS = re.compile(
    r"\b(?:surrounded|encircled|enclosed|flanked|ringed|framed|bordered|accompanied|contained) (?:by|with|in)\b.*?"
    r"(?=\b(?:is|are|appears?|looks?|seems?)\b|$)"
    r"|\b(?:with|has|have|having) (?:\w+ ){0,3}?(?:circles?|discs?|dots?|rings?|fins?|arrow\w*|neighbou?rs?)\b"
    r"|\bthe (?:surrounding|neighbou?ring|outer|inducing|context) \w+\b"
    r"|\b(?:gr[ae]y|surrounding|small|large|big|tiny) (?:circles|discs|disks|dots|rings)\b"
    r"|^.*(?:囲ま|周囲|周り|包围|环绕|围绕|周围)\S*"
)
# Private signs, which stand in no text.
_FIRST_MARK = 0xE000
_OF_SURROUNDINGS = re.compile(
    r"\W*(?:the|and|these|those)? ? surroundings (?!(?:is|are|appears?|looks?) the)"
)
_PRONOUN = re.compile(r"\W*(?:it|that one|this one|this|that)(?:'s| is)\b")
_ALTERNATIVE = re.compile(r"\b(?:or|either|oder|ou)\b|或|または|もしくは")
# Concepts of what is neither the one nor the other: "halfway between the top and the bottom".
_NEITHER = ("same", "halfway")
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_NUMERALS = ("一", "二", "三", "四", "五")
# What says nothing of what is asked.
_STOP = frozenset(
    _WORD.findall(
        "a an the is are was were be of in on at to and or it its this that there they both one ones with for "
        "as by from "
    )
)
# Chinese and Japanese words alone are a name of an option; a sentence of this many signs says more.
_SHORT_ASIAN = 12


class _Option(NamedTuple):
    option_id: str
    concept: str | None
    distinct: frozenset[str]
    compares: bool


class Options(NamedTuple):
    """What is known of the options of a question.

    Attributes:
        options: Each of them.
        names: Finds an option's mark, or a word of an option's concept or place; its group is "o" and the option's
        number. more: The comparison that options make, and what says the contrary; None where they make none.
        less: The contrary.
        words: All words of all options.
        same: The words for what the options are the same in.
    """

    options: tuple[_Option, ...]
    names: re.Pattern
    more: re.Pattern | None
    less: re.Pattern | None
    words: frozenset[str]
    same: frozenset[str]


@lru_cache(maxsize=4096)
def options_of(options: tuple[tuple[str, str], ...]) -> Options:
    """Return what is known of options, given as (id, text in lower case)."""
    data = load("options")
    concepts = _concepts(options, data["concepts"])
    comparison = _comparison([text for _, text in options], data["comparisons"])
    more, less = comparison if comparison else (None, None)
    texts = [frozenset(_WORD.findall(text)) - _STOP for _, text in options]
    known = tuple(
        _Option(
            option_id,
            concepts[number],
            texts[number] - frozenset().union(*texts[:number], *texts[number + 1 :]),
            more is not None and bool(more.search(text) or less.search(text)),
        )
        for number, (option_id, text) in enumerate(options)
    )
    names = [
        _names(number, option.concept, len(options), data) for number, option in enumerate(known)
    ]
    return Options(
        known,
        re.compile("|".join(names)),
        more,
        less,
        frozenset().union(*texts),
        _same_in(options, data["dimensions"]),
    )


def named(clause: str, options: Options) -> set[str]:
    """Return the ids of the options that a clause in lower case says to be so."""
    if not options.names.search(clause):
        some = any(option.concept is None for option in options.options)
        return _by_distinct_words(clause, options) if some and not has_negation(clause) else set()
    clause = _SURROUNDINGS.sub(" surroundings ", clause.replace(" > ", " than "))
    if _OF_SURROUNDINGS.match(clause):
        return set()
    found = list(options.names.finditer(clause))
    rest = options.names.sub(lambda match: " " * len(match[0]), clause)
    denied = has_negation(_without_less(rest, options))
    if len({match.lastgroup for match in found}) > 1 and not denied and _ALTERNATIVE.search(rest):
        return {options.options[int(match.lastgroup[1:])].option_id for match in found}
    by_name = [(int(match.lastgroup[1:]), match) for match in found]
    said = {
        option_id
        for number, match in by_name
        if (option_id := _said(number, match, by_name, clause, rest, denied, options)) is not None
    }
    if not said and not denied:
        said = _by_object(by_name, clause, rest, options)
    return said or (set() if denied or found else _by_distinct_words(clause, options))


def denied_by(clause: str, options: Options) -> set[str]:
    """Return the ids of the options that a clause in lower case says not to be so."""
    rest = options.names.sub(lambda match: " " * len(match[0]), clause)
    if not has_negation(_without_less(rest, options)):
        return set()
    denied = set()
    for match in options.names.finditer(clause):
        option = options.options[int(match.lastgroup[1:])]
        if _is_object(clause, match) or option.concept in _NEITHER:
            continue
        less = option.compares and _side(rest, options) == "less"
        denied.add(_other(option, options) if less else option.option_id)
    return denied - {None}


def _without_less(rest: str, options: Options) -> str:
    """Leave out the "not" of "not as large", which denies nothing."""
    return options.less.sub(" ", rest) if options.less is not None else rest


def _by_object(
    found: Sequence[tuple[int, re.Match]], clause: str, rest: str, options: Options
) -> set[str]:
    """Return what "it is smaller than the right one" says of the right one."""
    if len({number for number, _ in found}) != 1 or not _PRONOUN.match(clause):
        return set()
    option = options.options[found[0][0]]
    side = _side(rest, options) if option.compares and _is_object(clause, found[0][1]) else None
    said = {"less": option.option_id, "more": _other(option, options), None: None}[side]
    return {said} - {None}


def mark_of(number: int) -> str:
    """Return the sign that stands in a clause for the whole text of an option."""
    return chr(_FIRST_MARK + number)


def _said(
    number: int,
    match: re.Match,
    found: Sequence[tuple[int, re.Match]],
    clause: str,
    rest: str,
    denied: bool,
    options: Options,
) -> str | None:
    option = options.options[number]
    if _is_object(clause, match):
        return None
    if denied and (option.compares or _denies(rest, match)):
        return _opposite(option, options)
    if match[0] == mark_of(number):
        return option.option_id
    if option.concept == "same":
        return option.option_id if _is_same_in(clause[match.end() :], options) else None
    if not option.compares:
        return option.option_id
    behind = [other.start() for _, other in found if other.start() > match.start()]
    own = rest[match.end() : min(behind, default=len(rest))]
    before = rest[: match.start()]
    side = _side_in_front(before, options) or _side(own, options) or _side(rest, options)
    if side == "more":
        return option.option_id
    if side == "less":
        return _other(option, options)
    says_same = any(options.options[other].concept in _NEITHER for other, _ in found)
    return option.option_id if not says_same and _stands_alone(rest, options) else None


def _denies(rest: str, match: re.Match) -> bool:
    """Tell whether a denial is about a name: before it, or behind it where the language puts it there."""
    return has_negation(rest[: match.start()]) or _ASIAN.search(rest + match[0]) is not None


def _side(text: str, options: Options) -> str | None:
    less, more = options.less.search(text), options.more.search(text)
    if less and (not more or less.start() <= more.start()):
        return "less"
    return "more" if more else None


def _side_in_front(before: str, options: Options) -> str | None:
    """Return what is said right before a name: "wider on the right"."""
    near = re.search(
        r"(\w+(?: \w+)??(?: together| apart| away)?) (?:on|at|to|towards?|in) (?:the |its )?\W*$",
        before,
    )
    return _side(near[1], options) if near else None


def _other(option: _Option, options: Options) -> str | None:
    """Return the one other option that makes the same comparison: who is not smaller is bigger."""
    others = [other for other in options.options if other.compares and other != option]
    return others[0].option_id if len(others) == 1 else None


def _opposite(option: _Option, options: Options) -> str | None:
    opposite = load("options")["opposites"].get(option.concept)
    offered = [other.option_id for other in options.options if other.concept == opposite]
    return offered[0] if opposite and len(offered) == 1 else None


def _is_object(clause: str, match: re.Match) -> bool:
    """Tell whether a name stands for what something else is compared with."""
    before = _object().search(clause[: match.start()])
    return before is not None or _object_before().match(clause, match.end()) is not None


@lru_cache(maxsize=1)
def _object() -> re.Pattern:
    return re.compile(rf"(?:{expression(load('options')['object'])})(?:\W*[a-z']+){{0,5}}\W*$")


@lru_cache(maxsize=1)
def _object_before() -> re.Pattern:
    return re.compile(expression(load("options")["object_before"]))


def _is_same_in(behind: str, options: Options) -> bool:
    """Tell whether what things are said to share is what was asked about."""
    said = _dimension_words().intersection(_WORD.findall(behind)[:3])
    return not said or not options.same or bool(said & options.same)


@lru_cache(maxsize=1)
def _dimension_words() -> frozenset[str]:
    dimensions = load("options")["dimensions"]
    return frozenset().union(*(_plain_words(entry["en"]) for entry in dimensions.values()))


def _stands_alone(rest: str, options: Options) -> bool:
    """Tell whether nothing is said beside an option's name."""
    if _ASIAN.search(rest):
        return len(rest.strip()) <= _SHORT_ASIAN
    return all(word in _fillers() or word in options.words for word in _ANY_WORD.findall(rest))


@lru_cache(maxsize=1)
def _fillers() -> frozenset[str]:
    return frozenset().union(*load("options")["fillers"].values())


def _by_distinct_words(clause: str, options: Options) -> set[str]:
    words = set(_COMPOUND.findall(clause))
    said = {word for word in words if word not in _STOP and word not in _fillers()}
    singular = said | {word.removesuffix("s") for word in said}
    about = [o for o in options.options if o.concept is None and o.distinct & singular]
    # Half of what sets one option apart and nothing of any other; or all of it.
    whole = {option.option_id for option in about if option.distinct <= singular}
    if len(about) == 1 and 2 * len(about[0].distinct & singular) >= len(about[0].distinct):
        return {about[0].option_id}
    return whole or {option.option_id for option in about if said and said <= option.distinct}


def _concepts(options: Sequence[tuple[str, str]], concepts: Mapping) -> list[str | None]:
    """Return what each option is about: what its id says, else what its text alone among the options names."""
    if all(option_id in concepts for option_id, _ in options):
        return [option_id for option_id, _ in options]
    about: list[str | None] = [None] * len(options)
    for concept, words in concepts.items():
        named_by = [
            number
            for number, (_, text) in enumerate(options)
            if re.search(expression({"en": words["en"]}), text)
        ]
        if len(named_by) == 1 and about[named_by[0]] is None:
            about[named_by[0]] = concept
    return about


def _comparison(
    texts: Sequence[str], comparisons: Sequence[Mapping]
) -> tuple[re.Pattern, re.Pattern] | None:
    """Return the comparison that at least two options make."""
    for entry in comparisons:
        more, less = (re.compile(expression(entry[side])) for side in ("more", "less"))
        if sum(bool(more.search(text)) for text in texts) >= 2:
            return more, less
        if sum(bool(less.search(text)) for text in texts) >= 2:
            return less, more
    return None


def _names(number: int, concept: str | None, count: int, data: Mapping) -> str:
    """Return the expression for an option's concept and its place in the list."""
    words = [mark_of(number)]
    if concept is not None:
        words.append(expression(data["concepts"][concept]))
    if number < len(_ORDINALS):
        kinds = "(?:option|choice|statement|alternative|answer|description|possibility)"
        ordinal, digit, letter = _ORDINALS[number], number + 1, chr(ord("a") + number)
        last = "|last|final" if number == count - 1 and count > 2 else ""
        words += [
            rf"\b(?:{ordinal}{last}) (?:\w+ )?{kinds}\b",
            rf"\b{kinds} (?:number |no\.? ?|#)?(?:{digit}|{letter})\b(?!')",
            rf"第?{_NUMERALS[number]}(?:个|個)?(?:选项|選項)|选项(?:{_NUMERALS[number]}|{digit}|{letter})",
            rf"選択肢{digit}|{digit}(?:つ目|番目)(?:の選択肢)?",
        ]
    return f"(?P<o{number}>{'|'.join(words)})"


def _same_in(options: Sequence[tuple[str, str]], dimensions: Mapping) -> frozenset[str]:
    texts = [
        frozenset(_WORD.findall(text))
        for option_id, text in options
        if option_id in ("same", "halfway") or "same" in text or "equal" in text
    ]
    own = [
        _plain_words(entry["en"])
        for name, entry in dimensions.items()
        if name != "other" and any(_plain_words(entry["en"]) & text for text in texts)
    ]
    return frozenset().union(*own)


def _plain_words(words: Sequence[str]) -> frozenset[str]:
    return frozenset(
        part for word in words for part in (word.replace("u?", ""), word.replace("u?", "u"))
    )
