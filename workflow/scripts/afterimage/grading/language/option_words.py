"""The options that a clause affirms or denies, where it does not repeat their text.

The words for concepts of options (left, the same, parallel, ...), for comparisons (bigger, smaller) and for positions
in a list ("the second option") are data, in several languages: ``resources/answers/options.yaml``. Options without any
of these are recognised by words that no other option has.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from afterimage.grading.language.denial import Stance, stance
from afterimage.grading.language.evidence import has_negation
from afterimage.grading.language.known_options import (
    STOP,
    WORD,
    Option,
    Options,
    mark_of,
    plain_words,
)
from afterimage.grading.language.words import Words, expression, listed, load

# "Linear" does not match in "non-linear".
_COMPOUND = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")
_ANY_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Surroundings of a thing are not the thing.
_SURROUNDINGS = re.compile(
    r"\b(?:surrounded|encircled|enclosed|flanked|ringed|framed|bordered|accompanied|contained) (?:by|with|in)\b.*?"
    r"(?=\b(?:is|are|appears?|looks?|seems?)\b|$)"
    r"|\b(?:with|has|have|having) (?:\w+ ){0,3}?(?:circles?|discs?|dots?|rings?|fins?|arrow\w*|neighbou?rs?)\b"
    r"|\bthe (?:\w+ )?(?:surrounding|neighbou?ring|outer|inducing|context|background) \w+\b"
    r"|\bthe \w+ (?:in|of) the (?:background|surroundings)\b"
    r"|\b(?:gr[ae]y|surrounding|small|large|big|tiny) (?:circles|discs|disks|dots|rings)\b"
    # The things in question are one on each side.
    r"|\b(?:circles|discs|disks|dots|rings) (?:on|at|to) the (?:left|right)\b"
    # The direction of a movement is no location.
    r"|\b(?:shifted|moved|displaced|offset) (?:\w+ ){0,3}?(?:to|towards?) the (?:left|right)\b"
    r"|^.*囲まれ(?:た|ている|ていて|て)|^.*影響で|^.*(?:囲ま|周囲|周り|包围|环绕|围绕|周围)\S*"
)
_OF_SURROUNDINGS = re.compile(
    r"\W*(?:the|and|these|those)?(?: (?:ring|group|set|cluster|row) of)? ? surroundings "
    r"(?!(?:is|are|appears?|looks?) the)"
)
_PRONOUN = re.compile(r"\W*(?:it|that one|this one|this|that|which)(?:'s| is)\b")
# A pronoun for the thing of the previous clause: "it's bigger". English only.
_OF_IT = re.compile(
    r"\W*(?:and |but )?(?:it|that one|this one)(?:'s| is| was| looks| seems| appears)(?: to be)?"
    r"(?: (?:\w+ly|in fact|indeed|a bit|a little|much|just|in reality))*+(?: the)? "
)
_OF_TWO = re.compile(r"(?: one| circle| line| figure)?(?: of the two)?\W*")
# "The claim that both are equal is false."
_CALLED_FALSE = re.compile(
    r"\b(?:is|are|was) (?:\w+ly )?(?:false|wrong|incorrect|mistaken|untrue)\b"
)
_ALTERNATIVE = re.compile(r"\b(?:or|either|oder|ou)\b|或|または|もしくは")
#: Concepts of neither the one nor the other: "halfway between the top and the bottom".
NEITHER = ("same", "halfway", "none")
_NEUTRAL = (*NEITHER, "straight")
_SIDES = ("left", "right", "upper", "lower")
# At least two places, and an option that nothing is in either.
_MIN_LOCATIONS = 3
# Limit of characters between a comparison and a name that it compares with: five words and a few marks.
_REACH = 200
_BEFORE_LOCATION = re.compile(r" (?:on|at|to|towards?|in) ")
_IN_FRONT = re.compile(
    r"(\w+(?: \w+)??(?: together| apart| away)?) (?:on|at|to|towards?|in) (?:the |its )?\W*$"
)
# Chinese and Japanese words of at most so many characters may be just an option's name.
_SHORT_ASIAN = 12


class _NamingClause:
    """A clause that names options; its properties are computed once, since it may have thousands of names.

    Attributes:
        names: The names in order.
        rest: The text with spaces in place of names.
    """

    def __init__(self, clause: str, names: Sequence[re.Match[str]], options: Options) -> None:
        self.clause, self.names, self.options = clause, names, options
        self.rest = _without_names(clause, options)
        self._sides: dict[str, str | None] = {}

    @cached_property
    def denied(self) -> bool:
        return has_negation(_without_less(self.rest, self.options))

    @cached_property
    def side(self) -> str | None:
        return _side(self.rest, self.options)

    @cached_property
    def stands_alone(self) -> bool:
        return _stands_alone(self.rest, self.options)

    @cached_property
    def is_asian(self) -> bool:
        return _ASIAN.search(self.rest) is not None

    @cached_property
    def last_called_false(self) -> int:
        return max((found.start() for found in _CALLED_FALSE.finditer(self.rest)), default=-1)

    @cached_property
    def agrees(self) -> bool:
        return _agrees().search(self.rest) is not None

    @cached_property
    def has_neither(self) -> bool:
        return any(self.options.named(match).concept in NEITHER for match in self.names)

    @cached_property
    def _first_location(self) -> int:
        return _first(_BEFORE_LOCATION, self.rest)

    def side_between(self, start: int, end: int) -> str | None:
        """Return the comparison between two positions; cached, since repetitive replies have the same text often."""
        text = self.rest[start:end]
        if text not in self._sides:
            self._sides[text] = _side(text, self.options)
        return self._sides[text]

    def side_in_front(self, match: re.Match[str]) -> str | None:
        """Return the comparison right before a name: "wider on the right"."""
        if self._first_location >= match.start():
            return None
        near = _IN_FRONT.search(self.rest, max(match.start() - _REACH, 0), match.start())
        return _side(near[1], self.options) if near else None


def named(clause: str, options: Options) -> set[str]:
    """Return the ids of the options that a clause in lower case affirms."""
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
    whole = _NamingClause(clause, found, options)
    several = len({match.lastgroup for match in found}) > 1
    if several and not whole.denied and _ALTERNATIVE.search(whole.rest):
        return {options.named(match).option_id for match in found}
    ends = {match: behind.start() for match, behind in pairwise(found)}
    subjects = _subjects(clause, found)
    stated = _known_ids(
        _stated_option(match, ends.get(match, len(clause)), whole) for match in subjects
    )
    if len(stated) > 1 and options.more is not None and whole.stands_alone:
        # "Of the upper and the lower line" compares nothing.
        return set()
    if not stated and not whole.denied:
        stated = _by_object(whole)
    return stated or (set() if whole.denied or found else _by_distinct_words(clause, options))


def _absent(found: Sequence[re.Match[str]], options: Options) -> set[str] | None:
    """Return the options of a clause that denies what options locate; none if it denies this of one place only."""
    named_by = {options.named(match) for match in found}
    compares = any(option.compares for option in options.options)
    denying = ("none",) if compares or len(options.options) < _MIN_LOCATIONS else ("none", "same")
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
    """Return the ids of the options that a clause in lower case denies."""
    if not has_negation(clause):
        return set()
    rest = _without_names(clause, options)
    if not has_negation(_without_less(rest, options)):
        return set()
    subjects = _subjects(clause, options.names.finditer(clause))
    denied = {options.named(match) for match in subjects}
    less = any(option.compares for option in denied) and _side(rest, options) == "less"
    return _known_ids(
        _other_side(option, options) if less and option.compares else option.option_id
        for option in denied
    )


def _known_ids(found: Iterable[str | None]) -> set[str]:
    return {option_id for option_id in found if option_id is not None}


def contrary(stated: set[str], options: Options) -> set[str]:
    """Return the option that holds if another is a mere impression: its opposite, or that all are the same."""
    for option in options.options:
        if stated == {option.option_id}:
            neutral = [
                o.option_id for o in options.options if o.concept in _NEUTRAL and o != option
            ]
            opposite = _opposite(option, options)
            return {opposite} if opposite else set(neutral) if len(neutral) == 1 else set()
    return set()


def stated_of_pronoun(clause: str, before: str, options: Options) -> set[str]:
    """Return the option that "it's bigger" affirms, of the one option in the previous clause."""
    found = _OF_IT.match(clause)
    if (
        found is None
        or options.more is None
        or options.less is None
        or options.names.search(clause)
    ):
        return set()
    context = _SURROUNDINGS.sub(" surroundings ", before)
    about = {options.number(match) for match in _subjects(context, options.names.finditer(context))}
    if len(about) != 1 or not options.options[min(about)].compares:
        return set()
    option = options.options[about.pop()]
    for compared, option_id in (
        (options.more, option.option_id),
        (options.less, _other_side(option, options)),
    ):
        word = compared.match(clause, found.end())
        if word and _OF_TWO.fullmatch(clause, word.end()):
            return _known_ids([option_id])
    return set()


def _without_less(rest: str, options: Options) -> str:
    """Remove the "not" of "not as large", which denies nothing."""
    return options.less.sub(" ", rest) if options.less is not None else rest


def _by_object(whole: _NamingClause) -> set[str]:
    """Return the option that "it is smaller than the right one" affirms."""
    names, options = whole.names, whole.options
    if len({match.lastgroup for match in names}) != 1 or not _PRONOUN.match(whole.clause):
        return set()
    option = options.named(names[0])
    side = whole.side if option.compares and not _subjects(whole.clause, names[:1]) else None
    stated = {"less": option.option_id, "more": _other_side(option, options), None: None}[side]
    return _known_ids([stated])


def _stated_option(match: re.Match[str], end: int, whole: _NamingClause) -> str | None:
    """Return the option that a name affirms, with the text after it up to the next name."""
    options = whole.options
    option, is_mark = options.named(match), match[0] == mark_of(options.number(match))
    if option.concept in _SIDES and not option.compares and whole.agrees:
        # "The left one matches the sample" is no answer to which one does not.
        return option.option_id if whole.denied else None
    behind_it = is_mark and len(whole.names) == 1
    if whole.denied and (option.compares or behind_it or _is_denied(match, whole)):
        return _opposite(option, options)
    if is_mark:
        return option.option_id
    if option.concept == "same":
        return option.option_id if _is_same_in(whole.clause, match.end(), options) else None
    if not option.compares:
        return option.option_id
    side = whole.side_in_front(match) or whole.side_between(match.end(), end) or whole.side
    if side == "more":
        return option.option_id
    if side == "less":
        return _other_side(option, options)
    return option.option_id if not whole.has_neither and whole.stands_alone else None


def _is_denied(match: re.Match[str], whole: _NamingClause) -> bool:
    """Tell whether a denial applies to a name: before it, or after it in languages that place it there."""
    rest = whole.rest
    if whole.is_asian or _ASIAN.search(match[0]) or match.end() <= whole.last_called_false:
        return True
    # A denial anywhere before a name is checked last, since that is slowest.
    meant = stance(rest, *match.span())
    return meant in (Stance.DENIED, Stance.OPEN) or has_negation(rest[: match.start()])


def _side(text: str, options: Options) -> str | None:
    assert options.less is not None and options.more is not None
    less, more = options.less.search(text), options.more.search(text)
    if less and (not more or less.start() <= more.start()):
        return "less"
    return "more" if more else None


def _other_side(option: Option, options: Options) -> str | None:
    """Return the one other option of the same comparison: what is not smaller is bigger."""
    others = [other for other in options.options if other.compares and other != option]
    return others[0].option_id if len(others) == 1 else None


def _opposite(option: Option, options: Options) -> str | None:
    opposite = load("options")["opposites"].get(option.concept)
    offered = [other.option_id for other in options.options if other.concept == opposite]
    return offered[0] if opposite and len(offered) == 1 else None


def _subjects(clause: str, names: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    """Return the names that are no objects of a comparison."""
    first = _first(_may_compare(), clause)
    return [match for match in names if not _is_object(clause, match, first)]


def _is_object(clause: str, match: re.Match[str], first: int) -> bool:
    low, high = max(first, match.start() - _REACH), match.start()
    before = low < high and _object().search(clause, low, high) is not None
    return before or _object_before().match(clause, match.end()) is not None


def _first(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.start() if found else len(text)


def _without_names(clause: str, options: Options) -> str:
    return options.names.sub(lambda match: " " * len(match[0]), clause)


@lru_cache(maxsize=1)
def _may_compare() -> re.Pattern[str]:
    """Return the words of :func:`_object` at any position: a text without them needs no check of its names."""
    return re.compile(
        "|".join(word for words in load("options")["object"].values() for word in words)
    )


@lru_cache(maxsize=1)
def _object() -> re.Pattern[str]:
    return re.compile(rf"(?:{expression(load('options')['object'])})(?:\W*[a-z']+){{0,5}}\W*$")


@lru_cache(maxsize=1)
def _agrees() -> Words:
    return listed("options", "agrees")


@lru_cache(maxsize=1)
def _object_before() -> Words:
    return listed("options", "object_before")


@lru_cache(maxsize=32)
def _word_positions(clause: str) -> tuple[list[int], list[str]]:
    found = list(WORD.finditer(clause))
    return [word.start() for word in found], [word[0] for word in found]


def _is_same_in(clause: str, end: int, options: Options) -> bool:
    """Tell whether things are called the same in the property that the options are about."""
    starts, words = _word_positions(clause)
    first = bisect_left(starts, end)
    dimensions = _dimension_words().intersection(words[first : first + 3])
    return not dimensions or not options.same or bool(dimensions & options.same)


@lru_cache(maxsize=1)
def _dimension_words() -> frozenset[str]:
    dimensions = load("options")["dimensions"]
    return frozenset().union(*(plain_words(entry["en"]) for entry in dimensions.values()))


def _stands_alone(rest: str, options: Options) -> bool:
    """Tell whether a clause has nothing but an option's name."""
    if _ASIAN.search(rest):
        return len(rest.strip()) <= _SHORT_ASIAN and not re.search(r"\d", rest)
    return all(word in _fillers() or word in options.words for word in _ANY_WORD.findall(rest))


@lru_cache(maxsize=1)
def _fillers() -> frozenset[str]:
    return frozenset().union(*load("options")["fillers"].values())


def _by_distinct_words(clause: str, options: Options) -> set[str]:
    words = set(_COMPOUND.findall(clause))
    content_words = {word for word in words if word not in STOP and word not in _fillers()}
    singular = content_words | {word.removesuffix("s") for word in content_words}
    matching = [o for o in options.options if o.concept is None and o.distinct & singular]
    # Half of one option's distinct words and none of any other's; or all of them.
    whole = {option.option_id for option in matching if option.distinct <= singular}
    if len(matching) == 1 and 2 * len(matching[0].distinct & singular) >= len(matching[0].distinct):
        return {matching[0].option_id}
    return whole or {
        option.option_id
        for option in matching
        if content_words and content_words <= option.distinct
    }
