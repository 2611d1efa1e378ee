"""One recorded answer, whatever file it stands in, and the fields of a record by name."""

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
        place: Where it stands, for messages: file and line, row or sample.
        recorded_id: The item's id as the record's fields make it.
        text: The raw answer; None where the record says that there is none.
        repeat: What tells it from other answers to the same item.
        prompt: What was asked; None where that is not recorded.
        finish_reason: Why the answer ended; None where that is not recorded, as for the rest.
        latency_seconds: How long it took.
        scores: Log-probabilities, in the form of ``contract/scores.py``; None where there are none.
        correct: Whether it was right, where the record says so; counts only for an answer without words.
    """

    place: str
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


def filled(template: str, record: Mapping[str, Any], place: str) -> str:
    """Return a template with each ``{field}`` replaced by the record's, none by nothing; a dot leads into a nested one.

    Raises:
        AfterimageError: The record has no such field, or one that is no text or number.
    """
    values = (
        id_of(field_of(record, name, place), f"{place}: field '{name}'")
        for name in _FIELD.findall(template)
    )
    return _FIELD.sub(lambda match: next(values), template)


def field_of(record: Mapping[str, Any], name: str, place: str) -> Any:
    """Return a field of a record; a dot leads into a nested one.

    Raises:
        AfterimageError: There is no such field, with the nearest name.
    """
    found = optional_field(record, name, _ABSENT)
    if found is _ABSENT:
        raise unknown_name("field", name, map(str, record), place)
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
    """Return what tells answers to one item apart; whole numbers as such, so that ``1``, 1 and 1.0 are one repeat.

    Raises:
        AfterimageError: It is no text or number.
    """
    name = id_of(value, where)
    return int(name) if name.isascii() and name.isdecimal() else name
