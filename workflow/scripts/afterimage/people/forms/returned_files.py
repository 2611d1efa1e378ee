"""Files that come back, from pages and from spreadsheets: whatever Excel made of them, read as rows."""

import os
import re
import unicodedata
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import PeoplesRow, peoples_cell, peoples_rows
from afterimage.files.external_text import read_text_file
from afterimage.files.human_responses import in_lines
from afterimage.people.forms.page import COLUMNS, SESSION_COLUMNS

# A sheet may lack what only a page fills in.
_OPTIONAL = ("page", "order", "language", "annotator_id", "answered_at", "shown")
_REQUIRED = tuple(name for name in COLUMNS if name not in _OPTIONAL)
_WHOLE = re.compile(r"[0-9]{1,6}")
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}


class ReturnedRow(NamedTuple):
    """One field as it came back; ``line`` is where it starts in ``file``, cells are without blanks around them."""

    file: str
    line: int
    form_id: str
    page_checksum: str
    task_id: str
    task_checksum: str
    field_id: str
    annotator_id: str
    answer: str
    answered_at: str
    order: str = ""
    shown: str = ""
    session: str = ""
    milliseconds: str = ""
    px_per_mm: str = ""
    distance_cm: str = ""

    @property
    def trial(self) -> tuple[str, int]:
        """Session and trial; empty for answers on other pages, where each field has one."""
        return (self.session, int(self.order)) if self.session else ("", 0)


# What says whose an answer is and to what: half of it is another one's.
_HALF_IS_ANOTHER = {*ReturnedRow._fields} - {"answered_at", "shown"}


class CutOffRow(ReturnedRow):
    """The last row of a file that was cut off in it: its answer may be half of one."""


def read_returned(path: str | os.PathLike[str]) -> list[ReturnedRow]:
    """Read a file that came back from a page or a spreadsheet.

    Accepted are UTF-8, UTF-16 and Shift_JIS (Windows code page 932) where they are certain; commas, semicolons or tabs;
    any line ends; columns in any order, and further ones. A row without any of the ids is dropped. Where only some rows
    name the annotator, and all the same one, the others are that annotator's too.

    Raises:
        AfterimageError: The file is missing, is no such text, lacks a column, or has rows that cannot be
            read; all faulty lines of the file are in one sentence.
    """
    path = os.fspath(path)
    text = read_text_file(path, "a CSV file of answers")
    separator, header, body = _header(text, path)
    rows: list[ReturnedRow] = []
    faults: dict[str, list[int]] = {}
    for line, cells, is_whole in _numbered(body[0], separator, body[1], path):
        # A row that was cut off has empty cells.
        row = dict(zip_longest(header, cells[: len(header)], fillvalue=""))
        if not is_whole:
            if len(cells) < len(header) or header[-1] in _HALF_IS_ANOTHER:
                rows.append(CutOffRow(*_row(row, path, line)))
                continue
            # Half a time is another time.
            row["answered_at"] = row.get("answered_at", "") if header[-1] != "answered_at" else ""
        if any(cells[len(header) :]):
            faults.setdefault(f"expected {len(header)} fields", []).append(line)
            continue
        if not any(row.get(name) for name in ("form_id", "task_id", "field_id")):
            if row.get("answer"):
                faults.setdefault("an answer without ids", []).append(line)
            continue
        for name in ("form_id", "task_id", "field_id"):
            if not row.get(name):
                faults.setdefault(f"empty {name}", []).append(line)
        if row.get("session") and not _WHOLE.fullmatch(row.get("order", "")):
            faults.setdefault("an order that is no whole number", []).append(line)
        rows.append(_row(row, path, line))
    signed = [row for row in rows if not isinstance(row, CutOffRow)]
    people = sorted({row.annotator_id for row in signed if row.annotator_id})
    unsigned = [row.line for row in signed if row.answer and not row.annotator_id]
    if unsigned and len(people) != 1:
        faults["empty annotator_id"] = unsigned
    if faults:
        listed = "; ".join(f"{fault} in {in_lines(lines)}" for fault, lines in faults.items())
        raise AfterimageError(f"{path}: malformed answers: {listed}.")
    if len(people) == 1:
        rows = [row._replace(annotator_id=people[0]) for row in rows]
    return rows


def _row(row: dict[str, str], path: str | Path, line: int) -> ReturnedRow:
    cells = {name: row.get(name, "") for name in ReturnedRow._fields[2:]}
    cells["annotator_id"] = peoples_cell(unicodedata.normalize("NFKC", cells["annotator_id"]))
    return ReturnedRow(str(path), line, **cells)


def _header(text: str, path: str | Path) -> tuple[str, list[str], tuple[str, int]]:
    """Return the separator, the names of the columns, and the rest with the number of its first line."""
    lines = text.splitlines(keepends=True)
    start = 0
    while start < len(lines) and (
        not lines[start].strip(' ,;\t\r\n"') or lines[start].lower().startswith("sep=")
    ):
        start += 1
    if start == len(lines):
        raise AfterimageError(f"{path}: is empty; expected the header {','.join(COLUMNS)}.")
    found: dict[str, list[str]] = {}
    for separator in _SEPARATORS:
        # Names need no quotes, so that no header is too odd to be read.
        cells = [name.strip('"') for name in lines[start].split(separator)]
        names = [unicodedata.normalize("NFKC", cell).strip().lower() for cell in cells]
        found[separator] = names
        if set(_REQUIRED) <= set(names):
            twice = next((name for name in SESSION_COLUMNS if names.count(name) > 1), None)
            if twice is not None:
                raise AfterimageError(f"{path}: line {start + 1}: column '{twice}' occurs twice.")
            return separator, names, ("".join(lines[start + 1 :]), start + 2)
    nearest = max(found.values(), key=lambda names: len(set(names) & set(_REQUIRED)))
    missing = ", ".join(f"'{name}'" for name in _REQUIRED if name not in nearest)
    raise AfterimageError(
        f"{path}: line {start + 1}: lacks the columns {missing}; expected the header {','.join(COLUMNS)} with "
        f"{', '.join(_SEPARATORS.values())} between the names."
    )


def _numbered(text: str, separator: str, first: int, path: str | Path) -> Iterator[PeoplesRow]:
    try:
        yield from peoples_rows(text, separator, first)
    except ValueError as error:
        raise AfterimageError(f"{path}: malformed answers: {error}.") from None
