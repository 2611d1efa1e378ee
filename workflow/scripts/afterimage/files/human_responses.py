"""Raw responses of people: a CSV file with one row per participant, image and question."""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import PeoplesRow, peoples_rows
from afterimage.files.external_text import read_text_file
from afterimage.files.row_ids import require_one_spelling
from afterimage.files.written_values import without_point_zero

#: The columns, in any order; commas between them, UTF-8 with or without a byte order mark.
RESPONSE_COLUMNS = ("participant_id", "image_id", "question", "option_id")

# A question that was put and left unanswered is a row with an empty option_id.
_REQUIRED_CELLS = ("participant_id", "image_id", "question")
_LINES_SHOWN = 10
_LONGEST_NAME = 100


class HumanResponse(NamedTuple):
    """One answer; ``line`` is where it starts in the file, ``option_id`` is empty for no answer.

    One that is not whole is the last of a file that was cut off in it.
    """

    line: int
    participant_id: str
    image_id: str
    question: str
    option_id: str
    is_whole: bool = True


def read_responses(path: str | Path, may_be_empty: bool = False) -> list[HumanResponse]:
    """Read a file of raw responses; blanks around cells and rows without any content are dropped.

    Whether ids exist is not checked here; see :func:`afterimage.grading.human_answers.count_answers`.

    Raises:
        AfterimageError: The file is missing, is not UTF-8, has other columns, holds no response
            (unless it may be empty), or has rows of another length or with empty cells. All faulty
            rows are in one sentence, with up to ten line numbers per kind of fault.
    """
    rows = _numbered_rows(path)
    columns = _header(next(rows, None), path)
    responses: list[HumanResponse] = []
    faults: dict[str, list[int]] = {}
    for line, cells, is_whole in rows:
        if is_whole and not any(cells):
            continue
        # Half of any cell may be another's: of option 45 option 4, of participant 12 participant 1.
        if not is_whole:
            named = dict(zip_longest(columns, cells[: len(columns)], fillvalue=""))
            responses.append(_response(line, named)._replace(is_whole=False))
            continue
        if len(cells) != len(columns):
            faults.setdefault(f"expected {len(columns)} fields", []).append(line)
            continue
        response = _response(line, dict(zip(columns, cells, strict=True)))
        for name in _REQUIRED_CELLS:
            if not getattr(response, name):
                faults.setdefault(f"empty {name}", []).append(line)
        responses.append(response)
    if faults:
        listed = "; ".join(f"{fault} in {in_lines(lines)}" for fault, lines in faults.items())
        raise AfterimageError(f"{path}: malformed responses: {listed}.")
    if not responses and not may_be_empty:
        raise AfterimageError(
            f"{path}: holds no responses below its header; expected at least one."
        )
    require_one_spelling(
        "participant_id",
        ((response.participant_id, f"{path}: line {response.line}") for response in responses),
    )
    return responses


def _response(line: int, cells: Mapping[str, str]) -> HumanResponse:
    participant, image, question, option = (cells[name] for name in RESPONSE_COLUMNS)
    return HumanResponse(line, participant, image, question, option)


def in_lines(lines: Iterable[int]) -> str:
    """Put line numbers into words, at most ten of them: ``"lines 3, 9 and 12 more"``."""
    numbers = sorted(set(lines))
    shown = ", ".join(map(str, numbers[:_LINES_SHOWN]))
    rest = len(numbers) - _LINES_SHOWN
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{f' and {rest} more' if rest > 0 else ''}"


def _numbered_rows(path: str | Path) -> Iterator[PeoplesRow]:
    try:
        for row in peoples_rows(read_text_file(path, "a CSV file of people's responses")):
            yield row._replace(cells=[without_point_zero(cell) for cell in row.cells])
    except ValueError as error:
        raise AfterimageError(f"{path}: malformed responses: {error}.") from None


def _header(first: PeoplesRow | None, path: str | Path) -> list[str]:
    expected = ",".join(RESPONSE_COLUMNS)
    if first is None or not any(first.cells):
        raise AfterimageError(f"{path}: its first line is empty; expected the header {expected}.")
    line, columns, _ = first
    if sorted(columns) == sorted(RESPONSE_COLUMNS):
        return columns
    faults = [f"column '{name}' is missing" for name in RESPONSE_COLUMNS if name not in columns]
    faults += [
        f"column '{name[:_LONGEST_NAME]}' is unknown"
        for name in dict.fromkeys(columns)
        if name not in RESPONSE_COLUMNS
    ]
    faults += [
        f"column '{name}' occurs {columns.count(name)} times"
        for name in RESPONSE_COLUMNS
        if columns.count(name) > 1
    ]
    separator = next((mark for mark in ";\t" if len(columns) == 1 and mark in columns[0]), None)
    if separator is not None:
        faults = [f"cells are separated by {'semicolons' if separator == ';' else 'tabs'}"]
    raise AfterimageError(
        f"{path}: line {line}: {', '.join(faults)}; expected the header {expected}."
    )


#: One row per figure; ``source`` is one of ``SOURCES``. Column to its meaning.
DECISION_COLUMNS = {
    "figure": "the illusion",
    "keep": "`true` or `false`",
    "source": "who decided: `paper`; `participants`; `synthetic` (simulated, marked in every table); "
    "`config` (the configuration departs from the paper)",
}

#: Who decided: the paper; participants of this study; simulated participants; the configuration,
#: where it departs from the paper.
SOURCES = ("paper", "participants", "synthetic", "config")


def kept_figures(path: str | os.PathLike[str]) -> frozenset[str]:
    """Return the figures that count, out of a file with the columns ``DECISION_COLUMNS``.

    Raises:
        AfterimageError: The file is missing, or is not what the human filter writes.
    """
    return frozenset(row["figure"] for row in _rows(path) if row["keep"] == "true")


def decision_source(path: str | os.PathLike[str]) -> str:
    """Return who decided, one of ``SOURCES``.

    A study that takes over the paper's decisions but for some is one that the configuration
    decided: ``config``.

    Raises:
        AfterimageError: The file is missing, or is not what the human filter writes.
    """
    sources = {row["source"] for row in _rows(path)}
    return "config" if "config" in sources else sources.pop()


def _rows(path: str | os.PathLike[str]) -> list[dict[str, str]]:
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected the decisions of the human filter.")
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            columns = tuple(reader.fieldnames or ())
    except (csv.Error, UnicodeDecodeError):
        rows, columns = [], ()
    sources = {row.get("source") for row in rows}
    if (
        columns != tuple(DECISION_COLUMNS)
        or any(row["keep"] not in ("true", "false") for row in rows)
        or not (sources <= {"paper", "config"} or sources in ({"participants"}, {"synthetic"}))
        or not rows
    ):
        raise AfterimageError(
            f"{path}: not a file of decisions (expected the columns {','.join(DECISION_COLUMNS)} "
            "and one row per figure); delete it and run again."
        )
    return rows
