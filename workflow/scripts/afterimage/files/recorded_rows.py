"""Files of recorded answers from any tool: JSON, CSV, Parquet or a workbook; text may be gzipped.

The one reader of what was answered elsewhere: for the backend ``recorded`` and for ``afterimage rescore``.
"""

import csv
import io
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import is_cut_off, separator_of, unguarded
from afterimage.files.external_text import GZIP, decoded, gunzipped_so_far
from afterimage.files.json_files import json_object, located_records

logger = logging.getLogger(__name__)

_JSON_LINES = (".jsonl", ".jsonl.gz")
_AS_TEXT = "in an editor: save with the encoding UTF-8"
# A model may have answered at length.
_LONGEST_CSV_FIELD = 1 << 24


class Row(NamedTuple):
    """One record, and its location for messages: ``file``, ``line 3`` or ``row 3`` (from 1)."""

    file: Path
    place: str
    values: dict[str, Any]

    @property
    def where(self) -> str:
        """File and place, as a message names them."""
        return f"{self.file}, {self.place}"


def json_line_files(
    folder: str | os.PathLike[str], expected: str = "one with *.jsonl.gz files"
) -> list[Path]:
    """Return the JSON-lines files of a folder by name; none where there are none.

    Raises:
        AfterimageError: There is no such folder.
    """
    if not Path(folder).is_dir():
        raise AfterimageError(f"{folder}: no such folder; expected {expected}.")
    return sorted(path for path in Path(folder).iterdir() if path.name.endswith(_JSON_LINES))


def ending(path: Path) -> str:
    """Return the ending that tells what a file is: ``.csv`` of ``a.csv`` and of ``a.csv.gz``."""
    return path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix


def read_json_lines(path: Path, torn: list[str] | None = None) -> Iterator[Row]:
    """Yield the objects of one file: JSON lines, or whatever else :func:`located_records` reads.

    Args:
        torn: Where what cannot be read is noted (``line 3``, ``all after line 7``) and left out; an error without.

    Raises:
        AfterimageError: The file cannot be unpacked or decoded, or holds something else than JSON objects.
    """
    content, is_whole = _unpacked(path)
    if torn is None and not is_whole:
        raise AfterimageError(
            f"{path}: cannot be read (packed, and cut off or damaged); expected the whole file."
        )
    placed = None
    try:
        if is_whole:
            placed = located_records(decoded(content, path, _AS_TEXT), str(path))
    except AfterimageError:
        if torn is None:
            raise
    if placed is not None:
        yield from (Row(path, location, record) for location, record in placed)
    elif torn is not None:
        yield from _whole_lines(path, content, is_whole, torn)


def _whole_lines(path: Path, content: bytes, is_whole: bool, torn: list[str]) -> Iterator[Row]:
    """Yield the objects of the lines that can be read, and note the others."""
    number = 0
    # What follows the last line break of a packed file that was cut off is no line.
    lines = content.split(b"\n") if is_whole else content.split(b"\n")[:-1]
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield Row(path, f"line {number}", json_object(line, number, str(path)))
        except (AfterimageError, UnicodeDecodeError):
            torn.append(f"line {number}")
    if not is_whole:
        torn.append(f"all after line {number}")


def read_tsv(path: Path) -> Iterator[Row]:
    """Yield the rows of a file like CSV with tabs for commas; see :func:`read_csv`."""
    return read_csv(path, delimiter="\t")


