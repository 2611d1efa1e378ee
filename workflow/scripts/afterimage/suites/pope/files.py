"""Files of others: question files, relabellings, and the folder of images."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError, fault
from afterimage.files.external_text import read_text_file
from afterimage.files.json_files import parsed_rows, read_bytes
from afterimage.files.read_once import once_per_state
from afterimage.files.row_ids import RowIds, id_text, name_text, without_folder
from afterimage.suites.pope.names import STRATEGIES

# JSON objects as datasets ship them: an array, or one object per line, packed or not.


def read_objects(path: str | Path, expected: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of a JSON array or of a file of JSON lines, with their number from 1 on.

    Raises:
        AfterimageError: The file is missing, is not JSON, or holds something else than objects.
    """
    text = read_text_file(path, expected, "save it with the encoding UTF-8")
    values = (
        _array(text, path, expected)
        if text.lstrip().startswith("[")
        else _lines(text, path, expected)
    )
    objects = []
    for number, value in values:
        if not isinstance(value, dict):
            raise AfterimageError(
                f"{path}: entry {number} is {json.dumps(value)[:40]}; expected {expected}."
            )
        objects.append((number, value))
    return objects


def _array(text: str, path: str | Path, expected: str) -> list[tuple[int, object]]:
    try:
        return list(enumerate(parsed_rows(text), start=1))
    except ValueError as error:
        raise AfterimageError(f"{path}: not valid JSON ({error}); expected {expected}.") from None


def _lines(text: str, path: str | Path, expected: str) -> list[tuple[int, object]]:
    values = []
    # Not splitlines: a text may hold what ends a line elsewhere, such as U+2028.
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        if not line.strip():
            continue
        try:
            values.append((number, parsed_rows(line)))
        except ValueError as error:
            raise AfterimageError(
                f"{path}, line {number}: not valid JSON ({error}); expected {expected}."
            ) from None
    return values


# Official question files, read as they are: no text is ever made anew, typing errors included.

