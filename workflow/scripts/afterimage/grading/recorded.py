"""Recorded answers without text, of which only right or wrong is known."""

from collections.abc import Mapping
from typing import Any

from afterimage.files.records import OUTCOMES

#: Value of the column ``outcome`` in such an answer's grade.
RECORDED = "recorded"

_CORRECT = {name: correct for correct, name in OUTCOMES.items()}


def with_outcome(grade: Mapping[str, Any], response: Mapping[str, Any]) -> dict[str, Any]:
    """Return a grade with the recorded outcome of an answer without text; any other grade unchanged.

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
