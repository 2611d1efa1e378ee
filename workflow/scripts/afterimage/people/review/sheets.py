"""CSV files that people open in spreadsheets, with what models said in them."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence

from afterimage.files.csv_rows import write_csv

# A cell that begins like this is a formula to a spreadsheet, and would be executed.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_sheet(
    path: str | os.PathLike,
    rows: Iterable[Mapping[str, object]],
    columns: Collection[str],
    said: Sequence[str] = (),
) -> int:
    """Write rows as CSV in UTF-8 and return their number; atomically.

    Args:
        path: The file.
        rows: Mappings with these columns.
        columns: From left to right.
        said: Columns with texts of others, of models above all: one that a spreadsheet would take for a formula gets
            an apostrophe in front, which spreadsheets do not show.
    """
    safe = ({**row, **{name: as_text(row[name]) for name in said}} for row in rows)
    return write_csv(path, safe, columns)


def as_text(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