def read_csv(path: Path, delimiter: str = ",") -> Iterator[Row]:
    """Yield the rows of a CSV file; every cell is a text, so that ``NA`` is one, too.

    Args:
        path: The file; cells that a spreadsheet was kept from running (``'=1``, ``="1"``) come as they were.
        delimiter: The cell separator, unless the header has another one.

    Raises:
        AfterimageError: The file is no CSV, its header names a column twice, or a row has another number of fields.
    """
    csv.field_size_limit(_LONGEST_CSV_FIELD)
    content, is_whole = _unpacked(path)
    if not is_whole:
        raise AfterimageError(
            f"{path}: cannot be read (packed, and cut off or damaged); expected the whole file."
        )
    text, number = decoded(content, path), 0
    if _ends_in_a_character(content):
        raise AfterimageError(
            f"{path}: found the end of the file in the middle of a character; expected the whole file."
        )
    reader = csv.reader(
        io.StringIO(text, newline=""), strict=True, delimiter=_separator(text, delimiter)
    )
    try:
        header = _header(next(reader, []), path)
        rows = (cells for cells in reader if any(cells))
        for number, cells in enumerate(rows, start=1):
            if len(cells) != len(header):
                if is_cut_off(text) and next(reader, None) is None:
                    raise _ends_within(path, number)
                raise AfterimageError(
                    f"{path}, row {number}: its number of fields is not that of the header; expected the same."
                )
            yield Row(path, f"row {number}", dict(zip(header, map(unguarded, cells), strict=True)))
    except csv.Error as error:
        if "unexpected end of data" in str(error):
            raise _ends_within(path, number + 1) from None
        raise AfterimageError(f"{path}: not a readable CSV file in UTF-8 ({error}).") from None
    if is_cut_off(text):
        logger.warning("%s: ends without a line break; its last row may be cut off", path)


def _ends_in_a_character(content: bytes) -> bool:
    """Tell whether UTF-8 was cut off within a character, which :func:`decoded` leaves out."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False


def _ends_within(path: Path, number: int) -> AfterimageError:
    return AfterimageError(
        f"{path}, row {number}: found the end of the file in the middle of the row, or a quote that is never closed; "
        "expected the whole file."
    )


def read_parquet(path: Path) -> Iterator[Row]:
    """Yield the rows of a Parquet file.

    Raises:
        AfterimageError: It is none.
    """
    # Planning imports this module by way of suites, and never reads Parquet.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            number = 0
            short = {
                column.name: column.type.to_pandas_dtype()
                for column in file.schema_arrow
                if column.type in (pa.float16(), pa.float32())
            }
            for batch in file.iter_batches(batch_size=256):
                for record in batch.to_pylist():
                    number += 1
                    yield Row(path, f"row {number}", record | _as_written(record, short))
    except (pa.ArrowException, ValueError, OSError, OverflowError) as error:
        reason = " ".join(str(error).split())
        raise AfterimageError(f"{path}: not a readable Parquet file ({reason}).") from None


def _as_written(record: Mapping[str, Any], short: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short floating-point numbers of a record with the digits that they have: 3.1, not 3.0999999046."""
    return {
        name: None if record[name] is None else float(str(kind(record[name])))
        for name, kind in short.items()
    }


#: By what a file is called in settings.
READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "jsonl": read_json_lines,
    "csv": read_csv,
    "parquet": read_parquet,
}


def require_keys(row: Row, keys: Sequence[str]) -> None:
    """Raise one sentence if the record lacks a key."""
    missing = [key for key in keys if key not in row.values]
    if missing:
        raise AfterimageError(
            f"{row.where}: found the keys {', '.join(sorted(row.values)) or 'none'}; expected also: "
            f"{', '.join(missing)}."
        )


def _unpacked(path: Path) -> tuple[bytes, bool]:
    """Return a file's content, unpacked if it is gzipped, and whether that is all of it."""
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise AfterimageError(f"{path}: cannot be read ({error.strerror}).") from None
    if not packed.startswith(GZIP):
        return packed, path.suffix != ".gz" or bool(packed)
    try:
        return gunzipped_so_far(packed)
    except OSError as error:
        raise AfterimageError(f"{path}: cannot be read ({error}).") from None


def _separator(text: str, expected: str) -> str:
    """Return what parts the names of the header: what is expected, or else what occurs most."""
    header = text.lstrip().split("\n", 1)[0]
    return expected if expected in header else separator_of(header)


def _header(cells: Sequence[str], path: Path) -> list[str]:
    names = [name.strip() for name in cells]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise AfterimageError(f"{path}: column '{twice}' occurs twice; expected each name once.")
    if names and names[0].startswith(("{", "[")):
        raise AfterimageError(
            f"{path}: line 1: found JSON; expected CSV with a line of names (format: jsonl reads JSON)."
        )
    return names
