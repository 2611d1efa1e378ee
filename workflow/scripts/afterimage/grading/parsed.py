"""The result of every reader."""

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
#: Outcomes of free text before and after a judge has scored it.
NOT_JUDGED: Literal["not_judged"] = "not_judged"
JUDGED = "judged"


class Ambiguity(Enum):
    """The kind of an ambiguous reply.

    Attributes:
        SEVERAL: It names several options.
        CONFLICT: It gives the label of one option with the words of another.
    """

    SEVERAL = auto()
    CONFLICT = auto()


class Parsed(NamedTuple):
    """How a reply was read.

    Attributes:
        answer: What the reply was read as (an option id for choices); None if it could not be
            read.
        outcome: "exact" (the reply is the answer), "contained" (it contains it), "unparsed", "not_judged" (free
            text that no rule reads), or "failed" (no reply).
        why: The reason in words for readers of the grades, without the code.
        code: For an unparsed reply, one of :data:`afterimage.contract.readings.UNREAD` or of the reader's; else "".
        ambiguity: None also for an ambiguous reply of unknown kind.
        readings: The reading of each named rule, for answer types that are read by several rules side by side; "" if
            a rule cannot tell.
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
    """Return the result for a reply that could not be read.

    Args:
        code: One of :data:`afterimage.contract.readings.UNREAD`, or of the reader's own.
    """
    return Parsed(None, "unparsed", why, code, ambiguity)


def ended(parsed: Parsed, ending: Ending) -> Parsed:
    """Return a reading without an answer with the reason that the reply was cut off or withheld, if it was."""
    if parsed.answer is not None or parsed.code in (CUT_OFF, REFUSED) or ending not in ENDED:
        return parsed
    code, why = ENDED[ending]
    return parsed._replace(code=code, why=f"{why} ({parsed.reason})")


#: For an empty reply.
NOTHING = unread(EMPTY, "the reply is empty")
#: For a reply that retracts its answer and states no other.
TAKEN_BACK = unread(AMBIGUOUS, "the reply takes back what it said")
#: For a reply that ended within its reasoning, without any answer.
UNFINISHED = unread(*ENDED_THINKING)
