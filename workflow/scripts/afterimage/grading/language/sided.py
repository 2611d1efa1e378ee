"""Yes-or-no questions whose two answers are contrary facts: "Are the lines the same length?", "Are they straight?".

A reply is read as a choice between the facts, by the readers of choices, which weigh how things are against how they
look. The questions, and the facts of yes and no: ``resources/answers/options.yaml``, ``sided``.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from afterimage.grading.language.asked_words import main_question
from afterimage.grading.language.denial import Stance, spoken, stance
from afterimage.grading.language.evidence import Clause, clauses, is_set_against
from afterimage.grading.language.known_options import Options, options_of
from afterimage.grading.language.lexicon import Lexicon
from afterimage.grading.language.measured import by_measure
from afterimage.grading.language.option_words import denied_by
from afterimage.grading.language.stated_options import by_elimination, stated_options
from afterimage.grading.language.words import expression, load

# Names of compared things.
_NAMED = ("red", "blue", "green", "yellow", "left", "right", "upper", "lower")
_TWO = 2
# With so many options, none has one contrary.
_SEVERAL = 3
# Questions that bare lengths answer.
_LENGTHS = re.compile(r"\b(?:sizes?|lengths?|long|large|big)\b")


class Sided(NamedTuple):
    """The facts of such a question.

    Attributes:
        known: The facts, as options.
        affirmed: The ids of the facts that a yes affirms.
    """

    known: Options
    affirmed: frozenset[str]


class Side(NamedTuple):
    """A reply's answer: "yes", "no", or None if it says both."""

    answer: str | None


def side(reply: str, question: str) -> Side | None:
    """Return a prepared reply's answer; None for another kind of question, and where the reply states neither fact."""
    offered = _offered(main_question(question)) or _comparison(reply, question)
    if offered is None:
        return None
    if not _is_english(reply, question):
        return _read_facts(reply, offered, _languages(reply, question))
    stated = stated_options(reply, offered.known)
    if not stated and (remaining := by_elimination(reply, offered.known)):
        stated = [remaining]
    if not stated and offered.affirmed & {"same", "different"} and _LENGTHS.search(question):
        measured = by_measure(reply, _two_of_them())
        stated = [] if measured is None else ["same" if measured == "same" else "different"]
    values = {"yes" if option in offered.affirmed else "no" for option in stated}
    if not values:
        return Side(None) if _contradicts_look(clauses(reply)) else None
    return Side(values.pop() if len(values) == 1 else None)


def _is_english(reply: str, question: str) -> bool:
    return "en" in (spoken(reply) or ("en",)) and "en" in (spoken(question) or ("en",))


def _languages(reply: str, question: str) -> frozenset[str]:
    """Return the languages of a question that is not English, else those of the reply."""
    return spoken(question) if "en" not in spoken(question) else spoken(reply) - {"en"}


def _read_facts(reply: str, offered: Sided, languages: frozenset[str]) -> Side | None:
    """Return the answer of a reply in another language than English, by its stances towards the facts."""
    parts = [part for part in clauses(reply) if not (part.is_open or part.first_look)]
    firm = [part for part in parts if not (part.looks or part.grants)]
    read = (
        _concept_values
        if len(offered.known.options) < _SEVERAL or _has_several_contraries(offered)
        else _comparison_values
    )
    values = {value for part in firm for value in read(reply, part, offered, languages)}
    if not values and len(parts) == 1:
        # "They look parallel."
        values = {value for part in parts for value in read(reply, part, offered, languages)}
    if not values:
        return None
    return Side(values.pop() if len(values) == 1 else None)


def _has_several_contraries(offered: Sided) -> bool:
    """Tell whether more than one option denies the question: too high and too low, for a line's continuation."""
    return not any(option.compares for option in offered.known.options)


def _concept_values(
    reply: str, part: Clause, offered: Sided, languages: frozenset[str]
) -> Iterator[str | None]:
    """Yield a clause's answers by its words for the facts; denying one fact affirms the other."""
    facts = {option.option_id for option in offered.known.options}
    text = reply[part.start : part.start + part.length]
    differing = (
        list(_difference_lexicon().mentions(text, languages)) if "different" in facts else []
    )
    for found in (*differing, *_fact_lexicon(frozenset(facts)).mentions(text, languages)):
        # "No difference" also means the same, and its denial must not count twice.
        if found not in differing and any(
            difference.start < found.end and found.start < difference.end
            for difference in differing
        ):
            continue
        meant = stance(reply, part.start + found.start, part.start + found.end, languages)
        affirms = (found.key in offered.affirmed) == (meant is Stance.AFFIRMED)
        known = meant is Stance.AFFIRMED or (meant is Stance.DENIED and len(facts) < _SEVERAL)
        yield ("yes" if affirms else "no") if known else None


def _comparison_values(
    reply: str, part: Clause, offered: Sided, languages: frozenset[str]
) -> Iterator[str | None]:
    """Yield a clause's answers about which of two is longer."""
    known = offered.known
    text = reply[part.start : part.start + part.length]
    meant = {
        stance(reply, part.start + found.start(), part.start + found.end(), languages)
        for found in known.names.finditer(text)
    }
    if Stance.OPEN in meant or Stance.NEARLY in meant:
        yield None
        return
    stated = stated_options(text, known)
    yield from ("yes" if option in offered.affirmed else "no" for option in stated)
    if not stated and offered.affirmed <= denied_by(text.strip(), known):
        yield "no"


@lru_cache(maxsize=64)
def _fact_lexicon(facts: frozenset[str]) -> Lexicon:
    return Lexicon({fact: load("options")["concepts"][fact] for fact in sorted(facts)})


@lru_cache(maxsize=1)
def _difference_lexicon() -> Lexicon:
    return Lexicon({"different": load("options")["difference"]})


@lru_cache(maxsize=256)
def _longer(question: str) -> Sided | None:
    """Return the facts of "Is the red line longer than the blue one?", where concepts name both, in order."""
    data = load("options")
    named = sorted(
        (found.start(), name)
        for name in _NAMED
        for found in re.finditer(expression(data["concepts"][name]), question)
    )
    order = list(dict.fromkeys(name for _, name in named))
    how = [
        entry[side]["en"][0]
        for entry in data["comparisons"]
        for side in ("more", "less")
        if re.search(expression(entry[side]), question)
    ]
    if len(order) != _TWO or not how:
        return None
    facts = tuple((name, f"the {name} one is {how[0]}") for name in order)
    return Sided(options_of((*facts, ("same", "both are the same"))), frozenset({order[0]}))


def _comparison(reply: str, question: str) -> Sided | None:
    """Return the facts for a reply in another language; ``language/restated.py`` reads English."""
    return None if _is_english(reply, question) else _longer(main_question(question))


def _contradicts_look(parts: Sequence[Clause]) -> bool:
    """Tell whether a clause contradicts an impression, so that no other reading can tell which one holds."""
    seeming = [part.start for part in parts if part.looks or part.first_look]
    return bool(seeming) and any(p.start > seeming[0] and is_set_against(p) for p in parts)


@lru_cache(maxsize=1)
def _two_of_them() -> Options:
    positions = ("left", "right", "upper", "lower")
    return options_of(
        (*((position, f"the {position} one is bigger") for position in positions), ("same", "same"))
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
