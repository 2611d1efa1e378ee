"""Yes, no, or leaving the question open: for questions that cannot be answered from what is shown.

Leaving open is saying so ("I cannot tell", "there is not enough information", "without the chart ..."), not merely
saying neither word: a description that answers in other words is unparsed.
"""

from collections.abc import Sequence

from afterimage.contract.readings import REFUSED, UNCERTAIN
from afterimage.grading.language import affirmation
from afterimage.grading.language.reply_text import prepared
from afterimage.grading.language.words import cue
from afterimage.grading.parsed import Outcome, Parsed, unread


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "Yes", "No" or "Uncertain" without its question; never raises, whatever the reply.

    Args:
        options: Not used; nobody is offered to leave a question open.
    """
    return parse_with_question(text, options, "")


def parse_with_question(text: str, options: Sequence[tuple[str, str]], question: str) -> Parsed:
    reply = prepared(text)
    reading = affirmation.read(reply, prepared(question))
    if reading.answer is not None:
        outcome: Outcome = "exact" if reading.whole else "contained"
        return Parsed(reading.answer.capitalize(), outcome, reading.why)
    if reading.code == REFUSED or cue("leaves_open").search(reply):
        return Parsed(UNCERTAIN, "contained", "the reply leaves the question open")
    return unread(reading.code, reading.why)
