"""Whether a statement in a reply is affirmed or denied; every reader reads denials here.

How a language denies is data, ``resources/answers/denials/LANGUAGE.yaml``, expressions as in the other word lists:

``before``   denies what follows it in its clause ("not", "no", "nicht"), ``behind`` what precedes it ("at no point",
             "지 않"), ``prefix`` the word that it is joined to or comes right before ("非", "안 ").
``fails``    verbs and nouns of failing, lacking and avoiding; they deny what follows them.
``rejects``  calls something false or rules it out: a reader of options counts no option beside it.
``joint``    denials that belong together, "neither ... nor", and count once. ``concord``: all denials of a clause do.
``nearly``   says that something is almost so; ``weakens`` leaves open whether it is.
``spared``   sounds like a denial and is none ("no doubt"); ``only`` ("not only") affirms what it is said of.
``parts``    begins another clause; ``soft`` may do so, and a denial on its other side leaves open what is denied.
``that``     begins a clause after the statement ("true that ..."), in which denials do not count for the statement.
``opinion``  is denied in place of the statement ("I would not call that true"), at any distance.
``copula``   between a denial and the statement shows that the denial is of something else ("that they do not touch is
             true"), except for ``subjects``, denials that are the subject ("none of this is true").
``words``    frequent words that identify the language of a reply, where its script does not.

Two denials of one thing, one with ``weakens``, and whatever else is unclear leave it open.
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
_PREDICATE_WORD = re.compile(r"\w{3,}\s")
# No word character right before, but perhaps an apostrophe: "qu'aucun".
_LEFT = r"\b(?=\w)(?<!-)"
_WRITTEN_ALIKE = {"ja", "zh"}
# So many frequent words identify a language for certain.
_SURE = 2
# Characters of a clause that are read before and after the statement.
_WIDEST = 100
# With more denials in one clause, what they deny is unclear.
_MAXIMUM = 12
# Limit of characters between a denial and what it denies.
_REACH = 80
_DENYING = ("before", "behind", "fails", "rejects")
_PLACED = ("before", "behind", "fails", "weakens", "nearly")
_NOWHERE = range(0)
_Pattern = Words | re.Pattern[str]
# Start, end and text of words.
_Span = tuple[int, int, str]
_Spans = Iterable[_Span]


class Stance(Enum):
    """Whether a statement is affirmed, denied, almost so, or unclear."""

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


class _Analysis(NamedTuple):
    """The denials of a text by kind, the bounds of its clauses, and its crowds of too many denials."""

    denies: bool
    placed: Mapping[str, tuple[_Span, ...]]
    only: tuple[_Span, ...]
    bounds: tuple[int, ...]
    soft: tuple[int, ...]
    that: tuple[int, ...]
    crowds: tuple[tuple[int, int], ...]


def stance(
    text: str,
    start: int,
    end: int,
    candidates: Iterable[str] = (),
    near: int = 0,
    reach: int = _REACH,
    strays: bool = False,
) -> Stance:
    """Return the stance of a prepared reply towards a statement in it.

    Args:
        text: The reply, or a part of it with whole clauses.
        start: Start of the statement.
        end: End of the statement.
        candidates: Possible languages of the statement; that of the rest of the reply is detected.
        near: A denial up to so many characters after the statement denies it, too: "there is hardly any".
        reach: A denial more characters before the statement may be of something else, which leaves it open.
        strays: Whether such a denial is ignored instead.
    """
    first, *others = _candidate_languages(text, tuple(candidates))
    meant = _stance(text, start, end, first, near, reach, strays)
    if not others:
        return meant
    found = {_stance(text, start, end, language, near, reach, strays) for language in others}
    found = (found | {meant}) - {Stance.AFFIRMED}
    if not found:
        return Stance.AFFIRMED
    return found.pop() if len(found) == 1 else Stance.OPEN


def crowd_end(text: str, start: int, end: int, candidates: Iterable[str] = ()) -> int:
    """Return the end of the crowd of denials, too many to understand, around a statement; 0 where there is none.

    Arguments are those of :func:`stance`.
    """
    ends = (
        _crowd_end(_analysed(text, language), start, end, len(text))
        for language in _candidate_languages(text, tuple(candidates))
    )
    return next(filter(None, ends), 0)


@lru_cache(maxsize=1024)
def has_denial(text: str) -> bool:
    """Tell whether a part of a prepared reply denies anything at all."""
    return _denial_like_words().search(text) is not None and any(
        _denying_words(language).search(without_spared(text, language))
        for language in spoken(text) or languages()
    )


def without_spared(text: str, language: str) -> str:
    """Return a part of a prepared reply without what only sounds like a denial: "there is no denying that"."""
    return _denials(language).spared.sub(" ", text)


@lru_cache(maxsize=1024)
def spoken(text: str) -> frozenset[str]:
    """Return the possible languages of a prepared text, by its script or its frequent words; empty if unknown."""
    scripts = () if text.isascii() else _SCRIPTS.items()
    found = {language for language, script in scripts if script.search(text)}
    if "ja" in found:
        found.discard("zh")
    words = set(_WORD.findall(text[:400]))
    counts = {language: len(words & frequent) for language, frequent in _frequent().items()}
    highest = max(counts.values())
    if highest < _SURE:
        # "Lejos de ..." tells more than "de".
        for language in languages() if _denial_like_words().search(text) else ():
            counts[language] += _denying_words(language).search(text) is not None
        highest = max(counts.values())
    return frozenset(found | {language for language, n in counts.items() if n == highest > 0})


@cache
def languages() -> Collection[str]:
    """Return the languages with a file of denials, in order."""
    return dict.fromkeys(sorted(path.stem for path in (FOLDER / "denials").glob("*.yaml")))


@lru_cache(maxsize=1024)
def _candidate_languages(text: str, candidates: tuple[str, ...]) -> tuple[str, ...]:
    found = spoken(text)
    known = set(candidates).intersection(languages())
    if found & _WRITTEN_ALIKE:
        known -= _WRITTEN_ALIKE
    return tuple(found | known or {"en"})


def _stance(
    text: str, start: int, end: int, language: str, near: int, reach: int, strays: bool
) -> Stance:
    rules, found = _denials(language), _analysed(text, language)
    if not found.denies and not text.endswith(rules.prefix, 0, start):
        return Stance.AFFIRMED
    if _crowd_end(found, start, end, len(text)):
        return Stance.OPEN
    low, high, ends = _scope(text, start, end, found)
    if found.only and _between(found.only, low, high):
        return Stance.AFFIRMED
    nearby: dict[str, Sequence[_Span]] = dict.fromkeys(_PLACED, ())
    remaining = _MAXIMUM
    for kind, spans in found.placed.items():
        inside = _between(spans, low, ends)
        remaining -= len(inside)
        if remaining < 0:
            return Stance.OPEN
        nearby[kind] = spans[inside.start : inside.stop]
    if _has_word_beside(nearby["weakens"], start, end):
        return Stance.OPEN
    # "没有" denies the "有" that it holds.
    before = [span for span in nearby["before"] if span[0] < start and span[1] <= end]
    if near:
        before += [span for span in nearby["before"] if end <= span[0] and span[1] <= end + near]
    after = [span for span in nearby["behind"] if start <= span[0] and end < span[1]]
    failing = [span for span in nearby["fails"] if span[0] < start and span[1] <= end]
    # "They have no common point and do not touch": the denial behind the "and" is that of what is said.
    index = bisect_right(found.soft, start)
    joint = found.soft[index - 1] if index else 0
    if any(span[0] >= joint for span in before + failing):
        before = [span for span in before if span[0] >= joint]
        failing = [span for span in failing if span[0] >= joint]
    if _is_separated(found.soft, before + failing, start) or _is_separated(found.soft, after, end):
        return Stance.OPEN
    is_of_another = partial(_denies_another, text, low, start, reach, rules)
    if not strays and any(map(is_of_another, before)):
        return Stance.OPEN
    before = [span for span in before if not is_of_another(span)] if strays else before
    count = _count(rules, before, after, failing) + any(
        text.endswith(prefix, low, start) for prefix in rules.prefix
    )
    # "Not nearly" denies.
    nearly = [span for span in nearby["nearly"] if not any(_overlap(span, *b[:2]) for b in before)]
    is_near = _has_word_beside(nearly, start, end)
    if count == 0 and low and _ends_in_denial(text, found, low):
        return Stance.OPEN
    if count == 0:
        return Stance.NEARLY if is_near else Stance.AFFIRMED
    return Stance.OPEN if count > 1 or is_near else Stance.DENIED


def _scope(text: str, start: int, end: int, found: _Analysis) -> tuple[int, int, int]:
    """Return start and end of the statement's clause, and where denials after the statement end to count."""
    index = bisect_right(found.bounds, start)
    low = max(found.bounds[index - 1] if index else 0, start - _WIDEST)
    high = min(_first(found.bounds, end, len(text)), end + _WIDEST)
    return low, high, min(_first(found.that, end, high), high)


