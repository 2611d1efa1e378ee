"""What a grader hands back, whatever the form of the answer."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from afterimage.contract.readings import EMPTY

Outcome = Literal["exact", "contained", "unparsed", "not_judged", "failed"]
#: Of free text that a judge scores: no judge has, and one has.
NOT_JUDGED: Literal["not_judged"] = "not_judged"
JUDGED = "judged"


class Parsed(NamedTuple):
    """How a reply was read.

    Attributes:
        answer: What the reply was read as (an option id for choices); None where it could not be
            read.
        outcome: "exact" (the reply is the answer), "contained" (it contains it), "unparsed", "not_judged" (free
            text that no rule reads), or "failed" (no reply).
        reason: Why, in words for a reader of the grades; of an unparsed reply one of
            :data:`afterimage.contract.readings.UNREAD`, a colon, and the words.
        readings: What each named rule reads, for answer types that are read by several rules side by
            side; "" where a rule cannot tell.
    """

    answer: str | None
    outcome: Outcome
    reason: str
    readings: Mapping[str, str] = MappingProxyType({})


def unread(code: str, why: str) -> Parsed:
    """Return that a reply could not be read.

    Args:
        code: One of :data:`afterimage.contract.readings.UNREAD`.
    """
    return Parsed(None, "unparsed", f"{code}: {why}")


def code_of(parsed: Parsed) -> str:
    """Return why a reply could not be read, as one of the codes."""
    return parsed.reason.partition(":")[0]


#: Of a reply without a word.
NOTHING = unread(EMPTY, "the reply is empty")
