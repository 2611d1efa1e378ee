"""Files with what people decided about answers."""

import os
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import PeoplesRow, peoples_rows, separator_of
from afterimage.files.human_responses import in_lines
from afterimage.files.others_text import read_text_file
from afterimage.files.written_numbers import without_point_zero

#: Columns that a file must have; others are passed over.
REVIEW_COLUMNS = ("model", "item_id", "answer_sha", "human_correct", "reviewer")

_NEITHER = "human_correct is none of 1, 0, true, false or blank"
_TRUTH = {"1": True, "true": True, "0": False, "false": False, "": None}


class Review(NamedTuple):
    """One row.

    Attributes:
        file: The file.
        line: Where the row begins in it.
        model: Whose answer it is.
        item_id: What it answers.
        answer_sha: Which answer it is.
        correct: What the reviewer says; None where nothing was said.
        reviewer: Who.
        is_whole: False of the last row of a file that was cut off in it, which decides nothing.
    """

    file: str
    line: int
    model: str
    item_id: str
    answer_sha: str
    correct: bool | None
    reviewer: str
    is_whole: bool = True

    def as_ignored(self, reason: str) -> dict:
        """Return it as a row of the list of decisions that were not applied."""
        told = self._asdict()
        said = {True: "true", False: "false", None: ""}[told.pop("correct")]
        del told["is_whole"]
        return {**told, "human_correct": said, "reason": reason}


def read_reviews(paths: Iterable[str | os.PathLike]) -> list[Review]:
    """Read files of reviews: a queue with ``human_correct`` and ``reviewer`` filled in, wherever something was decided.

    Args:
        paths: CSV files in UTF-8; separated by commas or, as spreadsheets of some countries write, semicolons.

    Raises:
        AfterimageError: A file is missing, is no such table, says something else than true (1), false (0) or nothing in
            ``human_correct``, or does not say who decided.
    """
    return [review for path in paths for review in _read(Path(path))]


def _read(path: Path) -> list[Review]:
    text = read_text_file(path, "a CSV file of reviews")
    rows = peoples_rows(text, separator_of(text))
    try:
        return _reviews(path, rows)
    except ValueError as error:
        raise AfterimageError(f"{path}: is not CSV: {error}.") from None


def _reviews(path: Path, rows: Iterator[PeoplesRow]) -> list[Review]:
    header = next(rows, PeoplesRow(1, [])).cells
    missing = [name for name in REVIEW_COLUMNS if name not in header]
    if missing:
        raise AfterimageError(
            f"{path}: column '{missing[0]}' is missing; expected at least the columns {', '.join(REVIEW_COLUMNS)}."
        )
    reviews: list[Review] = []
    faults: dict[str, list[int]] = {}
    for row in rows:
        given = dict(zip_longest(header, row.cells[: len(header)], fillvalue=""))
        cells = {name: without_point_zero(given[name]) for name in REVIEW_COLUMNS}
        said = cells.pop("human_correct").lower()
        if not row.is_whole and (len(row.cells) < len(header) or header[-1] in REVIEW_COLUMNS):
            reviews.append(Review(path.as_posix(), row.line, correct=None, is_whole=False, **cells))
        elif said not in _TRUTH:
            faults.setdefault(_NEITHER, []).append(row.line)
        elif said and not all(cells.values()):
            blank = next(name for name, cell in cells.items() if not cell)
            faults.setdefault(f"{blank} is blank where something was decided", []).append(row.line)
        elif any(row.cells):
            reviews.append(Review(path.as_posix(), row.line, correct=_TRUTH[said], **cells))
    if faults:
        listed = "; ".join(f"{fault} in {in_lines(lines)}" for fault, lines in faults.items())
        raise AfterimageError(f"{path}: malformed reviews: {listed}.")
    return reviews
