"""Files with one answer per record or row: JSON, CSV, Parquet, workbooks."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from afterimage.files.recorded_rows import READERS
from afterimage.files.recorded_value import count_of, number_of, text_of, truth_of
from afterimage.files.workbook import read_workbook
from afterimage.models.recorded.answer import RecordedAnswer, field_of, filled, repeat_of

_READERS = {**READERS, "xlsx": read_workbook}


def read_table(
    path: Path, kind: str, template: str, columns: Mapping[str, str | None]
) -> Iterator[RecordedAnswer]:
    """Yield the answers of a table.

    Args:
        path: The file.
        kind: ``jsonl``, ``csv``, ``parquet`` or ``xlsx``.
        template: How a record's fields make an item's id.
        columns: Names of the fields, schema of the backend's setting ``columns``.

    Raises:
        AfterimageError: The file is not of this kind, or a record lacks a field or has a value of another type there.
    """
    for row in _READERS[kind](path):
        place, record = row.where, row.values
        named = {
            key: (
                None if name is None else field_of(record, name, place),
                f"{place}: field '{name}'",
            )
            for key, name in columns.items()
        }
        yield RecordedAnswer(
            place,
            filled(template, record, place),
            text_of(*named["text"]),
            repeat_of(*named["repeat"]) if columns["repeat"] is not None else 0,
            text_of(*named["prompt"]) or None,
            text_of(*named["finish_reason"]) or None,
            prompt_tokens=count_of(*named["prompt_tokens"]),
            completion_tokens=count_of(*named["completion_tokens"]),
            latency_seconds=number_of(*named["latency_seconds"]),
            correct=truth_of(*named["correct"]),
        )
