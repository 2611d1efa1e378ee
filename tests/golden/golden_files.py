"""The files in which results are kept, and how others differ from them.

They are read and written as a dictionary, name below this folder to text.
"""

import csv
import difflib
import io
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).parent
#: Of a file that differs, so many lines are shown.
MAX_LINES = 40


def list_file(name: str) -> str:
    """Return the name of the file with lines about a suite, or with a list."""
    return f"{name}.txt"


def table_file(name: str, table: str) -> str:
    """Return the name of the file that is a table of a suite, of which the path below the results is known."""
    return f"tables/{name}/{table.removeprefix('tables/')}"


def text_of(lines: list[str]) -> str:
    """Return lines as they stand in a file."""
    return "".join(f"{line}\n" for line in lines)


def kept(name: str, folder: Path = HERE) -> dict[str, str]:
    """Return what is kept of a suite, or a list."""
    paths = [folder / list_file(name), *folder.glob(f"tables/{name}/**/*.csv")]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in paths
        if path.exists()
    }


def keep(name: str, files: Mapping[str, str], folder: Path = HERE) -> None:
    """Replace what is kept of a suite, or a list."""
    for gone in kept(name, folder).keys() - files.keys():
        (folder / gone).unlink()
    for file, text in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def difference(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return, file by file, the lines that went and those that came, without those that stayed."""
    return "\n".join(
        line
        for name in sorted(before.keys() | after.keys())
        for line in _changes(name, before.get(name, ""), after.get(name, ""))
    )


def _changes(name: str, before: str, after: str) -> Iterator[str]:
    lines = list(_differing(*(text.split("\n") if text else [] for text in (before, after))))
    if lines:
        yield f"{name}:"
    yield from lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        yield f"... and {len(lines) - MAX_LINES} lines more"
    if lines and name.endswith(".csv"):
        yield from _changed_columns(_columns(before), _columns(after))


def _differing(before: list[str], after: list[str]) -> Iterator[str]:
    """Return each line that went (-) with the one that came in its place (+)."""
    for what, *places in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        if what != "equal":
            first, last, new_first, new_last = places
            for old, new in zip_longest(before[first:last], after[new_first:new_last]):
                yield from (
                    f"{sign}{line}" for sign, line in (("-", old), ("+", new)) if line is not None
                )


def _columns(text: str) -> dict[str, list[str]]:
    header, *rows = list(csv.reader(io.StringIO(text, newline=""))) or [[]]
    return {name: [row[index] for row in rows] for index, name in enumerate(header)}


def _changed_columns(
    before: Mapping[str, list[str]], after: Mapping[str, list[str]]
) -> Iterator[str]:
    """Say in which columns a table differs; in all of them, if there are other rows."""
    rows = {len(cells) for columns in (before, after) for cells in columns.values()}
    if len(rows) == 1 and before and after:
        changed = [
            column
            for column in dict.fromkeys((*before, *after))
            if before.get(column) != after.get(column)
        ]
        yield f"Columns that differ: {', '.join(changed) or 'only their order'}"
