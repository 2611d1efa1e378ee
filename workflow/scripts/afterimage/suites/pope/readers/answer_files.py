"""Files of recorded answers, one per line.

Such files are written over hours and by several hands: a line may be cut off or lack what it should say. What is
readable counts; what is left out is named in a remark.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.recorded_rows import json_line_files, read_json_lines
from afterimage.files.recorded_value import text_of
from afterimage.grading.reasoning import graded_text
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
        response: The answer without reasoning and marks of its format.
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
    for path in json_line_files(folder, "one with recorded answers"):
        for model, split, answer in _answers(path, remarks):
            found.setdefault(model, {}).setdefault(split, []).append(answer)
    if not found:
        raise AfterimageError(f"{folder}: no file of answers; expected {_EXPECTED}.")
    return found, remarks


def holds_answers(path: Path) -> bool:
    """Tell whether a file holds recorded answers and not questions."""
    if not path.name.endswith(_FORMS):
        return False
    return any("response" in row.values for row in read_json_lines(path, torn=[]))


def _answers(path: Path, remarks: list[str]) -> Iterator[tuple[str, str, Answer]]:
    """Yield model, split and answer of each readable line of a file; a file without any answer yields nothing."""
    torn: list[str] = []
    rows = list(read_json_lines(path, torn))
    if not any("response" in row.values and "question_id" in row.values for row in rows):
        return
    if torn:
        remarks.append(f"{path.name}: {len(torn)} unreadable, the first {torn[0]}; left out.")
    named = strategy_of(path.name)
    faults = []
    for _, place, row in rows:
        split = row.get("split", named and named[0])
        split = split.strip().lower() if isinstance(split, str) else ""
        identity, response = question_key(row.get("question_id")), _response(row)
        if identity is None or not split or response is None:
            faults.append(place)
            continue
        model = row.get("model")
        model = model if isinstance(model, str) and model else _model_of(path)
        image, text = (
            row.get(key) if isinstance(row.get(key), str) else "" for key in ("image", "text")
        )
        yield (
            model,
            split,
            Answer(identity, graded_text(response), image, text, label_of(row.get("label")) or ""),
        )
    if faults:
        remarks.append(
            f"{path.name}: {len(faults)} lines without question_id, split or response, the first {faults[0]}; "
            "left out."
        )


def _response(row: Mapping[str, Any]) -> str | None:
    """Return the answer of a line; None where it has none, or something that is no text."""
    try:
        return text_of(row.get("response"), "response")
    except AfterimageError:
        return None


def _model_of(path: Path) -> str:
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    for suffix in _MODEL_SUFFIXES:
        name = name.removesuffix(suffix)
    return name
