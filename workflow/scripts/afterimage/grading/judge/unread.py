"""Answers that a suite's reader left unread: a judge says which answer they settle on.

The judge does not learn the right answer and gives no verdict: the suite's own reader reads the judge's reply, which is
compared with the key like every other answer.
"""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, JudgeFields
from afterimage.files.records import answer_of
from afterimage.grading.grade import last_words, read_response, read_text

#: The judges' prompt.
PROMPT = "unread"
#: The judge's reply about an answer that settles on nothing.
NONE = "NONE"
# Refused, cut off and empty replies settle on nothing; the judge is not asked.
_OPEN = (AMBIGUOUS, OFF_TOPIC)
_AROUND = " \n\t.*_`\"'"


def fields(item: Mapping[str, Any], response: Mapping[str, Any]) -> JudgeFields | None:
    """Return the judge's fields for an answer that its reader left unread; None for any other answer."""
    parsed = read_response(response, item)
    if parsed.outcome != "unparsed" or parsed.code not in _OPEN:
        return None
    named = {option["option_id"]: option["text"] for option in item["options"]}
    values = {
        "question": last_words(item["messages"]),
        "gold": named.get(item["key"], item["key"]),
        "answer": answer_of(response),
    }
    return JudgeFields(PROMPT, values)


def read_as(reply: str, item: Mapping[str, Any]) -> str | None:
    """Return the answer that the judge read: "" for nothing; None if the reply does not count."""
    if reply.strip(_AROUND) == NONE:
        return ""
    return read_text(reply, item).answer
