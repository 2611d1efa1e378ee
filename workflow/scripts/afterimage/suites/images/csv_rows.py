"""Reads the rows of a CSV in the forms in which people save them. Standard library only."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError, config_path
from afterimage.files.csv_rows import peoples_rows
from afterimage.files.external_text import SAVE_AS, read_text_file
from afterimage.files.written_values import AmbiguousNumberError, whole_number_in
from afterimage.grading.readers.choice import normalise

#: The file with the questions, in each set's folder.
QUESTIONS_FILE = "questions.csv"
#: The setting that names the sets, as messages name it.
SETS_KEY = config_path("suites.images.sets")

#: Columns of the file: the required ones and the optional type of answer. Any other column is a factor.
IMAGE, QUESTION, OPTIONS, ANSWER, ANSWER_TYPE = (
    *("image", "question", "options", "answer"),
    "answer_type",
)
REQUIRED_COLUMNS = (IMAGE, QUESTION, OPTIONS, ANSWER)

#: How an answer is read. ``CHOICE`` where there are options; the others read free answers.
CHOICE, YES_NO, WHOLE_NUMBER, TEXT = "choice", "yes_no", "whole_number", "text"
ANSWER_TYPES = (CHOICE, YES_NO, WHOLE_NUMBER, TEXT)

#: Factors that the suite itself gives its items.
SET, GUESSING = "set", "guessing"
#: Columns of the graded answers; a factor of the same name would overwrite one.
TAKEN_NAMES = frozenset(
    {
        *(SET, GUESSING, "item_id", "suite", "model", "repeat", "stimulus_id", "figure", "prompt"),
        *("key", "outcome", "reason", "correct", "score", "readings", "decided_by", "factors"),
        *("offered", "is_listed"),
        *("probe", "overall"),
    }
)

#: Endings of the files that count as images in a folder.
IMAGE_ENDINGS = (".png", ".jpg", ".jpeg")
#: Positions kept for each set, and how many sets there can be.
POSITIONS_PER_SET, MAX_SETS = 20_000, 50

_SEPARATORS = {";": "semicolons", "\t": "tabs"}


class Row(NamedTuple):
    """One row.

    Attributes:
        line: The line at which it begins, from 1.
        cells: Its cells by column, stripped of blanks.
        further: The images after that of the column ``image``, in order.
    """

    line: int
    cells: dict[str, str]
    further: tuple[str, ...] = ()


def read_rows(path: str | Path) -> tuple[list[str], list[Row]]:
    """Return the names of the columns and the rows; blank lines are skipped.

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
    for number, name in enumerate(header, start=1):
        if not name:
            raise AfterimageError(
                f"{path}, line 1: column {number} has no name; expected one for each column."
            )
        if name in header[: number - 1]:
            raise AfterimageError(
                f"{path}, line 1, column '{name}': found twice; expected each name once."
            )


_PIECES = re.compile(r"\\([\\|])|(\|)|([^\\|]+|\\)")


def cell_texts(cell: str) -> tuple[str, ...]:
    r"""Return the texts of a cell that ``|`` separates, stripped of blanks; an empty cell has none.

    ``\|`` is a literal bar and ``\\`` a backslash; any other backslash stays as it is.
    """
    if not cell.strip():
        return ()
    parts = [""]
    for escaped, bar, plain in _PIECES.findall(cell):
        if bar:
            parts.append("")
        else:
            parts[-1] += escaped or plain
    return tuple(part.strip() for part in parts)


def cell_fault(path: str, row: Row, column: str, found: str, expected: str) -> AfterimageError:
    counted = "line" if path.endswith(".csv") else "row"
    return AfterimageError(
        f"{path}, {counted} {row.line}, column '{column}': found {found}; expected {expected}."
    )


def shown_cell(text: str) -> str:
    """Return a cell as messages show it: in quotes, on one line, at most 80 characters."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= 80 else f"'{line[:77]}...'"


_YES_NO = ("yes", "no")
# As many digits as a question may ask for.
_LARGEST_NUMBER = 10**15 - 1


def answer_type(path: str, row: Row, options: tuple[str, ...], answers: tuple[str, ...]) -> str:
    """Return how the answers of a row are read: the type that the row states, or the type that fits the answers.

    Raises:
        AfterimageError: The stated type is unknown or contradicts the options, or the answer is an ambiguous number.
    """
    forced = row.cells.get(ANSWER_TYPE, "")
    if forced and forced not in ANSWER_TYPES:
        raise cell_fault(
            path, row, ANSWER_TYPE, shown_cell(forced), f"one of {', '.join(ANSWER_TYPES)}"
        )
    if forced and (forced == CHOICE) != bool(options):
        found = f"'{forced}' beside {len(options) or 'no'} options"
        raise cell_fault(
            path, row, ANSWER_TYPE, found, f"'{CHOICE}' where there are options, and only there"
        )
    if forced or options:
        return forced or CHOICE
    if len(answers) == 1 and answers[0].lower() in _YES_NO:
        return YES_NO
    if len(answers) == 1 and _whole_number(path, row, answers[0]) is not None:
        return WHOLE_NUMBER
    return TEXT


def _whole_number(path: str, row: Row, answer: str) -> int | None:
    """Return the whole number from 0 in a cell, in a spreadsheet's notation, too; None if the cell has none."""
    try:
        number = whole_number_in(answer)
    except AmbiguousNumberError as error:
        expected = f"digits alone, or answer_type '{TEXT}'"
        raise cell_fault(path, row, ANSWER, str(error), expected) from None
    return number if number is not None and 0 <= number <= _LARGEST_NUMBER else None


def checked_answers(
    path: str, row: Row, kind: str, options: tuple[str, ...], answers: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the right answers of a row in the form in which replies are compared with them.

    Raises:
        AfterimageError: They do not fit this type of answer.
    """
    found = shown_cell(row.cells[ANSWER])
    if kind == CHOICE:
        if len(answers) == 1 and answers[0] not in options:
            answers = _option_with_number(answers[0], options)
        if answers[0] not in options or len(answers) > 1:
            near = get_close_matches(answers[0], options, n=1, cutoff=0.6)
            hint = f" (is '{near[0]}' meant?)" if near and near[0] not in answers else ""
            raise cell_fault(path, row, ANSWER, found, f"one of the options, to the letter{hint}")
        return answers
    if kind == YES_NO:
        if len(answers) > 1 or answers[0].lower() not in _YES_NO:
            raise cell_fault(path, row, ANSWER, found, "yes or no")
        return (answers[0].capitalize(),)
    if kind == WHOLE_NUMBER:
        number = _whole_number(path, row, answers[0]) if len(answers) == 1 else None
        if number is None:
            raise cell_fault(path, row, ANSWER, found, "one whole number in digits")
        return (str(number),)
    if not all(map(normalise, answers)):
        raise cell_fault(path, row, ANSWER, found, "texts with a letter or sign in them")
    return answers


def _option_with_number(answer: str, options: Sequence[str]) -> tuple[str, ...]:
    """Return the one option that is the same whole number as an answer; else the answer itself."""
    try:
        number = whole_number_in(answer)
        same = [
            option for option in options if number is not None and number == whole_number_in(option)
        ]
    except AmbiguousNumberError:
        same = []
    return (same[0] if len(same) == 1 else answer,)
