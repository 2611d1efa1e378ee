"""Official question files, read as they are: no text is ever made anew, typing errors included."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.row_ids import RowIds, id_text, name_text, without_folder
from afterimage.suites.pope.names import STRATEGIES
from afterimage.suites.pope.readers.json_files import read_bytes, read_objects

_EXPECTED = (
    'questions of the form {"question_id": 1, "image": "a.jpg", "text": "Is there a cat in the image?", '
    '"label": "yes"}, one per line or in an array'
)
#: The releases of POPE, as :attr:`QuestionFile.version` names them.
FIRST_RELEASE = "first release (2023-05-31)"
_CURRENT = "current release (since 2023-11-16)"
# SHA-256 of the unpacked files of the repository AoiDragon/POPE, output/coco.
_VERSIONS = {
    "c16b65d2df6d70bb0814c8a4375833d39cdb09928fd936d3fc546491efa37f35": FIRST_RELEASE,
    "5b16653023bf4f64d57eb0d168259de6627f5cde7538b85ebed3cc33034aa6cc": FIRST_RELEASE,
    "1d8f0906a9b50c05640f6f23abfac97523be2a1bed28f7eadc63b811699b2d26": FIRST_RELEASE,
    "ac25245170b975a5bdf9080b23fd431dfe6be458bc038259c1f4f09a6bef7994": _CURRENT,
    "72c1a8ad45d0c13514f5f22598261df41d3b533854d29682e924db50ed8aa753": _CURRENT,
    "420b3407db1fa9f1187a805dca41cb7b97fd91504e6c2179706188c107fb8ef8": _CURRENT,
}
# How an entry calls its image, its words and its key: POPE's own name first.
_NAMES = (("image", "image_source"), ("text", "question"), ("label", "answer"))
_HUB_COLUMNS = {
    **{"question_id": "number", "question": "text"},
    **{"answer": "text", "image_source": "text"},
}
_FILE_NAME = re.compile(
    rf"(?P<before>.*?)(?<![a-z])(?P<strategy>{'|'.join(STRATEGIES)})(?![a-z])(?P<after>.*)\.jsonl?(?:\.gz)?",
    re.IGNORECASE,
)


class Question(NamedTuple):
    """One question of a file.

    Attributes:
        question_id: As text; the official ones count from 1.
        image: File name of its image.
        text: As it stands in the file.
        label: "yes" or "no".
    """

    question_id: str
    image: str
    text: str
    label: str


class QuestionFile(NamedTuple):
    """A question file.

    Attributes:
        path: Where it lies.
        sha256: Hash of the unpacked content.
        version: Which release it is, as far as the hash tells; "unknown version" else.
        questions: In the file's order.
        repeated: How many entries repeat another in full; each is asked once.
    """

    path: str
    sha256: str
    version: str
    questions: tuple[Question, ...]
    repeated: int = 0


def read_questions(path: str | Path) -> QuestionFile:
    """Read a question file, JSON lines or an array; further keys are not looked at.

    It is read once for as long as it stays as it is: the Snakefile asks for it several times.

    Raises:
        AfterimageError: The file is missing, is not JSON, an entry lacks a key, a label is neither yes nor no, or an
            id stands in it twice.
    """
    file = Path(path)
    state = file.stat() if file.is_file() else None
    return _read(str(path), state and (state.st_size, state.st_mtime_ns))


@lru_cache(maxsize=16)
def _read(path: str, state: tuple[int, int] | None) -> QuestionFile:
    questions = RowIds[tuple[Question, dict]]("question_id")
    images = RowIds[None]("image", name_text, without_folder)
    is_hub = path.endswith(".parquet")
    for number, row in _hub_rows(path) if is_hub else read_objects(path, _EXPECTED):
        place = f"{path}: entry {number}"
        question = _question(row, place)
        images.add(question.image, None, place)
        questions.add(row["question_id"], (question, row), place)
    asked = tuple(question for question, _ in questions.values())
    contents = _official_files(asked) if is_hub else [read_bytes(path, _EXPECTED)]
    hashes = [hashlib.sha256(content).hexdigest() for content in contents]
    sha256 = next((one for one in hashes if one in _VERSIONS), hashes[0])
    version = _VERSIONS.get(sha256, "unknown version")
    return QuestionFile(path, sha256, version, asked, questions.repeated)


def image_rows(path: str) -> dict[str, int]:
    """Return the images of a hub's file, each with the first row that holds it."""
    rows: dict[str, int] = {}
    for number, row in _hub_rows(path):
        rows.setdefault(str(row["image"]), number)
    return rows


def _hub_rows(path: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the rows of a hub's file with their numbers from 0, images named as the official files name them."""
    # Late: only who reads the hub's files waits for it.
    from afterimage.files.others_parquet import read_columns

    return [
        (number, {**row, "image": f"{row['image_source']}.jpg"})
        for number, row in enumerate(read_columns(path, _HUB_COLUMNS))
    ]


def _official_files(questions: Iterable[Question]) -> list[bytes]:
    """Return questions as official files have them, whose lines end in one of two ways: equal where all is equal."""
    lines = []
    for one in questions:
        identity: int | str = (
            int(one.question_id) if one.question_id.isdecimal() else one.question_id
        )
        line = {"question_id": identity, "image": one.image, "text": one.text, "label": one.label}
        lines.append(json.dumps(line, ensure_ascii=False))
    return ["".join(f"{line}{end}" for line in lines).encode() for end in ("\n", "\r\n")]


def require_same_names(files: Iterable[QuestionFile]) -> None:
    """Check that files call each image by one name, so that it is one image of all of them.

    Raises:
        AfterimageError: Two names differ in case or folder alone.
    """
    images = RowIds[None]("image", name_text, without_folder)
    for file in files:
        for image in dict.fromkeys(one.image for one in file.questions):
            images.add(image, None, file.path)


def strategy_of(name: str) -> tuple[str, str] | None:
    """Return the strategy that a file's name tells, and the rest of the name, which is that of its set.

    None for a name that tells no strategy.
    """
    found = _FILE_NAME.fullmatch(name)
    if found is None:
        return None
    return found["strategy"].lower(), f"{found['before']}*{found['after']}"


#: A question's id as text, whether it is written as number or as text; None for what is no id.
question_key = id_text


def label_of(value: object) -> str | None:
    """Return a label as "yes" or "no"; None for anything else."""
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in ("yes", "no") else None


def _question(row: Mapping[str, Any], place: str) -> Question:
    """Return the question of an entry, with POPE's own keys or those of lmms-eval's and VLMEvalKit's copies."""
    image, text, label = (
        next((row[name] for name in names if isinstance(row.get(name), str)), row.get(names[0]))
        for names in _NAMES
    )
    read = (id_text(row.get("question_id")), name_text(image), name_text(text), label_of(label))
    for (name, *_), value, found in zip(
        (("question_id",), *_NAMES), read, (row.get("question_id"), image, text, label), strict=True
    ):
        if value is None:
            raise AfterimageError(
                f"{place} is not as expected: found {name} {found!r:.60}; expected {_EXPECTED}."
            )
    identity, image_name, _, known = read
    return Question(str(identity), str(image_name), str(text), str(known))
