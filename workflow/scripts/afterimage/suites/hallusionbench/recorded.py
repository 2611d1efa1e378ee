"""Recorded answers to HallusionBench with people's judgement, as its authors publish them.

A folder holds JSON lines, one question each: what it belongs to (``category`` VS or VD, ``subcategory``, ``set_id``,
``figure_id``, ``question_id``, ``visual_input``), the right answer (``gt_answer``: 1 yes, 0 no), the model's free
``response`` and, where people judged it, ``human_check`` (1 correct, 0 wrong, 2 uncertain).
"""

import os
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from afterimage.errors import AfterimageError, fault
from afterimage.files.recorded_rows import Row, json_line_files, read_json_lines, require_keys
from afterimage.files.recorded_value import text_of
from afterimage.files.row_ids import id_text

#: What identifies a question.
QUESTION = ("category", "subcategory", "set_id", "figure_id", "question_id")
_KEYS = (*QUESTION, "visual_input", "gt_answer", "response")
_IDS = ("visual_input", "set_id", "figure_id", "question_id", "gt_answer", "human_check")
_LEGAL = {
    "category": ("VS", "VD"),
    "visual_input": ("0", "1", "2"),
    "gt_answer": ("0", "1"),
    "human_check": ("0", "1", "2"),
}


class RecordedFile(NamedTuple):
    """One file's name and its questions: a frame with the columns of the file, all texts, stripped."""

    name: str
    questions: pd.DataFrame
    notes: tuple[str, ...]


def read_recorded(folder: str | os.PathLike) -> list[RecordedFile]:
    """Read every JSON-lines file of a folder; a question that stands twice counts twice, as the authors count it.

    Raises:
        AfterimageError: The folder holds no such file, or a line is not what it should be.
    """
    files = json_line_files(folder)
    if not files:
        raise AfterimageError(
            f"{folder}: no *.jsonl or *.jsonl.gz file in it; expected at least one."
        )
    return [_read(path.name, list(read_json_lines(path))) for path in files]


def _read(name: str, lines: Sequence[Row]) -> RecordedFile:
    if not lines:
        raise AfterimageError(f"{name}: no line in it; expected one question each.")
    rows = [_row(line) for line in lines]
    frame = pd.DataFrame(rows)
    repeated = int(frame.duplicated(list(QUESTION), keep="last").sum())
    notes = []
    if repeated:
        notes.append(
            f"{name}: {repeated} questions stand twice; every line counts, {len(frame)} in all, as in the authors' "
            f"evaluation; counted once they would be {len(frame) - repeated}."
        )
    judged = "human_check" in frame
    if not judged:
        notes.append(f"{name}: no human_check; only what needs no people's judgement is scored.")
    elif frame["human_check"].isna().any():
        without = int(frame["human_check"].isna().sum())
        notes.append(
            f"{name}: {without} of {len(frame)} questions without human_check count as not correct."
        )
    return RecordedFile(name, frame, tuple(notes))


def _cell(line: Row, key: str) -> str | None:
    text = text_of(line.values[key], f"{line.where}: field '{key}'")
    return None if text is None else text.strip()


def _row(line: Row) -> dict[str, str | None]:
    require_keys(line, _KEYS)
    read = (*_KEYS, *(key for key in ("human_check", "question") if key in line.values))
    row = {key: _cell(line, key) for key in read}
    row |= {key: id_text(row[key]) for key in _IDS if row.get(key) is not None}
    row["response"] = row["response"] or ""
    for key, legal in _LEGAL.items():
        if (key != "human_check" or row.get(key) is not None) and row.get(key) not in legal:
            raise fault(
                line.where, f"found {key} {row.get(key)!r}; expected one of {', '.join(legal)}."
            )
    return row
