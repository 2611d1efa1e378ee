"""Files with one answer per line or row: JSON Lines, CSV, Parquet."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from afterimage.errors import AfterimageError
from afterimage.models.recorded.answer import (
    RecordedAnswer,
    field_of,
    filled,
    number_in,
)

# A model may have answered at length.
_LONGEST_CSV_FIELD = 1 << 24


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
    rows = {"jsonl": json_lines, "csv": _csv_rows, "parquet": _parquet_rows}[kind](path)
    for place, record in rows:
        text = field_of(record, columns["text"], place)
        yield RecordedAnswer(
            place,
            filled(template, record, place),
            None if text is None else str(text),
            _named(record, columns["repeat"], place, 0),
            _text(_named(record, columns["prompt"], place)),
            _text(_named(record, columns["finish_reason"], place)),
            *(
                number_in(_named(record, columns[name], place), number, columns[name], place)
                for name, number in (
                    ("prompt_tokens", int),
                    ("completion_tokens", int),
                    ("latency_seconds", float),
                )
            ),
        )


def json_lines(path: Path) -> Iterator[tuple[str, Mapping]]:
    """Yield place and content of each line of a file with one JSON object per line.

    Raises:
        AfterimageError: A line is something else.
    """
    with path.open(encoding="utf-8") as lines:
        try:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ValueError(f"found {line.strip()[:60]}")
                yield f"{path}, line {number}", record
        except UnicodeDecodeError as error:
            raise AfterimageError(f"{path}: not text in UTF-8 ({error.reason}).") from None
        except ValueError as error:
            raise AfterimageError(
                f"{path}, line {number}: not a JSON object ({error}); expected one on each line."
            ) from None


def _csv_rows(path: Path) -> Iterator[tuple[str, Mapping]]:
    csv.field_size_limit(_LONGEST_CSV_FIELD)
    with path.open(encoding="utf-8-sig", newline="") as lines:
        try:
            for number, record in enumerate(csv.DictReader(lines, strict=True), start=1):
                place = f"{path}, row {number}"
                if None in record or None in record.values():
                    raise AfterimageError(
                        f"{place}: its number of fields is not that of the header; expected the same."
                    )
                yield place, record
        except UnicodeDecodeError as error:
            raise AfterimageError(f"{path}: not text in UTF-8 ({error.reason}).") from None
        except csv.Error as error:
            raise AfterimageError(f"{path}: not a CSV file ({error}).") from None


def _parquet_rows(path: Path) -> Iterator[tuple[str, Mapping]]:
    try:
        with pq.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches(batch_size=256):
                for record in batch.to_pylist():
                    number += 1
                    yield f"{path}, row {number}", record
    except pa.ArrowInvalid as error:
        raise AfterimageError(f"{path}: not a readable Parquet file ({error}).") from None


def _named(record: Mapping, name: str | None, place: str, default: object = None) -> object:
    return default if name is None else field_of(record, name, place)


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)
