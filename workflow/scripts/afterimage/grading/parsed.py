"""What a grader hands back, whatever the form of the answer."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Outcome = Literal["exact", "contained", "unparsed"]


class Parsed(NamedTuple):
    """How a reply was read.

    Attributes:
        answer: What the reply was read as (an option id for choices); None where it could not be
            read.
        outcome: "exact" (the reply is the answer), "contained" (it contains it) or "unparsed".
        reason: Why, in words for a reader of the grades.
        readings: What each named rule reads, for answer types that are read by several rules side by
            side; "" where a rule cannot tell.
    """

    answer: str | None
    outcome: Outcome
    reason: str
    readings: Mapping[str, str] = MappingProxyType({})
