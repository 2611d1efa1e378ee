"""Whether there is an answer to judge, and which one it was that somebody judged."""

import hashlib
import json
from collections.abc import Mapping

from afterimage.contract.finish_reasons import Ending, ending_of
from afterimage.grading.reasoning import answer_of

_DIGITS = 16


def can_be_judged(response: Mapping) -> bool:
    """Tell whether there is anything to judge: an answer that is neither blank nor withheld.

    Args:
        response: A row of schema RESPONSE.
    """
    is_withheld = ending_of(response["finish_reason"]) is Ending.WITHHELD
    return bool(answer_of(response).strip()) and not is_withheld


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
