"""Whether what a reply says is affirmed or denied: the one place where denials are read, for every reader.

How a language denies is data, ``resources/answers/denials/LANGUAGE.yaml``, expressions as in the other word lists:

``before``   denies what stands behind it in its clause ("not", "no", "nicht"), ``behind`` what stands before it
             ("at no point", "지 않"), ``prefix`` the word that it is joined to or stands right before ("非", "안 ").
``fails``    verbs and nouns of failing, lacking and avoiding; they deny what stands behind them.
``rejects``  calls something false or rules it out: a reader of options counts no option that stands beside it.
``joint``    denials that belong together, "neither ... nor", and count once. ``concord``: all denials of a clause do.
``nearly``   says that it is almost so; ``weakens`` leaves open whether it is.
``spared``   sounds like a denial and is none ("no doubt"); ``only`` ("not only") affirms what it stands with.
``parts``    begins another clause; ``soft`` may do so, and a denial on its other side leaves open what is denied.
``that``     begins a clause of its own behind what is said ("true that ..."), which denies nothing outside.
``opinion``  what is denied instead of what it is of ("I would not call that true"), however far that stands.
``copula``   between a denial and what is said shows that the denial is of something else ("that they do not touch is
             true"), but for ``subjects``, denials that are what is spoken of ("none of this is true").
``words``    frequent words by which the language of a reply is known, where its script does not tell.

Two denials of one thing, one with ``weakens`` and whatever else is not known leave it open.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache, partial
from itertools import accumulate
from typing import Any, NamedTuple

from afterimage.grading.language.words import FOLDER, Words, denials

_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "zh": re.compile(r"[\u3400-\u9fff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
# A comma before "that" ends nothing: "nicht so, dass sie sich berühren".
_PUNCTUATION = re.compile(
    r"[.!?;:()\[\]\n—。、]|\s-\s"
    r"|,(?!\s*(?:dass|daß|ob|что|чтобы|(?:an|in|bei) de[rmn]|wo|(?:в|на) котор\w+|где)\b)"
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# A word of another predicate: "do not touch is", but no "non vi è".
_OF_ITS_OWN = re.compile(r"\w{3,}\s")
# No word before; an apostrophe may stand there: "qu'aucun".
_LEFT = r"\b(?=\w)(?<!-)"
_WRITTEN_ALIKE = {"ja", "zh"}
# Frequent words by which a language is known for certain.
_SURE = 2
# Signs of a clause before and behind what is said that are looked at.
_WIDEST = 100
# Who denies so often in one clause denies nothing that can be known.
_MAXIMUM = 12
# Signs between a denial and what it denies, at most.
_REACH = 80
_DENYING = ("before", "behind", "fails", "rejects")
_PLACED = ("before", "behind", "fails", "weakens", "nearly")
_NOWHERE = range(0)


_Pattern = Words | re.Pattern[str]
# Where something begins and ends, and its words.
_Place = tuple[int, int, str]
_Places = Iterable[_Place]


class Stance(Enum):
    """How something that is said is meant."""

    AFFIRMED = "affirmed"
    DENIED = "denied"
    NEARLY = "nearly"
    OPEN = "open"


class _Denials(NamedTuple):
    """How one language denies; patterns that never match where it lists nothing."""

    placed: Mapping[str, _Pattern]
    spared: _Pattern
    only: _Pattern
    parts: _Pattern
    soft: _Pattern
    that: _Pattern
    opinion: _Pattern
    copula: _Pattern
    subjects: _Pattern
    prefix: tuple[str, ...]
    joint: frozenset[str]
    concord: bool


class _Found(NamedTuple):
    """What denies in a text, where each kind stands, where clauses begin and end, and where too much stands."""

    denies: bool
    placed: Mapping[str, tuple[_Place, ...]]
    only: tuple[_Place, ...]
    bounds: tuple[int, ...]
    soft: tuple[int, ...]
    that: tuple[int, ...]
    crowds: tuple[tuple[int, int], ...]


def stance(
    text: str,
    start: int,
    end: int,
    own: Iterable[str] = (),
    near: int = 0,
    reach: int = _REACH,
    strays: bool = False,
) -> Stance:
    """Return how what stands at a place of a prepared reply is meant.

    Args:
        text: The reply, or a part of it that holds whole clauses.
        start: Where what is said begins.
        end: Where it ends.
        own: The languages that the words there may be of; that of the rest of the reply is found out.
        near: Within so many signs behind, a denial that stands there denies it, too: "there is hardly any".
        reach: A denial further before than so many signs may be one of something else, which leaves it open.
        strays: Whether such a denial says nothing instead.
    """
    first, *others = _of(text, tuple(own))
    meant = _stance(text, start, end, first, near, reach, strays)
    if not others:
        return meant
    found = {_stance(text, start, end, language, near, reach, strays) for language in others}
    found = (found | {meant}) - {Stance.AFFIRMED}
    if not found:
        return Stance.AFFIRMED
    return found.pop() if len(found) == 1 else Stance.OPEN


def crowd_end(text: str, start: int, end: int, own: Iterable[str] = ()) -> int:
    """Return up to where more denials than can be understood leave open what stands at a place; 0 where none do.

    Arguments are those of :func:`stance`.
    """
    ends = (
        _crowd_end(_found(text, language), start, end, len(text))
        for language in _of(text, tuple(own))
    )
    return next(filter(None, ends), 0)


@lru_cache(maxsize=1024)
def has_denial(text: str) -> bool:
    """Tell whether a part of a prepared reply denies anything at all."""
    return _heard().search(text) is not None and any(
        _any(language).search(without_spared(text, language))
        for language in spoken(text) or languages()
    )


def without_spared(text: str, language: str) -> str:
    """Return a part of a prepared reply without what only sounds like a denial: "there is no denying that"."""
    return _denials(language).spared.sub(" ", text)


@lru_cache(maxsize=1024)
def spoken(text: str) -> frozenset[str]:
    """Return the languages that a prepared text may be in, by its script or its frequent words; empty if unknown."""
    scripts = () if text.isascii() else _SCRIPTS.items()
    found = {language for language, script in scripts if script.search(text)}
    if "ja" in found:
        found.discard("zh")
    words = set(_WORD.findall(text[:400]))
    counts = {language: len(words & own) for language, own in _frequent().items()}
    most = max(counts.values())
    if most < _SURE:
        # "Lejos de ..." tells more than "de".
        for language in languages() if _heard().search(text) else ():
            counts[language] += _any(language).search(text) is not None
        most = max(counts.values())
    return frozenset(found | {language for language, n in counts.items() if n == most > 0})


@cache
def languages() -> Collection[str]:
    """Return the languages of which it is known how they deny, in their order."""
    return dict.fromkeys(sorted(path.stem for path in (FOLDER / "denials").glob("*.yaml")))


@lru_cache(maxsize=1024)
def _of(text: str, own: tuple[str, ...]) -> tuple[str, ...]:
    found = spoken(text)
    known = set(own).intersection(languages())
    if found & _WRITTEN_ALIKE:
        known -= _WRITTEN_ALIKE
    return tuple(found | known or {"en"})


def _stance(
    text: str, start: int, end: int, language: str, near: int, reach: int, strays: bool
) -> Stance:
    own, found = _denials(language), _found(text, language)
    if not found.denies and not text.endswith(own.prefix, 0, start):
        return Stance.AFFIRMED
    if _crowd_end(found, start, end, len(text)):
        return Stance.OPEN
    low, high, ends = _scope(text, start, end, found)
    if found.only and _between(found.only, low, high):
        return Stance.AFFIRMED
    there: dict[str, Sequence[_Place]] = dict.fromkeys(_PLACED, ())
    left = _MAXIMUM
    for kind, places in found.placed.items():
        own_range = _between(places, low, ends)
        left -= len(own_range)
        if left < 0:
            return Stance.OPEN
        there[kind] = places[own_range.start : own_range.stop]
    if _is_said(there["weakens"], start, end):
        return Stance.OPEN
    # "没有" denies the "有" that it holds.
    before = [one for one in there["before"] if one[0] < start and one[1] <= end]
    if near:
        before += [one for one in there["before"] if end <= one[0] and one[1] <= end + near]
    behind = [one for one in there["behind"] if start <= one[0] and end < one[1]]
    failing = [one for one in there["fails"] if one[0] < start and one[1] <= end]
    # "They have no common point and do not touch": the denial behind the "and" is that of what is said.
    place = bisect_right(found.soft, start)
    joint = found.soft[place - 1] if place else 0
    if any(one[0] >= joint for one in before + failing):
        before, failing = ([one for one in some if one[0] >= joint] for some in (before, failing))
    if _is_parted(found.soft, before + failing, start) or _is_parted(found.soft, behind, end):
        return Stance.OPEN
    is_of_another = partial(_is_of_another, text, low, start, reach, own)
    if not strays and any(map(is_of_another, before)):
        return Stance.OPEN
    before = [one for one in before if not is_of_another(one)] if strays else before
    count = _count(own, before, behind, failing) + any(
        text.endswith(one, low, start) for one in own.prefix
    )
    # "Not nearly" denies.
    is_near = _is_said(
        [one for one in there["nearly"] if not any(_overlap(one, *other[:2]) for other in before)],
        start,
        end,
    )
    if count == 0 and low and _dangles(text, found, low):
        return Stance.OPEN
    if count == 0:
        return Stance.NEARLY if is_near else Stance.AFFIRMED
    return Stance.OPEN if count > 1 or is_near else Stance.DENIED


def _scope(text: str, start: int, end: int, found: _Found) -> tuple[int, int, int]:
    """Return where the clause of what is said begins and ends, and where what is said behind it ends to deny it."""
    place = bisect_right(found.bounds, start)
    low = max(found.bounds[place - 1] if place else 0, start - _WIDEST)
    high = min(_first(found.bounds, end, len(text)), end + _WIDEST)
    return low, high, min(_first(found.that, end, high), high)


def _is_said(places: Sequence[_Place], start: int, end: int) -> bool:
    """Tell whether one of some words stands beside what is said."""
    return any(one[1] <= start or one[0] >= end for one in places)


def _is_of_another(text: str, low: int, start: int, reach: int, own: _Denials, one: _Place) -> bool:
    """Tell whether a denial may be one of something between it and what is said."""
    first, last, word = one
    if own.opinion.match(text, last + 1):
        return False
    if own.subjects.fullmatch(word) and len(text[low:first].split()) <= 1:
        return start - last > _REACH
    if start - last > reach:
        return True
    between = text[last:start].lstrip()
    return any(_OF_ITS_OWN.search(between, 0, one.start()) for one in own.copula.finditer(between))


def _between(places: Sequence[_Place], first: int, last: int) -> range:
    """Return which stand between two places, of places in their order that do not overlap."""
    if not places:
        return _NOWHERE
    begin, end = bisect_left(places, (first,)), bisect_left(places, (last,))
    while end > begin and places[end - 1][1] > last:
        end -= 1
    return range(begin, end)


def _first(places: Sequence[int], start: int, otherwise: int) -> int:
    if not places:
        return otherwise
    place = bisect_left(places, start)
    return places[place] if place < len(places) else otherwise


def _count(own: _Denials, before: _Places, behind: _Places, failing: _Places) -> int:
    """Return how often something is denied; what belongs together counts once."""
    denying = {(start, end): word for start, end, word in (*before, *behind)}
    apart = [one for one in failing if not any(_overlap(one, *place) for place in denying)]
    joint = sum(word in own.joint for word in denying.values())
    count = len(denying) - max(0, joint - 1)
    return (min(1, count) if own.concord else count) + len(apart)


def is_spared(text: str, start: int, end: int, language: str) -> bool:
    """Tell whether words are a part of what only sounds like a denial, and not all of it: "間違いなく"."""
    spared = _spared(text, language) if language in languages() else ()
    if not spared:
        return False
    place = bisect_right(spared, start, key=lambda one: one[0])
    return place > 0 and end <= spared[place - 1][1] and spared[place - 1][:2] != (start, end)


def _overlap(one: _Place, start: int, end: int) -> bool:
    return one[0] < end and start < one[1]


def _is_parted(soft: Sequence[int], denying: _Places, place: int) -> bool:
    """Tell whether an "and" stands between a denial and what it may deny."""
    return any(one[1] <= at <= place or place <= at <= one[0] for at in soft for one in denying)


def _dangles(text: str, found: _Found, low: int) -> bool:
    """Tell whether something before a comma ends in a denial, and says more: "they do not, in fact, touch"."""
    while low and text[low - 1] == ",":
        place = bisect_left(found.bounds, low)
        begin = found.bounds[place - 1] if place else 0
        for first, last, _ in found.placed.get("before", ()):
            if begin <= first and last <= low - 1 and not text[last : low - 1].strip():
                return bool(text[begin:first].strip(" \"'"))
        low = begin
    return False


@lru_cache(maxsize=256)
def _found(text: str, language: str) -> _Found:
    own = _denials(language)
    only = _places(own.only, text)
    bounds = sorted({one.end() for one in _PUNCTUATION.finditer(text)} | _starts(own.parts, text))
    spared = _spared(text, language)
    masked = own.spared.sub(lambda found: "\x00" * len(found[0]), text) if spared else text
    placed = {kind: _places(pattern, masked) for kind, pattern in own.placed.items()}
    placed = {kind: places for kind, places in placed.items() if places}
    that = tuple(sorted(_starts(own.that, text)))
    return _Found(
        bool(placed),
        placed,
        only,
        tuple(bounds),
        tuple(sorted(_starts(own.soft, text) - set(bounds))),
        that,
        () if only else tuple(_crowds(placed, sorted({*bounds, *that}))),
    )


def _crowd_end(found: _Found, start: int, end: int, size: int) -> int:
    """Return where the crowd of denials ends that holds a place; 0 where none does."""
    place = bisect_right(found.crowds, (start, size)) if found.crowds else 0
    last = found.crowds[place - 1][1] if place else 0
    return last if end <= last else 0


def _crowds(
    placed: Mapping[str, Iterable[_Place]], breaks: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield where more denials than can be understood stand in one clause, near enough to whatever is among them."""
    places = sorted(place for own in placed.values() for place in own)
    ends = list(accumulate((end for _, end, _ in places), max))
    for (first, _, _), last in zip(places, ends[_MAXIMUM:], strict=False):
        if last - first <= _WIDEST and _first(breaks, first + 1, last) >= last:
            yield first, last


