"""Questions of yes or no whose two answers are contrary facts: "Are the lines the same length?", "Are they straight?".

What a reply says of them is read as a choice between the facts, by the readers of choices, which weigh how things are
against how they look. Which questions, and what yes and no say: ``resources/answers/options.yaml``, ``sided``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from afterimage.grading.asked_words import main_question
from afterimage.grading.denial import Sayings, Stance, spoken, stance
from afterimage.grading.evidence import Clause, clauses, is_set_against
from afterimage.grading.known_options import Options, options_of
from afterimage.grading.measured import by_measure
from afterimage.grading.option_words import denied_by
from afterimage.grading.options_said import by_elimination, options_said
from afterimage.grading.words import expression, load

# Of two colours or places, which are named by concepts.
_LONGER = re.compile(
    r"\b(?:is|are) the (?P<one>\w+) \w+ (?P<how>\w+er) than the (?P<other>\w+)\b(?: \w+)?\W*$"
)
_PLACES = {"top": "upper", "bottom": "lower"}
# So many options have no contrary.
_SEVERAL = 3
# Questions that bare lengths answer.
_LENGTHS = re.compile(r"\b(?:sizes?|lengths?|long|large|big)\b")


class Sided(NamedTuple):
    """What such a question offers.

    Attributes:
        known: The facts, as options.
        affirmed: The ids of those that a yes says.
    """

    known: Options
    affirmed: frozenset[str]


class Side(NamedTuple):
    """What a reply says: "yes", "no", or None where it says both."""

    answer: str | None


def side(reply: str, asked: str) -> Side | None:
    """Return what a prepared reply says; None for another kind of question, and where the reply says neither fact.

    Args:
        reply: The reply, prepared.
        asked: The question, prepared.
    """
    offered = _offered(main_question(asked)) or _compared(reply, main_question(asked))
    if offered is None:
        return None
    reply = _without_difference(reply) if offered.affirmed & {"same", "different"} else reply
    said = options_said(reply, offered.known)
    if not said and offered.affirmed.issubset(_denied(reply, offered.known)):
        return Side("no")
    if not said and (left := by_elimination(reply, offered.known)):
        said = [left]
    if not said and offered.affirmed & {"same", "different"} and _LENGTHS.search(asked):
        measured = by_measure(reply, _two_of_them())
        said = [] if measured is None else ["same" if measured == "same" else "different"]
    values = {"yes" if option in offered.affirmed else "no" for option in said}
    if not values:
        return Side(None) if _is_turned(clauses(reply)) else None
    return Side(values.pop() if len(values) == 1 else None)


def _denied(reply: str, known: Options) -> set[str]:
    """Return what a reply denies, but where it could name another of two contraries instead."""
    if len(known.options) < _SEVERAL:
        return set()
    firm = (part.text for part in clauses(reply) if not (part.is_open or part.first_look))
    return {option for text in firm for option in denied_by(text, known)}


def _without_difference(reply: str) -> str:
    """Say in one word each what a reply in another language than English says of a difference: none, or one."""
    said = reply
    for found in reversed(list(_difference().found(reply, spoken(reply)))):
        meant = stance(reply, found.start, found.end, found.languages)
        word = {Stance.AFFIRMED: "different", Stance.DENIED: "same"}.get(meant)
        if word is None:
            continue
        start, end = _clause_around(reply, found.start, found.end)
        said = f"{said[:start]} {word} {said[end:]}"
    return said


def _clause_around(reply: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause of some words begins and ends."""
    for part in clauses(reply):
        if part.start <= start and end <= part.start + part.length:
            return part.start, part.start + part.length
    return start, end


@lru_cache(maxsize=1)
def _difference() -> Sayings:
    return Sayings({"difference": load("options")["difference"]})


@lru_cache(maxsize=256)
def _longer(question: str) -> Sided | None:
    """Return what "Is the red line longer than the blue one?" offers, where both are named by concepts."""
    found = _LONGER.search(question)
    if found is None:
        return None
    one, other = (_PLACES.get(found[name], found[name]) for name in ("one", "other"))
    if not {one, other} <= set(load("options")["concepts"]) or one == other:
        return None
    facts = tuple((name, f"the {name} one is {found['how']}") for name in (one, other))
    return Sided(options_of((*facts, ("same", "both are the same"))), frozenset({one}))


def _compared(reply: str, question: str) -> Sided | None:
    """Return what is offered to a reply in another language; :mod:`afterimage.grading.restated` reads English."""
    return None if "en" in (spoken(reply) or ("en",)) else _longer(question)


def _is_turned(parts: Sequence[Clause]) -> bool:
    """Tell whether something is set against how things look, so that no other reading can tell which of them holds."""
    seeming = [part.start for part in parts if part.looks or part.first_look]
    return bool(seeming) and any(p.start > seeming[0] and is_set_against(p) for p in parts)


@lru_cache(maxsize=1)
def _two_of_them() -> Options:
    places = ("left", "right", "upper", "lower")
    return options_of(
        (*((place, f"the {place} one is bigger") for place in places), ("same", "same"))
    )


@lru_cache(maxsize=256)
def _offered(question: str) -> Sided | None:
    if re.search(r"\bthan\b|\b(?:appear|look|seem)", question):
        return None
    for entry in load("options")["sided"]:
        if re.search(expression(entry["asked"]), question):
            # The question names in what things are said to be the same: length, not colour.
            facts = tuple((fact, f"{fact} {question}") for fact in (*entry["yes"], *entry["no"]))
            return Sided(options_of(facts), frozenset(entry["yes"]))
    return None
