"""Whether the thing that a question asks for is there, in languages other than English.

"I see a cube, but no cone" affirms and denies; to a question about a cone it says no. The thing and its colour are
recognised by their names, ``resources/answers/things.yaml`` and ``options.yaml``; statements about other things do not
count.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from afterimage.grading.language.asked_words import WORD
from afterimage.grading.language.denial import Stance, has_denial, spoken, stance
from afterimage.grading.language.evidence import Clause, clauses
from afterimage.grading.language.existence import colours
from afterimage.grading.language.lexicon import Lexicon, Mention
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.language.words import Words, expression, listed, load

YES, NO, OPEN = "yes", "no", "open"
_LACKING = "lacking"
# Languages whose words are joined, the ending of their words, and the inflections of other languages' words.
_JOINED = ("zh", "ja", "ko")
_ENDING = dict.fromkeys(_JOINED, "")
_FLEXION = re.compile(r"(?:[aeiouаеёиоуыэюяйь]|[aeo]s|es|en|s)$")
# A shorter word has no ending to remove.
_SHORTEST = 4


class SoughtThing(NamedTuple):
    """The thing that a question asks for.

    Attributes:
        thing: Pattern of its names.
        colour: The key of its colour; None if the question names none.
        languages: The question's possible languages other than English.
    """

    thing: Words | re.Pattern[str]
    colour: str | None
    languages: frozenset[str]


class _ThingClause(NamedTuple):
    """A clause's answer about the thing, and whether it names the wanted colour, and another one."""

    value: str | None
    colour: bool
    others: bool
    clause: Clause


@lru_cache(maxsize=256)
def sought_thing(question: str) -> SoughtThing | None:
    """Return the thing that a prepared question asks for; None if it names no known thing, or several."""
    named = [name for name, colour in colours().items() if colour.search(question)]
    thing = _listed(question) or _thing_pattern(question)
    if thing is None or len(named) > 1:
        return None
    return SoughtThing(thing, named[0] if named else None, spoken(question) - {"en"})


def _listed(question: str) -> Words | None:
    keys = {found.key for found in _thing_lexicon().mentions(question)}
    return listed("things", "things", keys.pop()) if len(keys) == 1 else None


def _thing_pattern(question: str) -> re.Pattern[str] | None:
    """Return a pattern of the words by which a question in another language than English names the thing."""
    for language, pattern in _asking().items():
        if (found := pattern.search(question)) is None:
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


def thing_answer(reply: str, sought: SoughtThing) -> str | None:
    """Return a prepared reply's answer about a thing: "yes", "no", "open", or None without one."""
    languages = sought.languages or spoken(reply) - {"en"}
    if not languages:
        return None
    parts = clauses(reply)
    mentions = [
        found for clause in parts if (found := _read_clause(reply, clause, sought, languages))
    ]
    if not mentions:
        # "I do not know whether there is a cat."
        return OPEN if sought.thing.search(reply) and _whether().search(reply) else None
    if sought.colour is not None:
        value = _colour_answer(reply, mentions, parts, sought, languages)
        if value is not None:
            return value
    in_colour = {mention.value for mention in mentions if mention.colour} - {None}
    values = in_colour or {mention.value for mention in mentions} - {None}
    return None if not values else values.pop() if len(values) == 1 else OPEN


def _read_clause(
    reply: str, clause: Clause, sought: SoughtThing, languages: Collection[str]
) -> _ThingClause | None:
    start, end = clause.start, clause.start + clause.length
    text = reply[start:end]
    named = list(sought.thing.finditer(text))
    if not named or _leaves_open(reply, clause):
        return None
    meant = {
        stance(reply, start + match.start(), start + match.end(), languages) for match in named
    }
    value = _value(reply, text, start, named[0], meant, languages)
    if clause.is_open and value != NO:
        return None
    wanted = sought.colour is None or colours()[sought.colour].search(text) is not None
    return _ThingClause(value, wanted, _names_another(text, sought), clause)


