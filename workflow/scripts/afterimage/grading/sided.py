"""Questions of yes or no whose two answers are contrary facts: "Are the lines the same length?", "Are they straight?".

What a reply says of them is read as a choice between the facts, by the readers of choices, which weigh how things are
against how they look. Which questions, and what yes and no say: ``resources/answers/options.yaml``, ``sided``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from afterimage.grading.asked_words import main_question
from afterimage.grading.evidence import Clause, clauses, is_set_against
from afterimage.grading.known_options import Options, options_of
from afterimage.grading.measured import by_measure
from afterimage.grading.options_said import by_elimination, options_said
from afterimage.grading.words import expression, load

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
    offered = _offered(main_question(asked))
    if offered is None:
        return None
    said = options_said(reply, offered.known)
    if not said and (left := by_elimination(reply, offered.known)):
        said = [left]
    if not said and offered.affirmed & {"same", "different"} and _LENGTHS.search(asked):
        measured = by_measure(reply, _two_of_them())
        said = [] if measured is None else ["same" if measured == "same" else "different"]
    values = {"yes" if option in offered.affirmed else "no" for option in said}
    if not values:
        return Side(None) if _is_turned(clauses(reply)) else None
    return Side(values.pop() if len(values) == 1 else None)


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
