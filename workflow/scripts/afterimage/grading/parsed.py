"""What a grader hands back, whatever the form of the answer."""

from typing import Literal, NamedTuple

Outcome = Literal["exact", "contained", "unparsed"]


class Parsed(NamedTuple):
    """How a reply was read.

    Attributes:
        answer: What the reply was read as (an option id for choices); None where it could not be
            read.
        outcome: "exact" (the reply is the answer), "contained" (it contains it) or "unparsed".
        reason: Why, in words for a reader of the grades.
    """

    answer: str | None
    outcome: Outcome
    reason: str
