"""Reads the answers of a recorded file, in any format."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.recorded_rows import READERS, ending
from afterimage.files.recorded_value import count_of, number_of, text_of, truth_of
from afterimage.files.workbook import read_workbook
from afterimage.models.recorded.answer import RecordedAnswer, field_of, filled, repeat_of
from afterimage.models.recorded.harnesses import (
    is_log,
    read_inspect_ai,
    read_lmms_eval,
    read_vlmevalkit,
)

_BY_ENDING = {
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".eval": "inspect_ai",
    ".json": "inspect_ai",
    ".xlsx": "xlsx",
}
_TEMPLATES = {
    "lmms_eval": "{doc_id}",
    "lm_eval": "{doc_id}",
    "inspect_ai": "{id}",
    "vlmevalkit": "{index}",
}


def read_answers(path: str | Path, settings: Mapping[str, Any]) -> Iterator[RecordedAnswer]:
    """Yield the answers of a file, in its order.

    Args:
        settings: The backend's settings, complete.

    Raises:
        AfterimageError: The file is missing or contradicts the settings, or a record lacks a field.
    """
    file = Path(path)
    if not file.is_file():
        raise AfterimageError(f"{path}: no such file; expected recorded answers.")
    kind = settings["format"]
    if kind == "auto":
        if ending(file) not in _BY_ENDING:
            raise unknown_name("ending", ending(file), _BY_ENDING, f"{path}: setting 'format'")
        kind = _BY_ENDING[ending(file)]
        if ending(file) == ".json" and not is_log(file):
            kind = "jsonl"
    template = settings["item_id"] or _TEMPLATES.get(kind, "{item_id}")
    if kind in ("lmms_eval", "lm_eval"):
        return read_lmms_eval(file, template)
    if kind == "inspect_ai":
        return read_inspect_ai(file, template)
    if kind == "vlmevalkit":
        return read_vlmevalkit(file, template)
    return read_table(file, kind, template, settings["columns"])


# ---- files with one answer per record or row: JSON, CSV, Parquet, workbooks ----

_TABLE_READERS = {**READERS, "xlsx": read_workbook}


def read_table(
    path: Path, kind: str, template: str, columns: Mapping[str, str | None]
) -> Iterator[RecordedAnswer]:
    """Yield the answers of a table.

    Args:
        kind: ``jsonl``, ``csv``, ``parquet`` or ``xlsx``.
        template: Template of an item's id, from a record's fields.
        columns: Names of the fields, schema of the backend's setting ``columns``.

    Raises:
        AfterimageError: The file is not of this kind, or a record lacks a field or has a value of another type in it.
    """
    for row in _TABLE_READERS[kind](path):
        location, record = row.where, row.values
        named = {
            key: (
                None if name is None else field_of(record, name, location),
                f"{location}: field '{name}'",
            )
            for key, name in columns.items()
        }
        yield RecordedAnswer(
            location,
            filled(template, record, location),
            text_of(*named["text"]),
            repeat_of(*named["repeat"]) if columns["repeat"] is not None else 0,
            text_of(*named["prompt"]) or None,
            text_of(*named["finish_reason"]) or None,
            prompt_tokens=count_of(*named["prompt_tokens"]),
            completion_tokens=count_of(*named["completion_tokens"]),
            latency_seconds=number_of(*named["latency_seconds"]),
            correct=truth_of(*named["correct"]),
        )