def _has_word_beside(spans: Sequence[_Span], start: int, end: int) -> bool:
    """Tell whether one of some words is before or after the statement."""
    return any(span[1] <= start or span[0] >= end for span in spans)


def _denies_another(
    text: str, low: int, start: int, reach: int, rules: _Denials, denial: _Span
) -> bool:
    """Tell whether a denial may be of something between it and the statement."""
    first, last, word = denial
    if rules.opinion.match(text, last + 1):
        return False
    if rules.subjects.fullmatch(word) and len(text[low:first].split()) <= 1:
        return start - last > _REACH
    if start - last > reach:
        return True
    between = text[last:start].lstrip()
    return any(
        _PREDICATE_WORD.search(between, 0, match.start())
        for match in rules.copula.finditer(between)
    )


def _between(spans: Sequence[_Span], first: int, last: int) -> range:
    """Return the indices of the spans between two positions; spans are in order and do not overlap."""
    if not spans:
        return _NOWHERE
    begin, end = bisect_left(spans, (first,)), bisect_left(spans, (last,))
    while end > begin and spans[end - 1][1] > last:
        end -= 1
    return range(begin, end)


def _first(positions: Sequence[int], start: int, otherwise: int) -> int:
    if not positions:
        return otherwise
    index = bisect_left(positions, start)
    return positions[index] if index < len(positions) else otherwise