def _value(
    reply: str,
    text: str,
    start: int,
    thing: re.Match[str],
    meant: set[Stance],
    languages: Collection[str],
) -> str | None:
    stances = [
        (mention, stance(reply, start + mention.start, start + mention.end, languages))
        for mention in _presence_lexicon().mentions(text, languages)
    ]
    lacking = [(mention, how) for mention, how in stances if mention.key == _LACKING]
    if lacking:
        return _lacks(text, thing, lacking)
    if meant == {Stance.DENIED}:
        return NO
    shown = {how for mention, how in stances if mention.key == YES}
    if meant != {Stance.AFFIRMED}:
        return OPEN
    if not shown:
        return None
    return {frozenset({Stance.AFFIRMED}): YES, frozenset({Stance.DENIED}): NO}.get(
        frozenset(shown), OPEN
    )


def _lacks(text: str, thing: re.Match[str], lacking: list[tuple[Mention, Stance]]) -> str:
    """Return the answer of a clause with a word of lacking: "the street does not lack cars" affirms."""
    first = min(mention.start for mention, _ in lacking)
    last = max(thing.end(), *(mention.end for mention, _ in lacking))
    denied = has_denial(text[:first]) or has_denial(text[last:])
    meant = {how for _, how in lacking}
    if meant == {Stance.AFFIRMED}:
        return OPEN if denied else NO
    return YES if meant == {Stance.DENIED} else OPEN


def _colour_answer(
    reply: str,
    mentions: list[_ThingClause],
    parts: tuple[Clause, ...],
    sought: SoughtThing,
    languages: Collection[str],
) -> str | None:
    """Return the answer that a reply's colours give to a question about one; None if they add nothing."""
    named = colours()[sought.colour].finditer(reply) if sought.colour else ()
    meant = {stance(reply, *match.span(), languages) for match in named}
    if meant == {Stance.DENIED}:
        return NO
    if any(mention.colour for mention in mentions):
        return None
    if any(mention.others and _of_all().search(mention.clause.text) for mention in mentions):
        return NO
    affirmed = [mention for mention in mentions if mention.value == YES]
    if not affirmed or len(affirmed) < len(mentions):
        return None
    if any(mention.others for mention in affirmed):
        # "There is a red cube": another may be green; but "only a red cube".
        return NO if all(_only().search(mention.clause.text) for mention in affirmed) else OPEN
    # "There is a cube, but it is red."
    last = affirmed[-1].clause.start
    following = [
        p for p in parts if p.start > last and not p.is_open and _names_another(p.text, sought)
    ]
    if not following:
        return None
    alone = next(iter(_thing_lexicon().mentions(following[0].text, languages)), None) is None
    return NO if alone and Stance.AFFIRMED not in meant else OPEN


def _leaves_open(reply: str, clause: Clause) -> bool:
    """Tell whether the sentence of a clause asks, or says that the image is not seen."""
    start, end = next(
        (span for span in sentences(reply) if span[0] <= clause.start < span[1]),
        (clause.start, clause.start + clause.length),
    )
    sentence = reply[start:end]
    if sentence.rstrip().endswith("?") or _whether().search(sentence):
        return True
    return clause.is_open and _image().search(sentence) is not None


def _names_another(text: str, sought: SoughtThing) -> bool:
    return any(
        name != sought.colour and pattern.search(text) for name, pattern in colours().items()
    )


@cache
def _thing_lexicon() -> Lexicon:
    return Lexicon(load("things")["things"])


@cache
def _asking() -> dict[str, re.Pattern[str]]:
    return {
        language: re.compile(rf"\b{asks}") if language not in _JOINED else re.compile(asks)
        for language, asks in load("things")["asks"].items()
    }


@cache
def _presence_lexicon() -> Lexicon:
    data, presence = load("things"), load("presence")
    shown = {
        language: [*presence[YES].get(language, ()), *data["shown"].get(language, ())]
        for language in {*presence[YES], *data["shown"]}
    }
    return Lexicon({_LACKING: data["lacking"], YES: shown})


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
