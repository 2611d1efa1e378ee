"""CSV files: how the study's own are written and read back, and how people's are read.

A cell that a spreadsheet would run as a formula is written with an apostrophe before it, and read without
(docs/reliability.md). Everything that the package writes as CSV goes through here.
"""

import csv
import io
import logging
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from afterimage.errors import AfterimageError, fault
from afterimage.files.external_text import read_text_file
from afterimage.files.paths import atomic_path
from afterimage.files.written_values import without_point_zero

if TYPE_CHECKING:
    import pandas as pd

logger = logging.getLogger(__name__)

# What makes a formula of a cell (full-width signs do in Japanese settings), what a spreadsheet or a terminal acts
# upon, and the apostrophe itself, so that taking one off is always right.
_RISKY = re.compile(r"['=+\-@＝＋－＠\x00-\x1f\x7f-\x9f]")
_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|inf|nan)")
# What a spreadsheet shows unchanged, including leading zeros.
_QUOTED = re.compile(r'="((?:[^"]|"")*)"')
# Kinds of columns of a frame that may hold texts.
_TEXTS = ("object", "str", "category")
# A model may have answered at length.
_LONGEST_FIELD = 1 << 24


def guarded(cell: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would run; numbers, also as texts, stay as they are."""
    if isinstance(cell, str) and _RISKY.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def unguarded(cell: Any) -> Any:
    """Take off what keeps a spreadsheet from changing a text.

    That is the apostrophe that :func:`guarded` or a page for people put before it, or the form ``="007"`` of others'
    exports.
    """
    if not isinstance(cell, str):
        return cell
    if cell.startswith("'") and _RISKY.match(cell, 1):
        return cell[1:]
    quoted = _QUOTED.fullmatch(cell)
    return quoted[1].replace('""', '"') if quoted else cell


def write_csv(
    path: str | os.PathLike[str], rows: Iterable[Mapping[str, Any]], columns: Collection[str]
) -> int:
    """Write rows with these columns, from left to right, and return their number.

    The file is UTF-8 with a header and Unix line ends, whole or not at all.
    """
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        return write_rows(file, rows, columns)


def write_rows(
    file: IO[str],
    rows: Iterable[Mapping[str, Any]],
    columns: Collection[str],
    line_end: str = "\n",
) -> int:
    """Write a header and rows into an open file and return the number of rows; a missing cell is empty."""
    writer, quoting = (
        csv.DictWriter(file, columns, restval="", lineterminator=line_end, quoting=quoting)
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    )
    writer.writeheader()
    count = 0
    for row in rows:
        safe = {name: guarded(cell) for name, cell in row.items()}
        (quoting if any(map(_breaks, safe.values())) else writer).writerow(safe)
        count += 1
    return count


def frame_text(frame: "pd.DataFrame", **options: Any) -> str:
    """Return a frame as the text of a CSV file without its index; ``options`` are those of ``DataFrame.to_csv``."""
    import pandas as pd

    safe, quoting = frame.copy(), csv.QUOTE_MINIMAL
    for name in frame.select_dtypes(_TEXTS):
        # As objects: whole numbers in columns with empty cells stay whole.
        safe[name] = pd.Series(map(guarded, frame[name]), frame.index, dtype=object)
        if frame[name].map(_breaks).any():
            quoting = csv.QUOTE_ALL
    return str(safe.to_csv(index=False, lineterminator="\n", quoting=quoting, **options))


def _breaks(cell: Any) -> bool:
    """Tell whether a cell has a carriage return, which Python quotes from 3.13 on only and which ends a row."""
    return isinstance(cell, str) and "\r" in cell


def read_rows(path: str | os.PathLike[str]) -> list[dict[str, str]]:
    """Return the rows of a file that the package wrote."""
    csv.field_size_limit(_LONGEST_FIELD)
    with Path(path).open(encoding="utf-8", newline="") as file:
        return [
            {name: unguarded(cell) for name, cell in row.items()} for row in csv.DictReader(file)
        ]


def read_frame(path: str | os.PathLike[str] | IO[str], **options: Any) -> "pd.DataFrame":
    """Return a file as a frame; ``options`` are those of ``pandas.read_csv``."""
    import pandas as pd

    frame: pd.DataFrame = pd.read_csv(path, **options)
    for name in frame.select_dtypes(_TEXTS):
        frame[name] = frame[name].map(unguarded, na_action="ignore")
    return frame


def read_peoples_rows(
    path: str | os.PathLike[str], columns: Collection[str], holds: str
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row of an external file, with the line it ends on; further columns are ignored.

    Args:
        path: CSV with commas, semicolons or tabs, in an encoding that is certain.
        columns: Those that it must have; cells come without blanks around them, whole numbers without ``.0``, missing
            ones are empty.
        holds: What the file holds, for a message: ``"people's answers"``.

    Raises:
        AfterimageError: The file is missing, is no such text, or lacks a column or has one twice.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    text = read_text_file(Path(path), f"a CSV file of {holds}")
    try:
        reader = csv.DictReader(
            io.StringIO(text, newline=""), strict=True, delimiter=separator_of(text)
        )
        names = [name.strip() for name in reader.fieldnames or ()]
        reader.fieldnames = names
        missing = [name for name in columns if name not in names]
        if missing:
            raise AfterimageError(
                f"{path}: column '{missing[0]}' is missing; expected at least the columns {', '.join(columns)}."
            )
        twice = [name for name in columns if names.count(name) > 1]
        if twice:
            raise AfterimageError(f"{path}: column '{twice[0]}' occurs twice; expected it once.")
        if is_cut_off(text) and names[-1:] != [""] and names[-1] in columns:
            logger.warning("%s: ends without a line break; its last row may be cut off", path)
        for row in reader:
            _require_cells(row, is_cut_off(text), f"{path}, line {reader.line_num}")
            yield reader.line_num, {name: peoples_cell(row[name]) for name in columns}
    except csv.Error as error:
        raise AfterimageError(f"{path}: is not CSV ({error}).") from None


def _require_cells(row: Mapping[Any, Any], may_be_cut: bool, where: str) -> None:
    """Refuse a row whose cells cannot be those of the header's names; programs leave out empty ones at its end."""
    if any(cell.strip() for cell in row.get(None) or ()):
        raise fault(
            where,
            "found more cells than the header has names; expected as many (quote a cell that holds what "
            "parts cells).",
        )
    if may_be_cut and None in row.values():
        raise fault(where, "found a row that ends early; expected all its cells.")


def peoples_cell(cell: str | None) -> str:
    """Return a cell as it was before a spreadsheet or a frame had it: no blanks around, no guard, 3 for ``3.0``."""
    return without_point_zero(str(unguarded((cell or "").strip())))


class PeoplesRow(NamedTuple):
    """One row of an external file.

    Attributes:
        line: Where it starts, from 1; a quoted cell may run over several lines.
        cells: Without blanks around them and without what guards them from spreadsheets.
        is_whole: False of the last row of a file that was cut off in it; cells may be missing or half.
    """

    line: int
    cells: list[str]
    is_whole: bool = True


def peoples_rows(text: str, separator: str = ",", first: int = 1) -> Iterator[PeoplesRow]:
    """Yield the rows of a text, blank ones among them; what a file that was cut off ends in is a row that is not whole.

    Args:
        text: What :func:`read_text_file` returned, or the rest of it.
        separator: What parts the cells.
        first: The number of its first line.

    Raises:
        ValueError: A row is not CSV; says in which line it starts.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = first
    held: PeoplesRow | None = None
    try:
        for cells in reader:
            if held is not None:
                yield held
            held = PeoplesRow(start, [str(unguarded(cell.strip())) for cell in cells])
            start = first + reader.line_num
    except csv.Error as error:
        if "unexpected end of data" not in str(error) or text.endswith(("\n", "\r")):
            raise ValueError(f"the row in line {start} is not CSV ({error})") from None
        if held is not None:
            yield held
        yield PeoplesRow(start, [], is_whole=False)
    else:
        if held is not None:
            yield held._replace(is_whole=not is_cut_off(text))


def separator_of(text: str) -> str:
    """Return what parts the cells of a file: of commas, semicolons and tabs what its first line has most of."""
    return max(",;\t", key=text.lstrip("\r\n").split("\n", 1)[0].count)


def is_cut_off(text: str) -> bool:
    """Tell whether the last cell of a file may be half of one: no line break is behind it, and of two quotes one is."""
    return not text.endswith(("\n", "\r"))