def _count(rules: _Denials, before: _Spans, after: _Spans, failing: _Spans) -> int:
    """Return the number of denials; joint ones count once."""
    denying = {(start, end): word for start, end, word in (*before, *after)}
    separate = [span for span in failing if not any(_overlap(span, *other) for other in denying)]
    joint = sum(word in rules.joint for word in denying.values())
    count = len(denying) - max(0, joint - 1)
    return (min(1, count) if rules.concord else count) + len(separate)


def is_spared(text: str, start: int, end: int, language: str) -> bool:
    """Tell whether words are a part, and not all, of something that only sounds like a denial: "間違いなく"."""
    spared = _spared(text, language) if language in languages() else ()
    if not spared:
        return False
    index = bisect_right(spared, start, key=lambda span: span[0])
    return index > 0 and end <= spared[index - 1][1] and spared[index - 1][:2] != (start, end)


def _overlap(span: _Span, start: int, end: int) -> bool:
    return span[0] < end and start < span[1]


def _is_separated(soft: Sequence[int], denying: _Spans, edge: int) -> bool:
    """Tell whether an "and" is between a denial and the edge of what it may deny."""
    return any(
        span[1] <= mark <= edge or edge <= mark <= span[0] for mark in soft for span in denying
    )


def _ends_in_denial(text: str, found: _Analysis, low: int) -> bool:
    """Tell whether the part before a comma ends in a denial, and says more: "they do not, in fact, touch"."""
    while low and text[low - 1] == ",":
        index = bisect_left(found.bounds, low)
        begin = found.bounds[index - 1] if index else 0
        for first, last, _ in found.placed.get("before", ()):
            if begin <= first and last <= low - 1 and not text[last : low - 1].strip():
                return bool(text[begin:first].strip(" \"'"))
        low = begin
    return False


@lru_cache(maxsize=256)
def _analysed(text: str, language: str) -> _Analysis:
    rules = _denials(language)
    only = _spans(rules.only, text)
    marks = {match.end() for match in _PUNCTUATION.finditer(text)}
    bounds = sorted(marks | _starts(rules.parts, text))
    spared = _spared(text, language)
    masked = rules.spared.sub(lambda found: "\x00" * len(found[0]), text) if spared else text
    placed = {kind: _spans(pattern, masked) for kind, pattern in rules.placed.items()}
    placed = {kind: spans for kind, spans in placed.items() if spans}
    that = tuple(sorted(_starts(rules.that, text)))
    return _Analysis(
        bool(placed),
        placed,
        only,
        tuple(bounds),
        tuple(sorted(_starts(rules.soft, text) - set(bounds))),
        that,
        () if only else tuple(_crowds(placed, sorted({*bounds, *that}))),
    )


def _crowd_end(found: _Analysis, start: int, end: int, size: int) -> int:
    """Return the end of the crowd of denials around a statement; 0 where there is none."""
    index = bisect_right(found.crowds, (start, size)) if found.crowds else 0
    last = found.crowds[index - 1][1] if index else 0
    return last if end <= last else 0


def _crowds(
    placed: Mapping[str, Iterable[_Span]], breaks: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield start and end of more denials in one clause than can be understood, close to whatever is among them."""
    spans = sorted(span for kind_spans in placed.values() for span in kind_spans)
    ends = list(accumulate((end for _, end, _ in spans), max))
    for (first, _, _), last in zip(spans, ends[_MAXIMUM:], strict=False):
        if last - first <= _WIDEST and _first(breaks, first + 1, last) >= last:
            yield first, last


@lru_cache(maxsize=256)
def _spared(text: str, language: str) -> tuple[_Span, ...]:
    return _spans(_denials(language).spared, text)


def _spans(pattern: _Pattern, text: str) -> tuple[_Span, ...]:
    return tuple((match.start(), match.end(), match[0]) for match in pattern.finditer(text))


def _starts(pattern: _Pattern, text: str) -> set[int]:
    return {match.start() for match in pattern.finditer(text)}


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
def _denying_words(language: str) -> Words:
    """Return the words that deny in a language."""
    return Words({language: _listed(language, _DENYING)}, before=_LEFT)


@cache
def _denial_like_words() -> Words:
    """Return the words that deny, or sound like a denial, in any language."""
    kinds = (*_DENYING, "spared")
    words = {language: _listed(language, kinds) for language in languages()}
    return Words(words, before=_LEFT)


def _listed(language: str, kinds: Iterable[str]) -> list[str]:
    data = denials(language)
    return [word for kind in kinds for word in data.get(kind, ())]


def _denies_behind() -> Words:
    endings = {language: denials(language).get("behind", ()) for language in languages()}
    return Words(endings)


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


#: Words that deny what precedes them, in any language.
DENIES_BEHIND = _denies_behind()
