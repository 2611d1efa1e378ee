"""What a grader hands back, whatever the form of the answer."""

from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import Literal, NamedTuple

from afterimage.contract.readings import (
    AMBIGUOUS,
    CUT_OFF,
    EMPTY,
    ENDED,
    ENDED_THINKING,
    REFUSED,
    Ending,
)

Outcome = Literal["exact", "contained", "unparsed", "not_judged", "failed"]
#: Of free text that a judge scores: no judge has, and one has.
NOT_JUDGED: Literal["not_judged"] = "not_judged"
JUDGED = "judged"


class Ambiguity(Enum):
    """In which way a reply is ambiguous.

    Attributes:
        SEVERAL: It names several options.
        CONFLICT: It gives the label of one option with the words of another.
    """

    SEVERAL = auto()
    CONFLICT = auto()


class Parsed(NamedTuple):
    """How a reply was read.

    Attributes:
        answer: What the reply was read as (an option id for choices); None where it could not be
            read.
        outcome: "exact" (the reply is the answer), "contained" (it contains it), "unparsed", "not_judged" (free
            text that no rule reads), or "failed" (no reply).
        why: In words for a reader of the grades, without the code.
        code: Of an unparsed reply, one of :data:`afterimage.contract.readings.UNREAD`, or of the reader's own; else "".
        ambiguity: None also of an ambiguous reply of which no more is known.
        readings: What each named rule reads, for answer types that are read by several rules side by
            side; "" where a rule cannot tell.
    """

    answer: str | None
    outcome: Outcome
    why: str
    code: str = ""
    ambiguity: Ambiguity | None = None
    readings: Mapping[str, str] = MappingProxyType({})

    @property
    def reason(self) -> str:
        """The column ``reason`` of a grade: the code, if there is one, a colon, and the words."""
        return f"{self.code}: {self.why}" if self.code else self.why


def unread(code: str, why: str, ambiguity: Ambiguity | None = None) -> Parsed:
    """Return that a reply could not be read.

    Args:
        code: One of :data:`afterimage.contract.readings.UNREAD`, or of the reader's own.
    """
    return Parsed(None, "unparsed", why, code, ambiguity)


def ended(parsed: Parsed, ending: Ending) -> Parsed:
    """Return a reading that says of a reply without an answer whether it was cut off or held back."""
    if parsed.answer is not None or parsed.code in (CUT_OFF, REFUSED) or ending not in ENDED:
        return parsed
    code, why = ENDED[ending]
    return parsed._replace(code=code, why=f"{why} ({parsed.reason})")


#: Of a reply without a word.
NOTHING = unread(EMPTY, "the reply is empty")
#: Of a reply that takes back what it said and says nothing in its place.
TAKEN_BACK = unread(AMBIGUOUS, "the reply takes back what it said")
#: Of a reply that ended before its reasoning did: there is no answer at all.
UNFINISHED = unread(*ENDED_THINKING)
