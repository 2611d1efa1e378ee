"""Answers of which only the outcome was recorded: right or wrong, without words that could be read."""

from collections.abc import Mapping
from typing import Any

from afterimage.files.records import OUTCOMES

#: What such an answer has in the column ``outcome`` of its grade.
RECORDED = "recorded"

_CORRECT = {name: correct for correct, name in OUTCOMES.items()}


def with_outcome(grade: Mapping[str, Any], response: Mapping[str, Any]) -> dict[str, Any]:
    """Return a grade with what the record says of an answer without words; any other grade as it is.

    Args:
        grade: A row of schema GRADE.
        response: The row of schema RESPONSE that it grades.
    """
    correct = _CORRECT.get(response.get("finish_reason", ""))
    if correct is None:
        return dict(grade)
    return {
        **grade,
        "answer": None,
        "outcome": RECORDED,
        "reason": "recorded without words",
        "correct": correct,
        "readings": {},
    }
