"""Files with what people decided about answers."""

import csv
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import unguarded
from afterimage.files.human_responses import in_lines

#: Columns that a file must have; others are passed over.
REVIEW_COLUMNS = ("model", "item_id", "answer_sha", "human_correct", "reviewer")

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
    """

    file: str
    line: int
    model: str
    item_id: str
    answer_sha: str
    correct: bool | None
    reviewer: str

    def as_ignored(self, reason: str) -> dict:
        """Return it as a row of the list of decisions that were not applied."""
        told = self._asdict()
        said = "true" if told.pop("correct") else "false"
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
    if not path.is_file():
        raise AfterimageError(f"{path}: no such file; expected a CSV file of reviews.")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            separator = ";" if file.readline().count(";") >= len(REVIEW_COLUMNS) - 1 else ","
            file.seek(0)
            return _reviews(path, csv.DictReader(file, delimiter=separator, strict=True))
    except UnicodeDecodeError:
        raise AfterimageError(f"{path}: is not UTF-8; expected a CSV file in UTF-8.") from None
    except csv.Error as error:
        raise AfterimageError(f"{path}: is not CSV ({error}).") from None


def _reviews(path: Path, rows: csv.DictReader) -> list[Review]:
    missing = [name for name in REVIEW_COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise AfterimageError(
            f"{path}: column '{missing[0]}' is missing; expected at least the columns {', '.join(REVIEW_COLUMNS)}."
        )
    reviews, faults = [], {}
    line = rows.line_num + 1
    for row in rows:
        cells = {name: unguarded((row[name] or "").strip()) for name in REVIEW_COLUMNS}
        said = cells["human_correct"].lower()
        if said not in _TRUTH:
            faults.setdefault("human_correct is none of 1, 0, true, false or blank", []).append(
                line
            )
        elif said and not all(cells.values()):
            blank = next(name for name, cell in cells.items() if not cell)
            faults.setdefault(f"{blank} is blank where something was decided", []).append(line)
        else:
            correct = _TRUTH[said]
            reviews.append(
                Review(
                    path.as_posix(), line, cells["model"], cells["item_id"], cells["answer_sha"], correct,
                    cells["reviewer"],
                )
            )  # fmt: skip
        line = rows.line_num + 1
    if faults:
        listed = "; ".join(f"{fault} in {in_lines(lines)}" for fault, lines in faults.items())
        raise AfterimageError(f"{path}: malformed reviews: {listed}.")
    return reviews
