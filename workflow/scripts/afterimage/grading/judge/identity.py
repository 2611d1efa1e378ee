"""Whether there is an answer to judge, and which one it was that somebody judged."""

import hashlib
import json
from collections.abc import Mapping

from afterimage.grading.reasoning import answer_of

_DIGITS = 16
# Finish reasons of answers that were held back.
_WITHHELD = ("refusal", "content_filter")


def can_be_judged(response: Mapping) -> bool:
    """Tell whether there is anything to judge: an answer that is neither blank nor withheld.

    Args:
        response: A row of schema RESPONSE.
    """
    return bool(answer_of(response).strip()) and response["finish_reason"] not in _WITHHELD


def answer_sha(response: Mapping, item: Mapping) -> str:
    """Return sixteen hexadecimal digits that change with the answer, what was asked, and the right answer.

    What a judge or a person has said holds for exactly this: the same words after an image was redrawn, or under
    another key, are another answer.

    Args:
        response: A row of schema RESPONSE.
        item: Its row of schema ITEM.
    """
    content = [response["request_sha256"], item["key"], response["text"]]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:_DIGITS]
