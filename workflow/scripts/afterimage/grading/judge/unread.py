"""Answers that a suite's reader left unread, put before a judge who says which answer they settle on.

The judge does not learn the right answer and gives no verdict: what it writes is read by the suite's own reader, and
compared with the key like every other answer.
"""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, JudgeFields
from afterimage.files.records import answer_of
from afterimage.grading.grade import last_words, read_response, read_text

#: The judges' prompt.
PROMPT = "unread"
#: What the judge writes of a reply that settles on no answer.
NONE = "NONE"
# Refused, cut off and empty replies settle on none; nobody need be asked.
_OPEN = (AMBIGUOUS, OFF_TOPIC)
_AROUND = " \n\t.*_`\"'"


def fields(item: Mapping[str, Any], response: Mapping[str, Any]) -> JudgeFields | None:
    """Return what the judge is told of an answer that its reader left unread; None of all others."""
    own = read_response(response, item)
    if own.outcome != "unparsed" or own.code not in _OPEN:
        return None
    named = {option["option_id"]: option["text"] for option in item["options"]}
    told = {
        "question": last_words(item["messages"]),
        "gold": named.get(item["key"], item["key"]),
        "answer": answer_of(response),
    }
    return JudgeFields(PROMPT, told)


def read_as(reply: str, item: Mapping[str, Any]) -> str | None:
    """Return what the judge says that an answer settles on: "" for nothing; None where the reply does not count."""
    if reply.strip(_AROUND) == NONE:
        return ""
    return read_text(reply, item).answer
