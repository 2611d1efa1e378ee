"""Workbooks of others (.xlsx): texts as they were written, and no value where a cell has none."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from afterimage.command_line import install
from afterimage.errors import AfterimageError, fault
from afterimage.files.recorded_rows import Row
from afterimage.files.recorded_value import id_of

#: A workbook is a zip archive; unpacked it may be so large.
_MAX_BYTES = 1 << 30
_OTHER_KINDS = (".xls", ".xlsb", ".ods", ".numbers")
_BROKEN = (
    *(zipfile.BadZipFile, ValueError, KeyError, TypeError, OSError, IndexError, AttributeError),
    *(SyntaxError, EOFError, NotImplementedError, RuntimeError),
)
# A call or the name of a cell: what a formula has and "= 7 discs", which a program took for one, has not.
_CALL_OR_CELL = re.compile(r"\b[A-Z][A-Z0-9.]*\(|\$?\b[A-Z]{1,3}\$?[1-9][0-9]*\b")
# Of a character that XML cannot hold, as Excel, XlsxWriter and pandas write it.
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LONGEST_SHOWN = 60


def read_workbook(path: Path) -> Iterator[Row]:
    """Yield the rows of a workbook's sheet; rows without any value are passed over.

    A text that a program took for a formula is that text, a formula its stored result, an empty cell None. Hidden rows
    count; of merged cells the first alone has the value.

    Raises:
        AfterimageError: The file is no such workbook, has several sheets with cells, a name twice in its header, a cell
            with an error (``#N/A``), or a formula whose result was not stored.
    """
    if path.suffix.lower() in _OTHER_KINDS:
        raise AfterimageError(
            f"{path}: found a workbook of the kind {path.suffix}; expected it saved as .xlsx, or as CSV in UTF-8."
        )
    try:
        import openpyxl
    except ImportError:
        raise AfterimageError(
            f"{path}: needs the library openpyxl ({install('[xlsx]')}); or save the result as .tsv."
        ) from None
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > _MAX_BYTES:
            raise AfterimageError(
                f"{path}: holds {size >> 20} MiB; expected at most {_MAX_BYTES >> 20}."
            )
        # Results of formulas, and what was written: neither reading has both.
        stored, written = (
            openpyxl.load_workbook(path, data_only=is_value) for is_value in (True, False)
        )
        yield from _rows(path, stored, written)
    except _BROKEN as error:
        reason = " ".join(str(error).split())
        raise AfterimageError(f"{path}: not a readable workbook ({reason}).") from None


def _rows(path: Path, stored: Any, written: Any) -> Iterator[Row]:
    sheets = [sheet for sheet in written.worksheets if _has_values(sheet)]
    if len(sheets) > 1:
        names = ", ".join(sheet.title for sheet in sheets)
        raise AfterimageError(
            f"{path}: found {len(sheets)} sheets with cells ({names}); expected one."
        )
    for sheet in sheets:
        pairs = zip(stored[sheet.title].iter_rows(), sheet.iter_rows(), strict=True)
        rows = ([_value(path, *both) for both in zip(*row, strict=True)] for row in pairs)
        header = _header(path, next(rows))
        for number, cells in enumerate(rows, start=1):
            if any(cell is not None for cell in cells):
                named = zip(header, cells, strict=True)
                yield Row(path, f"row {number}", {name: cell for name, cell in named if name})


def _has_values(sheet: Any) -> bool:
    return any(cell is not None for row in sheet.iter_rows(values_only=True) for cell in row)


def _header(path: Path, cells: Sequence[Any]) -> list[str]:
    names = [id_of(cell, f"{path}: the header").strip() for cell in cells]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise AfterimageError(f"{path}: column '{twice}' occurs twice; expected each name once.")
    return names


def _value(path: Path, stored: Any, written: Any) -> Any:
    """Return what a cell holds, given the cell with a formula's stored result and the cell as it was written."""
    where = f"{path}, cell {written.coordinate}"
    if stored.data_type == "e":
        raise fault(where, f"found the error {stored.value}; expected a value.")
    if written.data_type != "f":
        return _unescaped(written.value)
    # Programs that compute nothing store 0; what else is stored was computed.
    if stored.value is not None and stored.value != 0:
        return _unescaped(stored.value)
    if isinstance(written.value, str) and not _CALL_OR_CELL.search(written.value):
        return _unescaped(written.value)
    text = str(getattr(written.value, "text", written.value))[:_LONGEST_SHOWN]
    raise fault(
        where,
        f"found the formula {text!r} without its result; expected values (open the workbook in a "
        "spreadsheet and save it, or save it as CSV in UTF-8).",
    )


def _unescaped(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value)
