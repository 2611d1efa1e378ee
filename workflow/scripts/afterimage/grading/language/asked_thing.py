"""Whether there is what a question asks for, in other languages than English: what is said of the thing that it names.

"I see a cube, but no cone" affirms and denies; asked for a cone it is a no. The thing and its colour are known by their
names, ``resources/answers/things.yaml`` and ``options.yaml``; what a reply says of other things says nothing of it.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from afterimage.grading.language.asked_words import WORD
from afterimage.grading.language.denial import Stance, has_denial, spoken, stance
from afterimage.grading.language.evidence import Clause, clauses
from afterimage.grading.language.existence import colours
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.language.sayings import Said, Sayings
from afterimage.grading.language.words import Words, expression, listed, load

YES, NO, OPEN = "yes", "no", "open"
_LACKING = "lacking"
# Languages in which words are joined, what ends a word of theirs, and what a word of others is bent by.
_JOINED = ("zh", "ja", "ko")
_ENDING = dict.fromkeys(_JOINED, "")
_FLEXION = re.compile(r"(?:[aeiouаеёиоуыэюяйь]|[aeo]s|es|en|s)$")
# A shorter word is taken whole.
_SHORTEST = 4


class Asked(NamedTuple):
    """What a question asks for.

    Attributes:
        thing: What names it.
        colour: The key of its colour; None where the question names none.
        languages: Those other than English that the question may be in.
    """

    thing: Words | re.Pattern[str]
    colour: str | None
    languages: frozenset[str]


class _Of(NamedTuple):
    """What one clause says of the thing, whether it names the wanted colour, too, and another one."""

    value: str | None
    colour: bool
    others: bool
    clause: Clause


@lru_cache(maxsize=256)
def asked_for(asked: str) -> Asked | None:
    """Return what a prepared question asks for; None where it names nothing that is known, or several things."""
    named = [name for name, colour in colours().items() if colour.search(asked)]
    thing = _listed(asked) or _own_words(asked)
    if thing is None or len(named) > 1:
        return None
    return Asked(thing, named[0] if named else None, spoken(asked) - {"en"})


def _listed(asked: str) -> Words | None:
    keys = {found.key for found in _things().found(asked)}
    return listed("things", "things", keys.pop()) if len(keys) == 1 else None


def _own_words(asked: str) -> re.Pattern[str] | None:
    """Return what finds the words by which a question in another language than English names what it asks for."""
    for language, one in _asking().items():
        if (found := one.search(asked)) is None:
            continue
        what = found["what"]
        for colour in colours().values():
            what = colour.sub(" ", what)
        words = set(WORD.findall(what)) - set(load("things")["articles"])
        stems = [
            re.escape(_stem(word, language))
            for word in words
            if len(word) > 1 or language in _JOINED
        ]
        return (
            re.compile(
                expression({language: [stem + _ENDING.get(language, r"\w*") for stem in stems]})
            )
            if stems
            else None
        )
    return None


def _stem(word: str, language: str) -> str:
    return word if language in _JOINED or len(word) < _SHORTEST else _FLEXION.sub("", word)


def of_thing(reply: str, asked: Asked) -> str | None:
    """Return what a prepared reply says of a thing: "yes", "no", "open", or None where it does not say."""
    own = asked.languages or spoken(reply) - {"en"}
    if not own:
        return None
    parts = clauses(reply)
    said = [found for clause in parts if (found := _of_clause(reply, clause, asked, own))]
    if not said:
        # "I do not know whether there is a cat."
        return OPEN if asked.thing.search(reply) and _whether().search(reply) else None
    if asked.colour is not None:
        value = _of_colour(reply, said, parts, asked, own)
        if value is not None:
            return value
    values = {one.value for one in said if one.colour} - {None} or {one.value for one in said} - {
        None
    }
    return None if not values else values.pop() if len(values) == 1 else OPEN


def _of_clause(reply: str, clause: Clause, asked: Asked, own: Collection[str]) -> _Of | None:
    start, end = clause.start, clause.start + clause.length
    text = reply[start:end]
    named = list(asked.thing.finditer(text))
    if not named or _leaves_open(reply, clause):
        return None
    meant = {stance(reply, start + one.start(), start + one.end(), own) for one in named}
    value = _value(reply, text, start, named[0], meant, own)
    if clause.is_open and value != NO:
        return None
    wanted = asked.colour is None or colours()[asked.colour].search(text) is not None
    return _Of(value, wanted, _names_another(text, asked), clause)


def _value(
    reply: str,
    text: str,
    start: int,
    thing: re.Match[str],
    meant: set[Stance],
    own: Collection[str],
) -> str | None:
    said = [
        (one, stance(reply, start + one.start, start + one.end, own))
        for one in _sayings().found(text, own)
    ]
    lacking = [(one, how) for one, how in said if one.key == _LACKING]
    if lacking:
        return _lacks(text, thing, lacking)
    if meant == {Stance.DENIED}:
        return NO
    there = {how for one, how in said if one.key == YES}
    if meant != {Stance.AFFIRMED}:
        return OPEN
    if not there:
        return None
    return {frozenset({Stance.AFFIRMED}): YES, frozenset({Stance.DENIED}): NO}.get(
        frozenset(there), OPEN
    )


def _lacks(text: str, thing: re.Match[str], lacking: list[tuple[Said, Stance]]) -> str:
    """Return what a clause says that has a word of lacking: "the street does not lack cars" affirms."""
    first = min(one.start for one, _ in lacking)
    last = max(thing.end(), *(one.end for one, _ in lacking))
    denied = has_denial(text[:first]) or has_denial(text[last:])
    meant = {how for _, how in lacking}
    if meant == {Stance.AFFIRMED}:
        return OPEN if denied else NO
    return YES if meant == {Stance.DENIED} else OPEN


def _of_colour(
    reply: str, said: list[_Of], parts: tuple[Clause, ...], asked: Asked, own: Collection[str]
) -> str | None:
    """Return what the colours of a reply say where one was asked for; None where they say nothing more."""
    named = colours()[asked.colour].finditer(reply) if asked.colour else ()
    meant = {stance(reply, *one.span(), own) for one in named}
    if meant == {Stance.DENIED}:
        return NO
    if any(one.colour for one in said):
        return None
    if any(one.others and _of_all().search(one.clause.text) for one in said):
        return NO
    there = [one for one in said if one.value == YES]
    if not there or len(there) < len(said):
        return None
    if any(one.others for one in there):
        # "There is a red cube": another may be green; but "only a red cube".
        return NO if all(_only().search(one.clause.text) for one in there) else OPEN
    # "There is a cube, but it is red."
    last = there[-1].clause.start
    behind = [
        p for p in parts if p.start > last and not p.is_open and _names_another(p.text, asked)
    ]
    if not behind:
        return None
    alone = next(iter(_things().found(behind[0].text, own)), None) is None
    return NO if alone and Stance.AFFIRMED not in meant else OPEN


def _leaves_open(reply: str, clause: Clause) -> bool:
    """Tell whether the sentence of a clause asks, or says that nothing of the image is seen."""
    start, end = next(
        (place for place in sentences(reply) if place[0] <= clause.start < place[1]),
        (clause.start, clause.start + clause.length),
    )
    sentence = reply[start:end]
    if sentence.rstrip().endswith("?") or _whether().search(sentence):
        return True
    return clause.is_open and _image().search(sentence) is not None


def _names_another(text: str, asked: Asked) -> bool:
    return any(name != asked.colour and one.search(text) for name, one in colours().items())


@cache
def _things() -> Sayings:
    return Sayings(load("things")["things"])


@cache
def _asking() -> dict[str, re.Pattern[str]]:
    return {
        language: re.compile(rf"\b{asks}") if language not in _JOINED else re.compile(asks)
        for language, asks in load("things")["asks"].items()
    }


@cache
def _sayings() -> Sayings:
    data, presence = load("things"), load("presence")
    shown = {
        language: [*presence[YES].get(language, ()), *data["shown"].get(language, ())]
        for language in {*presence[YES], *data["shown"]}
    }
    return Sayings({_LACKING: data["lacking"], YES: shown})


@cache
def _list(name: str) -> Words:
    return listed("things", name)


def _whether() -> Words:
    return _list("whether")


def _image() -> Words:
    return _list("image")


def _of_all() -> Words:
    return _list("all")


@cache
def _only() -> Words:
    return listed("presence", "only")