_EXPECTED = (
    'questions of the form {"question_id": 1, "image": "a.jpg", "text": "Is there a cat in the image?", '
    '"label": "yes"}, one per line or in an array'
)
#: The releases of POPE, as :attr:`QuestionFile.version` names them.
FIRST_RELEASE = "first release (2023-05-31)"
_CURRENT = "current release (since 2023-11-16)"
# SHA-256 of the unpacked files of the repository AoiDragon/POPE, output/coco.
_QUESTION_FILES_VERSIONS = {
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


@once_per_state(16)
def read_questions(path: str) -> QuestionFile:
    """Read a question file, JSON lines or an array; further keys are not looked at.

    Raises:
        AfterimageError: The file is missing, is not JSON, an entry lacks a key, a label is neither yes nor no, or an
            id stands in it twice.
    """
    questions = RowIds[tuple[Question, Json]]("question_id")
    images = RowIds[None]("image", name_text, without_folder)
    is_hub = path.endswith(".parquet")
    for number, row in _hub_rows(path) if is_hub else read_objects(path, _EXPECTED):
        where = f"{path}: entry {number}"
        question = _question(row, where)
        images.add(question.image, None, where)
        questions.add(row["question_id"], (question, row), where)
    unique = tuple(question for question, _ in questions.values())
    contents = _official_files(unique) if is_hub else [read_bytes(path, _EXPECTED)]
    hashes = [hashlib.sha256(content).hexdigest() for content in contents]
    sha256 = next((digest for digest in hashes if digest in _QUESTION_FILES_VERSIONS), hashes[0])
    version = _QUESTION_FILES_VERSIONS.get(sha256, "unknown version")
    return QuestionFile(path, sha256, version, unique, questions.repeated)


def image_rows(path: str) -> dict[str, int]:
    """Return the images of a hub's file, each with the first row that holds it."""
    rows: dict[str, int] = {}
    for number, row in _hub_rows(path):
        rows.setdefault(str(row["image"]), number)
    return rows


def _hub_rows(path: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the rows of a hub's file with their numbers from 0, images named as the official files name them."""
    # Late: only who reads the hub's files waits for it.
    from afterimage.files.external_parquet import read_columns

    return [
        (number, {**row, "image": f"{row['image_source']}.jpg"})
        for number, row in enumerate(read_columns(path, _HUB_COLUMNS))
    ]


def _official_files(questions: Iterable[Question]) -> list[bytes]:
    """Return the bytes of an official file with these questions, for either line ending."""
    lines = []
    for question in questions:
        identity: int | str = (
            int(question.question_id) if question.question_id.isdecimal() else question.question_id
        )
        line = {
            "question_id": identity,
            "image": question.image,
            "text": question.text,
            "label": question.label,
        }
        lines.append(json.dumps(line, ensure_ascii=False))
    return ["".join(f"{line}{end}" for line in lines).encode() for end in ("\n", "\r\n")]


def require_same_names(files: Iterable[QuestionFile]) -> None:
    """Check that files call each image by one name, so that it is one image of all of them.

    Raises:
        AfterimageError: Two names differ in case or folder alone.
    """
    images = RowIds[None]("image", name_text, without_folder)
    for file in files:
        for image in dict.fromkeys(question.image for question in file.questions):
            images.add(image, None, file.path)


def strategy_of(name: str) -> tuple[str, str] | None:
    """Return the strategy in a file's name, and the rest of the name, which all files of a set share.

    None for a name without a strategy.
    """
    match = _FILE_NAME.fullmatch(name)
    if match is None:
        return None
    return match["strategy"].lower(), f"{match['before']}*{match['after']}"


#: A question's id as text, whether it is written as number or as text; None for what is no id.
question_key = id_text


def label_of(value: object) -> str | None:
    """Return a label as "yes" or "no"; None for anything else."""
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in ("yes", "no") else None


def _question(row: Mapping[str, Any], where: str) -> Question:
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
                f"{where} is not as expected: found {name} {found!r:.60}; expected {_EXPECTED}."
            )
    identity, image_name, _, known = read
    return Question(str(identity), str(image_name), str(text), str(known))


# A relabelling of a question file, such as RePOPE's: corrected labels, ambiguous questions left out.
#
# The files have POPE's own form. They come without a licence, so users bring them; a hash says which they are.

#: What a relabelling does with a question.
KEPT, FLIPPED, REMOVED = FATES = ("kept", "flipped", "removed")
#: Beginnings of the SHA-256 of the files coco_repope_*.json of the repository of RePOPE (arXiv 2504.15707).
_RELABELLING_VERSIONS = {
    "f464fcaf60b24ce2": "RePOPE, random",
    "57832b055bae5fd6": "RePOPE, popular",
    "8c346dbb060bf422": "RePOPE, adversarial",
}
# The first release of POPE spelled it so before some objects.
_MISSPELT = re.compile(r"\bimange\b")

#: Image and words of a question.
ImageAndText = tuple[str, str]


class Relabelling(NamedTuple):
    """One strategy's relabelling.

    Attributes:
        sha256: Hash of the unpacked file.
        version: Which file it is, as far as the hash tells; "unknown version" else.
        labels: Image and words to the new label, "yes" or "no".
        unasked: Questions of it that the question file lacks; only the first release may lack some.
    """

    sha256: str
    version: str
    labels: Mapping[ImageAndText, str]
    unasked: int

    def fate(self, image: str, text: str, label: str) -> str:
        """Return what becomes of a question with its old label: one of :data:`FATES`."""
        new = self.labels.get(_image_and_text(image, text))
        if new is None:
            return REMOVED
        return KEPT if new == label else FLIPPED


def read_relabelling(path: str | Path, questions: QuestionFile) -> Relabelling:
    """Read a relabelling and join it to its questions by image and words.

    Raises:
        AfterimageError: The file is not of POPE's form, asks something twice or with another id or other words, or asks
            what the question file does not.
    """
    file = read_questions(path)
    old = {
        _image_and_text(question.image, question.text): question for question in questions.questions
    }
    ids = {question.question_id: question for question in questions.questions}
    first = questions.version == FIRST_RELEASE
    labels: dict[ImageAndText, str] = {}
    unasked = 0
    for question in file.questions:
        name = _image_and_text(question.image, question.text)
        where = f"{path}: question_id {question.question_id}"
        if name in labels:
            raise fault(
                where,
                f"'{question.text}' about {question.image} occurs a second time; expected each once.",
            )
        labels[name] = question.label
        if name in old and (first or old[name].question_id == question.question_id):
            continue
        if name in old:
            raise fault(
                where,
                f"'{question.text}' about {question.image} has question_id {old[name].question_id} in "
                f"{questions.path}; expected the same ids.",
            )
        if first:
            unasked += 1
            continue
        same = ids.get(question.question_id)
        existing = f"'{same.text}' about {same.image}" if same else "no question with this id"
        raise fault(
            where,
            f"'{question.text}' about {question.image} is not asked: {questions.path} has {existing}; expected a "
            "relabelling of these questions.",
        )
    version = _RELABELLING_VERSIONS.get(file.sha256[:16], "unknown version")
    return Relabelling(file.sha256, version, labels, unasked)


def read_relabellings(
    relabel: Mapping[str, str], questions: Mapping[str, str]
) -> dict[str, Relabelling]:
    """Return the relabelling of each strategy that has one; both arguments map strategies to files."""
    return {
        strategy: read_relabelling(relabel[strategy], read_questions(path))
        for strategy, path in questions.items()
        if strategy in relabel
    }


def _image_and_text(image: str, text: str) -> ImageAndText:
    return image, _MISSPELT.sub("image", text)


# The folder of a dataset's images, in any of the layouts that people use.
#
# Standard library only: the Snakefile imports this module whenever it is parsed.

#: File name endings of images.
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


class ImageFolder:
    """A folder with images in it or in its subfolders, such as ``val2014`` and ``train2014``; None for no folder."""

    def __init__(self, folder: str | None) -> None:
        self._folder = None if folder is None else Path(folder)

    def find(self, named: str) -> str | None:
        """Return the path of an image; None if there is none.

        It is looked for at the path that its name gives, then by file name, with any ending if the name has none, in
        this folder and its subfolders.

        Raises:
            AfterimageError: Several files have its name.
        """
        if self._folder is None or not self._folder.is_dir():
            return None
        # Some lists name files with a leading slash.
        path = self._folder / named.lstrip("/")
        if path.is_file():
            return str(path)
        name = PurePosixPath(named).name
        wanted = [name] if name.lower().endswith(ENDINGS) else [name + end for end in ENDINGS]
        matches = [
            match for candidate in wanted for match in self._paths_by_name.get(candidate, ())
        ]
        if len(matches) > 1:
            raise AfterimageError(
                f"{self._folder}: image '{named}' may be '{matches[0]}' or '{matches[1]}'; expected one file "
                "of this name."
            )
        return str(self._folder / matches[0]) if matches else None

    @cached_property
    def _paths_by_name(self) -> dict[str, list[str]]:
        """File name to its paths."""
        paths: dict[str, list[str]] = {}
        for path in self.paths():
            paths.setdefault(PurePosixPath(path).name, []).append(path)
        return paths

    def paths(self) -> Iterator[str]:
        """Yield the path of each file in the folder and its subfolders, relative to it, with slashes, sorted."""
        if self._folder is None:
            return
        for entry in _entries(self._folder):
            if entry.is_dir():
                yield from (
                    f"{entry.name}/{file.name}" for file in _entries(entry) if file.is_file()
                )
            else:
                yield entry.name


def _entries(folder: Path | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(
            (entry for entry in entries if not entry.name.startswith(".")),
            key=lambda entry: entry.name,
        )
