"""One recorded answer, whatever file it stands in, and the fields of a record by name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from afterimage.errors import AfterimageError, unknown_name

_FIELD = re.compile(r"\{([^{}]*)\}")
_ABSENT = object()
_TRUTHS = {"true": True, "false": False, "1": True, "0": False}


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
        prompt_tokens: Tokens of the prompt.
        completion_tokens: Tokens of the answer.
        latency_seconds: How long it took.
        correct: Whether it was right, where the record says so; counts only for an answer without words.
    """

    place: str
    recorded_id: str
    text: str | None
    repeat: Any = 0
    prompt: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_seconds: float | None = None
    correct: bool | None = None


def filled(template: str, record: Mapping[str, Any], place: str) -> str:
    """Return a template with each ``{field}`` replaced by the record's, none by nothing; a dot leads into a nested one.

    Raises:
        AfterimageError: The record has no such field.
    """
    found = (field_of(record, name, place) for name in _FIELD.findall(template))
    values = iter("" if value is None else str(value) for value in found)
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
    """Return a field of a record, or ``default`` where there is none."""
    if name in record:
        return record[name]
    value: Any = record
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return default
        value = value[part]
    return value


def truth_in(value: Any, name: str | None, place: str) -> bool | None:
    """Return a field's value as true or false; None where it is empty.

    Raises:
        AfterimageError: It is neither.
    """
    if value is None or value == "":
        return None
    word = str(value).strip().lower()
    if word not in _TRUTHS:
        raise AfterimageError(
            f"{place}: field '{name}': found {value!r}; expected {', '.join(_TRUTHS)}."
        )
    return _TRUTHS[word]


def number_in(value: Any, kind: type, name: str | None, place: str) -> Any:
    """Return a field's value as a number; None where it is empty.

    Raises:
        AfterimageError: It is no number.
    """
    if value is None or value == "":
        return None
    try:
        return kind(value)
    except (TypeError, ValueError, OverflowError):
        raise AfterimageError(
            f"{place}: field '{name}': found {value!r}; expected a number."
        ) from None
