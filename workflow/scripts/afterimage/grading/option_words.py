"""Which option a clause is about, where it does not repeat the option's text.

The words for what options can be about (left, the same, parallel, ...), for comparisons (bigger, smaller) and for
places in a list ("the second option") are data, in several languages: ``resources/answers/options.yaml``. Options
that are about none of it are known by the words that no other option has.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from afterimage.grading.denial import Stance, stance
from afterimage.grading.evidence import has_negation
from afterimage.grading.known_options import (
    STOP,
    WORD,
    Option,
    Options,
    mark_of,
    plain_words,
)
from afterimage.grading.words import expression, load

# "Linear" is no word of "non-linear".
_COMPOUND = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")
_ANY_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# What surrounds something is no part of it.
_SURROUNDINGS = re.compile(
    r"\b(?:surrounded|encircled|enclosed|flanked|ringed|framed|bordered|accompanied|contained) (?:by|with|in)\b.*?"
    r"(?=\b(?:is|are|appears?|looks?|seems?)\b|$)"
    r"|\b(?:with|has|have|having) (?:\w+ ){0,3}?(?:circles?|discs?|dots?|rings?|fins?|arrow\w*|neighbou?rs?)\b"
    r"|\bthe (?:\w+ )?(?:surrounding|neighbou?ring|outer|inducing|context|background) \w+\b"
    r"|\bthe \w+ (?:in|of) the (?:background|surroundings)\b"
    r"|\b(?:gr[ae]y|surrounding|small|large|big|tiny) (?:circles|discs|disks|dots|rings)\b"
    # Of what is asked about there is one on each side.
    r"|\b(?:circles|discs|disks|dots|rings) (?:on|at|to) the (?:left|right)\b"
    # Where something was moved to is not where it is.
    r"|\b(?:shifted|moved|displaced|offset) (?:\w+ ){0,3}?(?:to|towards?) the (?:left|right)\b"
    r"|^.*囲まれ(?:た|ている|ていて|て)|^.*影響で|^.*(?:囲ま|周囲|周り|包围|环绕|围绕|周围)\S*"
)
_OF_SURROUNDINGS = re.compile(
    r"\W*(?:the|and|these|those)?(?: (?:ring|group|set|cluster|row) of)? ? surroundings "
    r"(?!(?:is|are|appears?|looks?) the)"
)
_PRONOUN = re.compile(r"\W*(?:it|that one|this one|this|that|which)(?:'s| is)\b")
# What is said of what the clause before is about: "it's bigger". English alone.
_OF_IT = re.compile(
    r"\W*(?:and |but )?(?:it|that one|this one)(?:'s| is| was| looks| seems| appears)(?: to be)?"
    r"(?: (?:\w+ly|in fact|indeed|a bit|a little|much|clearly|just|in reality))*(?: the)? "
)
_OF_TWO = re.compile(r"(?: one| circle| line| figure)?(?: of the two)?\W*")
# "The claim that both are equal is false."
_CALLED_FALSE = re.compile(
    r"\b(?:is|are|was) (?:\w+ly )?(?:false|wrong|incorrect|mistaken|untrue)\b"
)
_ALTERNATIVE = re.compile(r"\b(?:or|either|oder|ou)\b|或|または|もしくは")
#: Concepts of what is neither the one nor the other: "halfway between the top and the bottom".
NEITHER = ("same", "halfway", "none")
_NEUTRAL = (*NEITHER, "straight")
_SIDES = ("left", "right", "upper", "lower")
# Two places and that there is nothing in either, at least.
_PLACES = 3
# Chinese and Japanese words alone are a name of an option; a sentence of this many signs says more.
_SHORT_ASIAN = 12


def named(clause: str, options: Options) -> set[str]:
    """Return the ids of the options that a clause in lower case says to be so."""
    if not options.names.search(clause):
        some = any(option.concept is None for option in options.options)
        return _by_distinct_words(clause, options) if some and not has_negation(clause) else set()
    clause = _SURROUNDINGS.sub(" surroundings ", _in_words(clause, options))
    if _OF_SURROUNDINGS.match(clause):
        return set()
    found = list(options.names.finditer(clause))
    absent = _absent(found, options)
    if absent is not None:
        return absent
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
    if len(said) > 1 and options.more is not None and _stands_alone(rest, options):
        # "Of the upper and the lower line" compares nothing.
        return set()
    if not said and not denied:
        said = _by_object(by_name, clause, rest, options)
    return said or (set() if denied or found else _by_distinct_words(clause, options))


def _absent(found: Sequence[re.Match], options: Options) -> set[str] | None:
    """Return what a clause says that denies what options place: nothing where it denies it of one place alone."""
    named_by = {options.options[int(match.lastgroup[1:])] for match in found}
    compares = any(option.compares for option in options.options)
    denying = ("none",) if compares or len(options.options) < _PLACES else ("none", "same")
    absent = {option.option_id for option in named_by if option.concept in denying}
    if not absent:
        return None
    return set() if len(named_by) == 2 < len(options.options) else absent


def _in_words(clause: str, options: Options) -> str:
    """Return a clause with "left > right" and the like in words, where both sides name an option."""
    sides = re.split(r"\s?(?<![<>=-])([<>=≈≅])(?![<>=])\s?", clause)
    if len(sides) != 3 or not all(options.names.search(side) for side in sides[::2]):
        return clause.replace(" > ", " than ")
    if sides[1] in "<>":
        return " than ".join(sides[::2] if sides[1] == ">" else sides[::-2])
    return f"{sides[0]} the same as {sides[2]}"


def denied_by(clause: str, options: Options) -> set[str]:
    """Return the ids of the options that a clause in lower case says not to be so."""
    if not has_negation(clause):
        return set()
    rest = options.names.sub(lambda match: " " * len(match[0]), clause)
    if not has_negation(_without_less(rest, options)):
        return set()
    denied = set()
    for match in options.names.finditer(clause):
        option = options.options[int(match.lastgroup[1:])]
        if _is_object(clause, match):
            continue
        less = option.compares and _side(rest, options) == "less"
        denied.add(_other(option, options) if less else option.option_id)
    return denied - {None}


def contrary(said: set[str], options: Options) -> set[str]:
    """Return what holds where one option only looks so: its opposite, or that all are the same."""
    for option in options.options:
        if said == {option.option_id}:
            neutral = [
                o.option_id for o in options.options if o.concept in _NEUTRAL and o != option
            ]
            opposite = _opposite(option, options)
            return {opposite} if opposite else set(neutral) if len(neutral) == 1 else set()
    return set()


def said_of_it(clause: str, before: str, options: Options) -> set[str]:
    """Return what "it's bigger" says of the one option that the clause before is about."""
    found = _OF_IT.match(clause)
    if found is None or options.more is None or options.names.search(clause):
        return set()
    own = _SURROUNDINGS.sub(" surroundings ", before)
    about = {
        int(match.lastgroup[1:])
        for match in options.names.finditer(own)
        if not _is_object(own, match)
    }
    if len(about) != 1 or not options.options[min(about)].compares:
        return set()
    option = options.options[about.pop()]
    for compared, said in (
        (options.more, option.option_id),
        (options.less, _other(option, options)),
    ):
        word = compared.match(clause, found.end())
        if word and _OF_TWO.fullmatch(clause, word.end()):
            return {said} - {None}
    return set()


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
    if option.concept in _SIDES and not option.compares and _agrees().search(rest):
        # "The left one matches the sample" is no answer to which one does not.
        return option.option_id if denied else None
    behind_it = match[0] == mark_of(number) and len(found) == 1
    if denied and (option.compares or behind_it or _denies(rest, match)):
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
    says_same = any(options.options[other].concept in NEITHER for other, _ in found)
    return option.option_id if not says_same and _stands_alone(rest, options) else None


def _denies(rest: str, match: re.Match) -> bool:
    """Tell whether a denial is about a name: before it, or behind it where the language puts it there."""
    before, behind = rest[: match.start()], rest[match.end() :]
    called_false = _CALLED_FALSE.search(behind) is not None
    if has_negation(before) or called_false or _ASIAN.search(rest + match[0]) is not None:
        return True
    return stance(rest, *match.span()) in (Stance.DENIED, Stance.OPEN)


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


def _other(option: Option, options: Options) -> str | None:
    """Return the one other option that makes the same comparison: who is not smaller is bigger."""
    others = [other for other in options.options if other.compares and other != option]
    return others[0].option_id if len(others) == 1 else None


def _opposite(option: Option, options: Options) -> str | None:
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
def _agrees() -> re.Pattern:
    return re.compile(expression(load("options")["agrees"]))


@lru_cache(maxsize=1)
def _object_before() -> re.Pattern:
    return re.compile(expression(load("options")["object_before"]))


def _is_same_in(behind: str, options: Options) -> bool:
    """Tell whether what things are said to share is what was asked about."""
    said = _dimension_words().intersection(WORD.findall(behind)[:3])
    return not said or not options.same or bool(said & options.same)


@lru_cache(maxsize=1)
def _dimension_words() -> frozenset[str]:
    dimensions = load("options")["dimensions"]
    return frozenset().union(*(plain_words(entry["en"]) for entry in dimensions.values()))


def _stands_alone(rest: str, options: Options) -> bool:
    """Tell whether nothing is said beside an option's name."""
    if _ASIAN.search(rest):
        return len(rest.strip()) <= _SHORT_ASIAN and not re.search(r"\d", rest)
    return all(word in _fillers() or word in options.words for word in _ANY_WORD.findall(rest))


@lru_cache(maxsize=1)
def _fillers() -> frozenset[str]:
    return frozenset().union(*load("options")["fillers"].values())


def _by_distinct_words(clause: str, options: Options) -> set[str]:
    words = set(_COMPOUND.findall(clause))
    said = {word for word in words if word not in STOP and word not in _fillers()}
    singular = said | {word.removesuffix("s") for word in said}
    about = [o for o in options.options if o.concept is None and o.distinct & singular]
    # Half of what sets one option apart and nothing of any other; or all of it.
    whole = {option.option_id for option in about if option.distinct <= singular}
    if len(about) == 1 and 2 * len(about[0].distinct & singular) >= len(about[0].distinct):
        return {about[0].option_id}
    return whole or {option.option_id for option in about if said and said <= option.distinct}
