"""Files of recorded answers, one per line.

Such files are written over hours and by several hands: a line may be cut off or lack what it should say. What is
readable counts; what is left out is named in a remark.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError
from afterimage.suites.pope.readers.question_files import label_of, question_key, strategy_of

_FORMS = (".jsonl", ".jsonl.gz")
_MODEL_SUFFIXES = ("_responses", "_answers")
_EXPECTED = (
    'answers of the form {"split": "random", "question_id": 1, "image": "a.jpg", '
    '"text": "Is there a cat in the image?", "label": "yes", "response": "Yes"}, one per line, in files *.jsonl or '
    "*.jsonl.gz"
)


class Answer(NamedTuple):
    """One recorded answer.

    Attributes:
        question_id: As text.
        response: The answer as received.
        image: File name of the image; empty where the record does not say.
        text: The question; empty where the record does not say.
        label: "yes" or "no"; empty where the record does not say.
    """

    question_id: str
    response: str
    image: str
    text: str
    label: str


def read_answers(folder: str | os.PathLike) -> tuple[dict[str, dict[str, list[Answer]]], list[str]]:
    """Read all files of answers in a folder; other files are not looked at.

    A model's name is the key ``model`` of its lines, or else its file's name without ``_responses``; a line's split is
    its key ``split``, or else what the file's name tells.

    Returns:
        Model to split to answers, in the order of the lines; and remarks about what was left out.

    Raises:
        AfterimageError: There is no such folder, or it holds no answer.
    """
    found: dict[str, dict[str, list[Answer]]] = {}
    remarks: list[str] = []
    for path in _files(folder):
        for model, split, answer in _answers(path, remarks):
            found.setdefault(model, {}).setdefault(split, []).append(answer)
    if not found:
        raise AfterimageError(f"{folder}: no file of answers; expected {_EXPECTED}.")
    return found, remarks


def holds_answers(path: Path) -> bool:
    """Tell whether a file holds recorded answers and not questions."""
    return path.name.endswith(_FORMS) and any("response" in row for _, row in _rows(path)[0])


def _files(folder: str | os.PathLike) -> list[Path]:
    if not Path(folder).is_dir():
        raise AfterimageError(f"{folder}: no such folder; expected one with recorded answers.")
    return sorted(path for path in Path(folder).iterdir() if path.name.endswith(_FORMS))


def _answers(path: Path, remarks: list[str]) -> Iterator[tuple[str, str, Answer]]:
    """Yield model, split and answer of each readable line of a file; a file without any answer yields nothing."""
    rows, torn = _rows(path)
    if not any("response" in row and "question_id" in row for _, row in rows):
        return
    if torn:
        remarks.append(f"{path.name}: {len(torn)} unreadable, the first {torn[0]}; left out.")
    named = strategy_of(path.name)
    faults = []
    for number, row in rows:
        split = row.get("split", named and named[0])
        split = split.strip().lower() if isinstance(split, str) else ""
        identity, response = question_key(row.get("question_id")), row.get("response")
        if identity is None or not split or not isinstance(response, str):
            faults.append(number)
            continue
        model = row.get("model")
        model = model if isinstance(model, str) and model else _model_of(path)
        image, text = (
            row.get(key) if isinstance(row.get(key), str) else "" for key in ("image", "text")
        )
        yield (
            model,
            split,
            Answer(identity, response, image, text, label_of(row.get("label")) or ""),
        )
    if faults:
        remarks.append(
            f"{path.name}: {len(faults)} lines without question_id, split or response, the first line {faults[0]}; "
            "left out."
        )


def _rows(path: Path) -> tuple[list[tuple[int, dict]], list[str]]:
    """Return the objects of a file with their line numbers, and which lines are none."""
    rows: list[tuple[int, dict]] = []
    torn: list[str] = []
    number = 0
    try:
        for number, line in enumerate(_lines(path), start=1):
            if not line.strip():
                continue
            row = _parsed(line)
            if row is None:
                torn.append(f"line {number}")
            else:
                rows.append((number, row))
    except (OSError, EOFError, zlib.error):
        # A packed file that is cut off still gives the lines before.
        torn.append(f"all after line {number}")
    return rows, torn


def _lines(path: Path) -> Iterator[bytes]:
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        yield from file


def _parsed(line: bytes) -> dict | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None


def _model_of(path: Path) -> str:
    name = next(
        path.name.removesuffix(form) for form in reversed(_FORMS) if path.name.endswith(form)
    )
    for suffix in _MODEL_SUFFIXES:
        name = name.removesuffix(suffix)
    return name
