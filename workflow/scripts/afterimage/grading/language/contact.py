"""Whether a reply says that things touch or overlap, in languages other than English, given the question.

Things that overlap touch; things that touch need not overlap, and things that do not overlap may touch. The words are
data, ``resources/answers/contact.yaml``.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from afterimage.grading.language.denial import Stance, spoken, stance
from afterimage.grading.language.evidence import asserted_text, clauses
from afterimage.grading.language.lexicon import Lexicon
from afterimage.grading.language.words import load

_TOUCH, _OVERLAP, _GAP, _APART = "touch", "overlap", "gap", "apart"
_KINDS = (_TOUCH, _OVERLAP, _GAP, _APART)
_EITHER = "either"
# The answer, by what is asked ("either" where unknown), the word's kind and its stance; others leave it open.
_SAYS: Mapping[tuple[str, str], Mapping[Stance, str | None]] = {
    (_TOUCH, _TOUCH): {Stance.AFFIRMED: "yes", Stance.DENIED: "no", Stance.NEARLY: "no"},
    (_TOUCH, _OVERLAP): {Stance.AFFIRMED: "yes", Stance.DENIED: None, Stance.NEARLY: None},
    (_TOUCH, _GAP): {Stance.AFFIRMED: "no", Stance.DENIED: "yes"},
    (_OVERLAP, _TOUCH): {Stance.AFFIRMED: None, Stance.DENIED: "no", Stance.NEARLY: "no", Stance.OPEN: None},
    (_OVERLAP, _OVERLAP): {Stance.AFFIRMED: "yes", Stance.DENIED: "no", Stance.NEARLY: "no"},
    (_OVERLAP, _GAP): {Stance.AFFIRMED: "no", Stance.DENIED: None},
    (_EITHER, _TOUCH): {Stance.AFFIRMED: "yes", Stance.DENIED: "no", Stance.NEARLY: "no"},
    (_EITHER, _OVERLAP): {Stance.AFFIRMED: "yes", Stance.DENIED: "no", Stance.NEARLY: "no"},
    (_EITHER, _GAP): {Stance.AFFIRMED: "no", Stance.DENIED: "yes"},
}  # fmt: skip
_OPEN = "open"


class Contact(NamedTuple):
    """A reply's answer about contact.

    Attributes:
        answer: "yes", "no", or None if it mentions contact without an answer, or says both.
        is_open: Whether it contains an unclear denial.
    """

    answer: str | None
    is_open: bool


def contact(reply: str, question: str) -> Contact | None:
    """Return a prepared reply's answer about contact; None without any mention, or where something else is asked.

    Args:
        question: The question, prepared; empty if unknown.
    """
    subject = _question_kind(question)
    if subject is None:
        return None
    values = set(_values(asserted_text(reply), subject))
    if len(values - {None}) > 1:
        firm = (c for c in clauses(reply) if not (c.is_open or c.looks or c.grants or c.first_look))
        values = set(_values(". ".join(clause.text for clause in firm), subject))
    if not values:
        return None
    answers = values - {None}
    is_open = _OPEN in values
    return Contact(answers.pop() if len(answers) == 1 and not is_open else None, is_open)


def _values(text: str, subject: str) -> Iterator[str | None]:
    # "Contact" and "distance" are English, too.
    for found in _lexicon().mentions(text, spoken(text)):
        meant = stance(text, found.start, found.end, found.languages)
        kind = _GAP if found.key == _APART else found.key
        if found.key == _APART and meant is Stance.DENIED:
            # Not separate: touching, or one inside the other.
            yield _OPEN
        else:
            yield _SAYS[subject, kind].get(meant, _OPEN)


@lru_cache(maxsize=64)
def _question_kind(question: str) -> str | None:
    if not question:
        return _EITHER
    kinds = {found.key for found in _question_lexicon().mentions(question)} & {_TOUCH, _OVERLAP}
    return None if not kinds else kinds.pop() if len(kinds) == 1 else _EITHER


@cache
def _lexicon() -> Lexicon:
    return Lexicon({kind: load("contact")[kind] for kind in _KINDS})


@cache
def _question_lexicon() -> Lexicon:
    data = load("contact")
    return Lexicon({kind: {**data[kind], **data["asked"][kind]} for kind in (_TOUCH, _OVERLAP)})
