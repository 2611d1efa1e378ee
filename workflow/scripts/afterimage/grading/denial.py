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
``words``    frequent words by which the language of a reply is known, where its script does not tell.

Two denials of one thing, one with ``weakens`` and whatever else is not known leave it open.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from functools import cache, lru_cache
from typing import Any, NamedTuple

from afterimage.grading.words import FOLDER, denials, expression

_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "zh": re.compile(r"[\u3400-\u9fff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
# A comma before "that" ends nothing: "nicht so, dass sie sich berühren".
_PUNCTUATION = re.compile(r"[.!?;:()\[\]\n—。、]|,(?!\s*(?:dass|daß|ob|что|чтобы)\b)|\s[-–]\s")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# No word before; an apostrophe may stand there: "qu'aucun".
_LEFT = r"\b(?=\w)(?<!-)"
_PLACED = ("before", "behind", "fails", "weakens", "nearly")


class Stance(Enum):
    """How something that is said is meant."""

    AFFIRMED = "affirmed"
    DENIED = "denied"
    NEARLY = "nearly"
    OPEN = "open"


class _Denials(NamedTuple):
    """How one language denies; patterns that never match where it lists nothing."""

    placed: Mapping[str, re.Pattern]
    spared: re.Pattern
    only: re.Pattern
    parts: re.Pattern
    soft: re.Pattern
    that: re.Pattern
    prefix: tuple[str, ...]
    joint: frozenset[str]
    concord: bool


class _Found(NamedTuple):
    """What denies in a text: where each kind stands, and where clauses begin and end."""

    placed: Mapping[str, tuple[tuple[int, int, str], ...]]
    only: tuple[tuple[int, int, str], ...]
    bounds: tuple[int, ...]
    soft: tuple[int, ...]
    that: tuple[int, ...]


def stance(text: str, start: int, end: int, language: str, near: int = 0) -> Stance:
    """Return how what stands at a place of a prepared reply is meant.

    Args:
        text: The reply, or a part of it that holds whole clauses.
        start: Where what is said begins.
        end: Where it ends.
        language: Of the words there; of the rest of the reply the language is found out.
        near: Within so many signs behind, a denial that stands there denies it, too: "there is hardly any".
    """
    found = {_stance(text, start, end, own, near) for own in _of(text, language)}
    found.discard(Stance.AFFIRMED)
    if not found:
        return Stance.AFFIRMED
    return found.pop() if len(found) == 1 else Stance.OPEN


def has_denial(text: str) -> bool:
    """Tell whether a part of a prepared reply denies anything at all."""
    return any(
        _any(language).search(_denials(language).spared.sub(" ", text))
        for language in spoken(text) or languages()
    )


@lru_cache(maxsize=1024)
def spoken(text: str) -> frozenset[str]:
    """Return the languages that a prepared text may be in, by its script or its frequent words; empty if unknown."""
    if text.isascii():
        found = set()
    else:
        found = {language for language, script in _SCRIPTS.items() if script.search(text)}
    if "ja" in found:
        found.discard("zh")
    words = set(_WORD.findall(text[:400]))
    counts = {language: len(words & own) for language, own in _frequent().items()}
    most = max(counts.values())
    return frozenset(found | {language for language, n in counts.items() if n == most > 0})


@cache
def languages() -> tuple[str, ...]:
    """Return the languages of which it is known how they deny."""
    return tuple(sorted(path.stem for path in (FOLDER / "denials").glob("*.yaml")))


def _of(text: str, language: str) -> Collection[str]:
    found = spoken(text)
    if language in ("ja", "zh") and found & {"ja", "zh"}:
        return found
    return found | {language} if language in languages() else found or {"en"}


def _stance(text: str, start: int, end: int, language: str, near: int) -> Stance:
    own, found = _denials(language), _found(text, language)
    place = bisect_right(found.bounds, start)
    low = found.bounds[place - 1] if place else 0
    place = bisect_left(found.bounds, end)
    high = found.bounds[place] if place < len(found.bounds) else len(text)
    ends = min((at for at in found.that if end <= at < high), default=high)
    if any(low <= one[0] and one[1] <= high for one in found.only):
        return Stance.AFFIRMED

    def within(kind: str, first: int, last: int) -> list[tuple[int, int, str]]:
        return [one for one in found.placed[kind] if first <= one[0] and one[1] <= last]

    if within("weakens", low, start) or within("weakens", end, ends):
        return Stance.OPEN
    before = within("before", low, start)
    before += [one for one in within("before", end, min(ends, end + near)) if near]
    behind = within("behind", end, ends)
    failing = within("fails", low, start)
    if _is_parted(found.soft, before + failing, start) or _is_parted(found.soft, behind, end):
        return Stance.OPEN
    joined = any(text.endswith(one, low, start) for one in own.prefix)
    count = _count(own, before, behind, failing) + joined
    if count == 0:
        if low and _dangles(text, found, low):
            return Stance.OPEN
        nearly = within("nearly", low, start) or within("nearly", end, ends)
        return Stance.NEARLY if nearly else Stance.AFFIRMED
    if count > 1 or within("nearly", low, start) or within("nearly", end, ends):
        return Stance.OPEN
    return Stance.DENIED


def _count(own: _Denials, before: list, behind: list, failing: list) -> int:
    """Return how often something is denied; what belongs together counts once."""
    denying = {one[:2]: one[2] for one in (*before, *behind)}
    apart = [one for one in failing if not any(_overlap(one, place) for place in denying)]
    joint = sum(word in own.joint for word in denying.values())
    count = len(denying) - max(0, joint - 1)
    return (min(1, count) if own.concord else count) + len(apart)


def _overlap(one: tuple, other: tuple) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_parted(soft: Iterable[int], denying: Iterable[tuple], place: int) -> bool:
    """Tell whether an "and" stands between a denial and what it may deny."""
    return any(one[1] <= at <= place or place <= at <= one[0] for at in soft for one in denying)


def _dangles(text: str, found: _Found, low: int) -> bool:
    """Tell whether something before a comma ends in a denial, and says more: "they do not, in fact, touch"."""
    while low and text[low - 1] == ",":
        place = bisect_left(found.bounds, low)
        begin = found.bounds[place - 1] if place else 0
        for first, last, _ in found.placed["before"]:
            if begin <= first and last <= low - 1 and not text[last : low - 1].strip():
                return bool(text[begin:first].strip(" \"'"))
        low = begin
    return False


@lru_cache(maxsize=256)
def _found(text: str, language: str) -> _Found:
    own = _denials(language)
    only = _places(own.only, text)
    bounds = sorted({one.end() for one in _PUNCTUATION.finditer(text)} | _starts(own.parts, text))
    masked = own.spared.sub(lambda found: "\x00" * len(found[0]), text)
    placed = {kind: _places(pattern, masked) for kind, pattern in own.placed.items()}
    return _Found(
        placed,
        only,
        tuple(bounds),
        tuple(sorted(_starts(own.soft, text) - set(bounds))),
        tuple(sorted(_starts(own.that, text))),
    )


def _places(pattern: re.Pattern, text: str) -> tuple[tuple[int, int, str], ...]:
    return tuple((one.start(), one.end(), one[0]) for one in pattern.finditer(text))


def _starts(pattern: re.Pattern, text: str) -> set[int]:
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
        tuple(data.get("prefix", ())),
        frozenset(data.get("joint", ())),
        bool(data.get("concord", False)),
    )


@cache
def _any(language: str) -> re.Pattern:
    """Return the expression of whatever denies in a language."""
    data = denials(language)
    words = [
        word for kind in ("before", "behind", "fails", "rejects") for word in data.get(kind, ())
    ]
    return re.compile(expression({language: words}, before=_LEFT))


def _pattern(data: Mapping[str, Any], kind: str, language: str) -> re.Pattern:
    words = data.get(kind)
    return re.compile(expression({language: words}, before=_LEFT) if words else r"(?!)")


@cache
def _frequent() -> Mapping[str, frozenset[str]]:
    return {language: frozenset(denials(language).get("words", ())) for language in languages()}
