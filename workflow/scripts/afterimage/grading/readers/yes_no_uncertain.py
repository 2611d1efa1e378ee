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
    return parse_asked(text, options, "")


def parse_asked(text: str, options: Sequence[tuple[str, str]], asked: str) -> Parsed:
    reply = prepared(text)
    said = affirmation.read(reply, prepared(asked))
    if said.answer is not None:
        outcome: Outcome = "exact" if said.whole else "contained"
        return Parsed(said.answer.capitalize(), outcome, said.why)
    if said.code == REFUSED or cue("leaves_open").search(reply):
        return Parsed(UNCERTAIN, "contained", "the reply leaves the question open")
    return unread(said.code, said.why)