@lru_cache(maxsize=256)
def _spared(text: str, language: str) -> tuple[_Place, ...]:
    return _places(_denials(language).spared, text)


def _places(pattern: _Pattern, text: str) -> tuple[_Place, ...]:
    return tuple((one.start(), one.end(), one[0]) for one in pattern.finditer(text))


def _starts(pattern: _Pattern, text: str) -> set[int]:
    return {one.start() for one in pattern.finditer(text)}


@cache
def _denials(language: str) -> _Denials:
    data = denials(language)
    return _Denials(
        {kind: _pattern(data, kind, language) for kind in _PLACED},
        _pattern(data, "spared", language),
        _pattern(data, "only", language),
        _pattern(data, "parts", language),
        _pattern(data, "soft", language),
        _pattern(data, "that", language),
        _pattern(data, "opinion", language),
        _pattern(data, "copula", language),
        _pattern(data, "subjects", language),
        tuple(data.get("prefix", ())),
        frozenset(data.get("joint", ())),
        bool(data.get("concord", False)),
    )


@cache
def _any(language: str) -> Words:
    """Return the expression of whatever denies in a language."""
    return Words({language: _listed(language, _DENYING)}, before=_LEFT)


@cache
def _heard() -> Words:
    """Return one expression of whatever denies, or sounds like a denial, in any language."""
    kinds = (*_DENYING, "spared")
    words = {language: _listed(language, kinds) for language in languages()}
    return Words(words, before=_LEFT)


def _listed(language: str, kinds: Iterable[str]) -> list[str]:
    data = denials(language)
    return [word for kind in kinds for word in data.get(kind, ())]


def _denies_behind() -> Words:
    words = {language: denials(language).get("behind", ()) for language in languages()}
    return Words(words)


def _pattern(data: Mapping[str, Any], kind: str, language: str) -> _Pattern:
    return Words({language: data[kind]}, before=_LEFT) if data.get(kind) else re.compile(r"(?!)")


@cache
def _frequent() -> Mapping[str, frozenset[str]]:
    kinds = ("words", "before", "behind")
    return {
        language: frozenset(
            word
            for kind in kinds
            for word in denials(language).get(kind, ())
            if _WORD.fullmatch(word)
        )
        for language in languages()
    }


#: What denies what stands before it, in any language.
DENIES_BEHIND = _denies_behind()
