"""Files that come back, from pages and from spreadsheets: whatever Excel made of them, read as rows."""

import csv
import io
import os
import unicodedata
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import unguarded
from afterimage.files.human_responses import in_lines
from afterimage.people.forms.page import COLUMNS

# A sheet may lack what only a page fills in.
_OPTIONAL = ("page", "order", "language", "annotator_id", "answered_at", "shown")
_REQUIRED = tuple(name for name in COLUMNS if name not in _OPTIONAL)
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


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


def read_returned(path: str | os.PathLike[str]) -> list[ReturnedRow]:
    """Read a file that came back from a page or a spreadsheet.

    Accepted are UTF-8 with or without a byte order mark, Shift_JIS (Windows code page 932), UTF-16;
    commas, semicolons or tabs; any line ends; columns in any order, and further ones. A row without any
    of the ids is dropped. Where only some rows name the annotator, and all the same one, the others are
    that annotator's too.

    Raises:
        AfterimageError: The file is missing, is no such text, lacks a column, or has rows that cannot be
            read; all faulty lines of the file are in one sentence.
    """
    text = _decoded(path)
    separator, header, body = _header(text, path)
    rows: list[ReturnedRow] = []
    faults: dict[str, list[int]] = {}
    for line, cells in _numbered(body[0], separator, body[1], path):
        # A row that was cut off has empty cells.
        row = dict(zip_longest(header, cells[: len(header)], fillvalue=""))
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
        rows.append(_row(row, path, line))
    people = sorted({row.annotator_id for row in rows if row.annotator_id})
    unsigned = [row.line for row in rows if row.answer and not row.annotator_id]
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
    cells["annotator_id"] = unguarded(unicodedata.normalize("NFKC", cells["annotator_id"]))
    cells["answer"] = unguarded(cells["answer"])
    return ReturnedRow(str(path), line, **cells)


def _decoded(path: str | Path) -> str:
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected a CSV file of answers.")
    data = Path(path).read_bytes()
    if data.startswith(b"PK\x03\x04") or data.startswith(b"\xd0\xcf\x11\xe0"):
        raise AfterimageError(f"{path}: is a workbook; expected it saved as CSV.")
    if data.startswith(_UTF_16_MARKS):
        codes = ("utf-16",)
    elif b"\0" in data:
        # Without a mark the halves of plain letters tell: a zero comes second in the small-endian order.
        codes = ("utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be",)
    else:
        # What is UTF-8 hardly ever is so by chance; what is not and is readable was written by Excel in Japan.
        codes = ("utf-8-sig", "cp932")
    for code in codes:
        try:
            return data.decode(code)
        except UnicodeDecodeError:
            continue
    raise AfterimageError(
        f"{path}: is neither UTF-8 nor Shift_JIS nor UTF-16; expected a CSV file saved as one of them."
    )


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
            twice = next((name for name in COLUMNS if names.count(name) > 1), None)
            if twice is not None:
                raise AfterimageError(f"{path}: line {start + 1}: column '{twice}' occurs twice.")
            return separator, names, ("".join(lines[start + 1 :]), start + 2)
    nearest = max(found.values(), key=lambda names: len(set(names) & set(_REQUIRED)))
    missing = ", ".join(f"'{name}'" for name in _REQUIRED if name not in nearest)
    raise AfterimageError(
        f"{path}: line {start + 1}: lacks the columns {missing}; expected the header {','.join(COLUMNS)} with "
        f"{', '.join(_SEPARATORS.values())} between the names."
    )


def _numbered(
    text: str, separator: str, first: int, path: str | Path
) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line it starts on; a quoted cell may run over several lines."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = first
    try:
        for cells in reader:
            yield start, [cell.strip() for cell in cells]
            start = first + reader.line_num
    except csv.Error as error:
        raise AfterimageError(
            f"{path}: malformed answers: the row in line {start} is not CSV ({error})."
        ) from None
