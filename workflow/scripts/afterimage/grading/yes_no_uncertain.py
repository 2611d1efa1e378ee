"""Yes, no, or leaving the question open: for questions that cannot be answered from what is shown.

Leaving open is saying so ("I cannot tell", "there is not enough information", "without the chart ..."), not merely
saying neither word: a description that answers in other words is unparsed.
"""

import re
from collections.abc import Sequence

from afterimage.grading import yes_no_statement
from afterimage.grading.parsed import Parsed
from afterimage.grading.reply_text import plain

UNCERTAIN = "Uncertain"
_LEFT_OPEN = re.compile(
    r"\b(?:(?:can\s?not|can't|could not|couldn't|unable to|not able to|impossible to|difficult to)\s+(?:\w+\s+){0,3}?"
    r"(?:tell|say|answer|determine|confirm|verify|know|help|provide|be (?:determined|answered|certain|sure))|"
    r"(?:do not|don't|does not|doesn't)\s+(?:\w+\s+){0,2}?(?:have|know|provide|include|specify)|"
    r"not (?:sure|certain|enough|possible)|unclear|uncertain|unknown|insufficient|no (?:information|image|data|way)|"
    r"without (?:\w+\s+){0,3}?(?:data|chart|image|information|context|map|table|figure))\b"
)


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "Yes", "No" or "Uncertain"; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: Not used; nobody is offered to leave a question open.
    """
    said = yes_no_statement.parse(text)
    if said.answer is not None:
        return said
    if _LEFT_OPEN.search(plain(text).lower()):
        return Parsed(UNCERTAIN, "contained", "the reply leaves the question open")
    return said
