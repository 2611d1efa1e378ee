"""Files with one answer per line or row: JSON Lines, CSV, Parquet."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from afterimage.files.recorded_rows import READERS
from afterimage.models.recorded.answer import (
    RecordedAnswer,
    field_of,
    filled,
    number_in,
    truth_in,
)

_NUMBERS = {"prompt_tokens": int, "completion_tokens": int, "latency_seconds": float}


def read_table(
    path: Path, kind: str, template: str, columns: Mapping[str, str | None]
) -> Iterator[RecordedAnswer]:
    """Yield the answers of a table.

    Args:
        path: The file.
        kind: ``jsonl``, ``csv`` or ``parquet``.
        template: How a record's fields make an item's id.
        columns: Names of the fields, schema of the backend's setting ``columns``.

    Raises:
        AfterimageError: The file is not of this kind, or a record lacks a field.
    """
    for row in READERS[kind](path):
        place, record = row.where, row.values
        text = _named(record, columns["text"], place)
        yield RecordedAnswer(
            place,
            filled(template, record, place),
            None if text is None else str(text),
            _named(record, columns["repeat"], place, 0),
            _text(_named(record, columns["prompt"], place)),
            _text(_named(record, columns["finish_reason"], place)),
            **{
                name: number_in(_named(record, columns[name], place), kind, columns[name], place)
                for name, kind in _NUMBERS.items()
            },
            correct=truth_in(_named(record, columns["correct"], place), columns["correct"], place),
        )


def _named(record: Mapping[str, Any], name: str | None, place: str, default: Any = None) -> Any:
    return default if name is None else field_of(record, name, place)


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)
