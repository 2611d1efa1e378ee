"""The rows of a CSV as people save them, with the line at which each begins. Standard library only."""

from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import peoples_rows
from afterimage.files.others_text import SAVE_AS, read_text_file

_SEPARATORS = {";": "semicolons", "\t": "tabs"}


class Row(NamedTuple):
    """One row.

    Attributes:
        line: The line at which it begins, from 1.
        cells: Its cells by column, without blanks at their ends.
        further: The images behind that of the column ``image``, in order.
    """

    line: int
    cells: dict[str, str]
    further: tuple[str, ...] = ()


def read_rows(path: str | Path) -> tuple[list[str], list[Row]]:
    """Return the names of the columns and the rows; blank lines are passed over.

    Raises:
        AfterimageError: The file is not comma-separated text with one header, or a row has more or fewer cells.
    """
    records = _records(path)
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


def _records(path: str | Path) -> list[tuple[int, list[str]]]:
    text = read_text_file(path, "a CSV file of questions")
    try:
        # A file without a line break at its end was written by hand, and its last row counts.
        return [
            (line, cells)
            for line, cells, is_whole in peoples_rows(text)
            if any(cells) or not (cells or is_whole)
        ]
    except ValueError as error:
        raise AfterimageError(
            f"{path}: {error}; expected cells separated by commas, in double quotes where they hold commas, quotes or "
            "line breaks."
        ) from None


def _require_commas(path: str | Path, header: list[str]) -> None:
    for separator, word in _SEPARATORS.items():
        if len(header) == 1 and separator in header[0]:
            raise AfterimageError(
                f"{path}, line 1: found columns separated by {word}; expected commas ({SAVE_AS}, or replace the "
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


def cell_fault(path: str, row: Row, column: str, found: str, expected: str) -> AfterimageError:
    """Build the error for a cell that is not what it should be."""
    counted = "line" if path.endswith(".csv") else "row"
    return AfterimageError(
        f"{path}, {counted} {row.line}, column '{column}': found {found}; expected {expected}."
    )


def shown_cell(text: str) -> str:
    """Return a cell as messages show it: in quotes, on one line and not too long."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= 80 else f"'{line[:77]}...'"
