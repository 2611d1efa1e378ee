"""One recorded answer, from any kind of file, and the fields of a record by name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from afterimage.contract.scores import Scores
from afterimage.errors import unknown_name
from afterimage.files.recorded_value import id_of

_FIELD = re.compile(r"\{([^{}]*)\}")
_ABSENT = object()


@dataclass(frozen=True)
class RecordedAnswer:
    """An answer as it was recorded.

    Attributes:
        location: For messages: file and line, row or sample.
        recorded_id: The item's id, built from the record's fields.
        text: The raw answer; None if the record says that there is none.
        repeat: Distinguishes it from other answers to the same item.
        prompt: The question; None if it is not recorded.
        finish_reason: Why the answer ended; None if not recorded, as for the following.
        latency_seconds: From request to answer.
        scores: Log-probabilities, in the form of ``contract/scores.py``; None if there are none.
        correct: Whether it was right, where the record says so; counts only for an answer without words.
    """

    location: str
    recorded_id: str
    text: str | None
    repeat: int | str = 0
    prompt: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_seconds: float | None = None
    correct: bool | None = None
    scores: Scores | None = None


def filled(template: str, record: Mapping[str, Any], location: str) -> str:
    """Return a template with each ``{field}`` replaced by the record's value; a dot selects a nested field.

    Raises:
        AfterimageError: The record has no such field, or its value is neither text nor number.
    """
    values = (
        id_of(field_of(record, name, location), f"{location}: field '{name}'")
        for name in _FIELD.findall(template)
    )
    return _FIELD.sub(lambda match: next(values), template)


def field_of(record: Mapping[str, Any], name: str, location: str) -> Any:
    """Return a field of a record; a dot selects a nested field.

    Raises:
        AfterimageError: There is no such field, with the nearest name.
    """
    found = optional_field(record, name, _ABSENT)
    if found is _ABSENT:
        raise unknown_name("field", name, map(str, record), location)
    return found


def optional_field(record: Mapping[str, Any], name: str, default: Any = None) -> Any:
    if name in record:
        return record[name]
    value: Any = record
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return default
        value = value[part]
    return value


def repeat_of(value: Any, where: str) -> int | str:
    """Return the repeat of an answer; whole numbers as int, so that ``1``, 1 and 1.0 are the same repeat.

    Raises:
        AfterimageError: It is neither text nor number.
    """
    name = id_of(value, where)
    return int(name) if name.isascii() and name.isdecimal() else name
