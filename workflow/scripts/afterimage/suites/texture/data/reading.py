"""Reading the suite's CSV tables: every row is checked, and a fault is one sentence with its line.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.csv_rows import peoples_rows, separator_of
from afterimage.files.others_text import read_text_file
from afterimage.files.row_ids import RowIds, name_text, require_one_spelling
from afterimage.suites.texture.data.columns import Column, Table

# Who wrote or answered.
_PEOPLE = ("annotator_id", "worker_id")
Row = dict[str, object]


def read_rows(path: str | Path, table: Table) -> list[Row]:
    """Read a file of one of the kinds in :mod:`afterimage.suites.texture.data.columns`.

    Blanks around cells and rows without content are dropped; columns may stand in any order, parted by
    commas, semicolons or tabs; UTF-8, UTF-16 and Shift_JIS are read where they are certain.

    Returns:
        One dict per row: the columns' values, None for empty cells, and ``line``, where the row begins.

    Raises:
        AfterimageError: The file is missing or is not such a file, with the first fault and its line.
    """
    rows = _numbered_rows(path, table)
    header = _header(next(rows, (1, [])), path, table)
    found: list[Row] = []
    for line, cells in rows:
        if len(cells) != len(header):
            raise AfterimageError(
                f"{path}: line {line}: found {len(cells)} fields; expected {len(header)}."
            )
        given = dict(zip((column.name for column in header), cells, strict=True))
        row: Row = {
            column.name: _value(given.get(column.name, ""), column, path, line)
            for column in table.columns
        }
        found.append({**row, "line": line})
    _require_unique(({**row, "path": path} for row in found), table)
    return found


def _value(cell: str, column: Column, path: str | Path, line: int) -> object:
    if not cell:
        if column.blank:
            return None
        raise AfterimageError(
            f"{path}: line {line}: column '{column.name}' is empty; expected {column.expected}."
        )
    try:
        return column.read(cell)
    except (ValueError, KeyError):
        shown = cell if len(cell) <= 40 else f"{cell[:37]}..."
        raise AfterimageError(
            f"{path}: line {line}: column '{column.name}' is '{shown}'; expected {column.expected}."
        ) from None


def _header(first: tuple[int, list[str]], path: str | Path, table: Table) -> list[Column]:
    _, names = first
    known = {column.name: column for column in table.columns}
    expected = ",".join(known)
    if not any(names):
        raise AfterimageError(f"{path}: its first line is empty; expected the header {expected}.")
    for name in names:
        if name not in known:
            raise unknown_name("column", name, known, f"{path}: line 1")
        if names.count(name) > 1:
            raise AfterimageError(
                f"{path}: column '{name}' occurs {names.count(name)} times; expected once."
            )
    for column in table.columns:
        if column.needed and column.name not in names:
            raise AfterimageError(
                f"{path}: column '{column.name}' is missing; expected the header {expected}."
            )
    return [known[name] for name in names]


def read_people(paths: Iterable[str], table: Table) -> list[Row]:
    """Read all files of one kind, each row with its ``path``; ids and people are told apart over all of them.

    Raises:
        AfterimageError: A file is missing or a row is not what it should be, an id stands in two files, or two
            annotators' names differ in case alone.
    """
    rows = [{**row, "path": path} for path in paths for row in read_rows(path, table)]
    _require_unique(rows, table)
    people = [column.name for column in table.columns if column.name in _PEOPLE]
    for name in people:
        require_one_spelling(name, ((str(row[name] or ""), _place(row)) for row in rows))
    return rows


def _require_unique(rows: Iterable[Row], table: Table) -> None:
    """Check that no two rows have the values that tell rows apart, nor such that differ in case alone."""
    if not table.unique:
        return
    known = RowIds[object](", ".join(table.unique), name_text)
    for row in rows:
        known.add(", ".join(str(row[name]) for name in table.unique), _place(row), _place(row))


def _place(row: Row) -> str:
    return f"{row['path']}: line {row['line']}"


def _numbered_rows(path: str | Path, table: Table) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that holds anything, with the line that it begins on."""
    text = read_text_file(path, f"{table.file} (docs/texture.md)")
    try:
        for line, cells, is_whole in peoples_rows(text, separator_of(text)):
            if any(cells) or line == 1 or not (cells or is_whole):
                yield line, cells
    except ValueError as error:
        raise AfterimageError(f"{path}: {error}; expected {table.file}.") from None
