"""A free answer in words: equal to a right one, but for case, spaces, quotes, emphasis and final marks.

Nothing is guessed: a reply that says more than an answer is unparsed where it contains one ("It is a red kite."), or
is long; any other reply is a wrong answer. No synonyms, no stemming: whoever asks the question says what else is right.
"""

from collections.abc import Sequence

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language.evidence import refuses
from afterimage.grading.language.reply_text import prepared, window
from afterimage.grading.parsed import NOTHING, Parsed, unread
from afterimage.grading.readers import choice

#: Signs beyond which a reply is no short answer.
LONGEST = 200


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the known answers, or as itself; never raises, whatever the reply.

    Args:
        options: (option id, text) of the known answers; several texts may have one id, which is never a normal form
            of another text.

    Returns:
        The option id with outcome "exact"; or the reply's normal form, which is none of them; or None with outcome
        "unparsed" and why.
    """
    reply = choice.normalise(window(text).rstrip("!\uff01 \n"))
    if not reply:
        return NOTHING
    for option_id, option in options:
        if choice.normalise(option) == reply:
            return Parsed(option_id, "exact", "the reply is a known answer, word for word")
    if len(reply) > LONGEST:
        return unread(OFF_TOPIC, f"the reply is longer than {LONGEST} signs")
    # Under ids of their own: the texts of one id are no rivals.
    numbered = [(str(index), option) for index, (_, option) in enumerate(options)]
    if choice.contained(text, numbered):
        return unread(AMBIGUOUS, "the reply says more than the answer that it contains")
    if refuses(prepared(text)):
        return unread(REFUSED, "the reply gives no answer")
    return Parsed(reply, "exact", "the reply is no known answer, word for word")
