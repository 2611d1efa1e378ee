"""Whether there is what a question asks for, in other languages than English: what is said of the thing that it names.

"I see a cube, but no cone" affirms and denies; asked for a cone it is a no. The thing and its colour are known by their
names, ``resources/answers/things.yaml`` and ``options.yaml``; what a reply says of other things says nothing of it.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from afterimage.grading.denial import Sayings, Stance, spoken, stance
from afterimage.grading.evidence import Clause, clauses
from afterimage.grading.existence import colours
from afterimage.grading.reply_text import sentences
from afterimage.grading.words import expression, load

YES, NO, OPEN = "yes", "no", "open"
_LACKING = "lacking"


class Asked(NamedTuple):
    """What a question asks for.

    Attributes:
        thing: Its key in ``things.yaml``.
        colour: The key of its colour; None where the question names none.
    """

    thing: str
    colour: str | None


class _Of(NamedTuple):
    """What one clause says of the thing, whether it names the wanted colour, too, and another one."""

    value: str | None
    colour: bool
    others: bool
    clause: Clause


@lru_cache(maxsize=256)
def asked_for(asked: str) -> Asked | None:
    """Return what a prepared question asks for; None where it names none of the known things, or several."""
    things = {found.key for found in _things().found(asked)}
    named = [name for name, colour in colours().items() if colour.search(asked)]
    if len(things) != 1 or len(named) > 1:
        return None
    return Asked(things.pop(), named[0] if named else None)


def of_thing(reply: str, asked: Asked) -> str | None:
    """Return what a prepared reply says of a thing: "yes", "no", "open", or None where it does not say.

    Args:
        reply: The reply, prepared.
        asked: What was asked for.
    """
    own = spoken(reply) - {"en"}
    if not own:
        return None
    parts = clauses(reply)
    said = [found for clause in parts if (found := _of_clause(reply, clause, asked, own))]
    if not said:
        return None
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
    named = [found for found in _things().found(text, own) if found.key == asked.thing]
    if not named or _leaves_open(reply, clause):
        return None
    meant = {stance(reply, start + one.start, start + one.end, own) for one in named}
    value = _value(reply, text, start, meant, own)
    if clause.is_open and value != NO:
        return None
    wanted = asked.colour is None or colours()[asked.colour].search(text) is not None
    return _Of(value, wanted, _names_another(text, asked), clause)


def _value(
    reply: str, text: str, start: int, meant: set[Stance], own: Collection[str]
) -> str | None:
    said = [
        (one.key, stance(reply, start + one.start, start + one.end, own))
        for one in _sayings().found(text, own)
    ]
    lacking = {how for key, how in said if key == _LACKING}
    if lacking:
        return NO if lacking == {Stance.AFFIRMED} else OPEN
    if meant == {Stance.DENIED}:
        return NO
    there = {how for key, how in said if key == YES}
    if meant != {Stance.AFFIRMED}:
        return OPEN
    if not there:
        return None
    return {frozenset({Stance.AFFIRMED}): YES, frozenset({Stance.DENIED}): NO}.get(
        frozenset(there), OPEN
    )


def _of_colour(
    reply: str, said: list[_Of], parts: tuple[Clause, ...], asked: Asked, own: Collection[str]
) -> str | None:
    """Return what the colours of a reply say where one was asked for; None where they say nothing more."""
    meant = {stance(reply, *one.span(), own) for one in colours()[asked.colour].finditer(reply)}
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
    alone = not any(True for _ in _things().found(behind[0].text, own))
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
def _sayings() -> Sayings:
    data, presence = load("things"), load("presence")
    shown = {
        language: [*presence[YES].get(language, ()), *data["shown"].get(language, ())]
        for language in {*presence[YES], *data["shown"]}
    }
    return Sayings({_LACKING: data["lacking"], YES: shown})


@cache
def _list(name: str) -> re.Pattern:
    return re.compile(expression(load("things")[name]))


def _whether() -> re.Pattern:
    return _list("whether")


def _image() -> re.Pattern:
    return _list("image")


def _of_all() -> re.Pattern:
    return _list("all")


@cache
def _only() -> re.Pattern:
    return re.compile(expression(load("presence")["only"]))
