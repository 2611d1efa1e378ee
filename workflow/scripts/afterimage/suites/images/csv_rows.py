"""The rows of a CSV as people save them, with the line at which each begins. Standard library only."""

import codecs
import csv
import io
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError

_SAVE_AS = "in Excel: save as 'CSV UTF-8 (comma delimited)'"
_SEPARATORS = {";": "semicolons", "\t": "tabs"}


class Row(NamedTuple):
    """One row: the ``line`` at which it begins, from 1, and its cells by column, without blanks at their ends."""

    line: int
    cells: dict[str, str]


def read_rows(path: str | Path) -> tuple[list[str], list[Row]]:
    """Return the names of the columns and the rows; blank lines are passed over.

    Raises:
        AfterimageError: The file is not comma-separated UTF-8 with one header, or a row has more or fewer cells.
    """
    records = _records(path, _decoded(path))
    if not records:
        raise AfterimageError(f"{path}: is empty; expected a line with the names of the columns.")
    _, header = records[0]
    _require_commas(path, header)
    _require_names(path, header)
    rows = []
    for line, cells in records[1:]:
        if len(cells) != len(header):
            raise AfterimageError(
                f"{path}, line {line}: found {len(cells)} cells; expected {len(header)}, one for each column "
                "(a cell with a comma in it stands in double quotes)."
            )
        rows.append(Row(line, dict(zip(header, cells, strict=True))))
    return header, rows


def _decoded(path: str | Path) -> str:
    data = Path(path).read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise AfterimageError(f"{path}: found UTF-16; expected UTF-8 ({_SAVE_AS}).")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AfterimageError(
            f"{path}, line {line}: found the byte 0x{data[error.start]:02x}, which is not UTF-8; expected UTF-8 "
            f"({_SAVE_AS})."
        ) from None


def _records(path: str | Path, text: str) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records, line = [], 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                records.append((line, stripped))
            # A cell in quotes may hold several lines.
            line = reader.line_num + 1
    except csv.Error as error:
        raise AfterimageError(
            f"{path}, line {line}: not CSV ({error}); expected cells separated by commas, in double quotes where "
            "they hold commas, quotes or line breaks."
        ) from None
    return records


def _require_commas(path: str | Path, header: list[str]) -> None:
    for separator, word in _SEPARATORS.items():
        if len(header) == 1 and separator in header[0]:
            raise AfterimageError(
                f"{path}, line 1: found columns separated by {word}; expected commas ({_SAVE_AS}, or replace the "
                "list separator in the system's regional settings)."
            )


def _require_names(path: str | Path, header: list[str]) -> None:
    for place, name in enumerate(header, start=1):
        if not name:
            raise AfterimageError(
                f"{path}, line 1: column {place} has no name; expected one for each column."
            )
        if name in header[: place - 1]:
            raise AfterimageError(
                f"{path}, line 1, column '{name}': found twice; expected each name once."
            )
