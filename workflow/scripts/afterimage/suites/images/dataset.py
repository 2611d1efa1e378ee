"""The questions of a user's set of images, read from its CSV and checked.

Standard library only, but for how texts are compared. Read whenever the Snakefile is parsed, so that a fault ends the
run before any job; once per state of the file.
"""

import json
import posixpath
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.contract.design import Reader
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import AfterimageError, Faults, SeveralError, fault, plain
from afterimage.files.read_once import once_per_state
from afterimage.grading.readers.choice import normalise
from afterimage.suites.images import hub
from afterimage.suites.images.csv_rows import (
    ANSWER,
    ANSWER_TYPE,
    IMAGE,
    OPTIONS,
    POSITIONS_PER_SET,
    QUESTION,
    QUESTIONS_FILE,
    REQUIRED_COLUMNS,
    SET,
    SETS_KEY,
    TAKEN_NAMES,
    Row,
    answer_type,
    cell_fault,
    cell_texts,
    checked_answers,
    read_rows,
    shown_cell,
)


def image_path(folder: str, image: str) -> str:
    """Return the path of an image, in the spelling (composed or not) in which the file system has it."""
    root = Path(folder).expanduser()
    for form in ("NFC", "NFD"):
        path = root / unicodedata.normalize(form, image)
        if path.is_file():
            return path.as_posix()
    return (root / image).as_posix()


# ---- dataset ----

# File systems take 255 bytes for each name of a path.
_LONGEST_LEVEL, _LONGEST_NAME, _LONGEST_PATH = 200, 255, 1000
# Fewer options are no choice; more are no readable list.
_FEWEST_OPTIONS, _MAX_OPTIONS = 2, 50


class Question(NamedTuple):
    """One row of the file.

    Attributes:
        line: Where the row begins.
        image: Path inside the folder, with slashes.
        text: The question.
        options: In the order in which they are shown; none for a free answer.
        answers: The right answers; one, except for texts.
        answer_type: How an answer is read.
        factors: The other columns, by name; empty cells are left out.
        further: The images that are shown after it, in order.
    """

    line: int
    image: str
    text: str
    options: tuple[str, ...]
    answers: tuple[str, ...]
    answer_type: str
    factors: Mapping[str, str]
    further: tuple[str, ...] = ()


class Dataset(NamedTuple):
    """A set's questions, and the names of its factors in the order of the columns."""

    factors: tuple[str, ...]
    questions: tuple[Question, ...]


class ParsedFile(NamedTuple):
    """A set's file, read as far as possible.

    Attributes:
        dataset: The questions of the valid rows.
        named: Path of each image that a row names, valid or not, to the first such line.
        faults: What is wrong, a sentence each.
    """

    dataset: Dataset
    named: Mapping[str, int]
    faults: Sequence[str]


#: A set as the study names it: a folder, or one of the hub.
Named = str | Mapping[str, Any]


def questions_file(name: str, folder: Named) -> str:
    """Return the path of a set's CSV; of one of the hub, the folder with its files.

    Raises:
        AfterimageError: There is no such folder, or no such file in it.
    """
    if not isinstance(folder, str):
        return hub.folder_of(folder)
    where = SETS_KEY.below(f".{name}")
    root = Path(folder).expanduser()
    if not root.is_dir():
        found = f"'{folder}' is a file" if root.exists() else f"folder '{folder}' does not exist"
        raise fault(where, f"{found}; expected a folder with {QUESTIONS_FILE} and images.")
    path = root / QUESTIONS_FILE
    if not path.is_file():
        raise fault(
            where,
            f"folder '{folder}' holds no {QUESTIONS_FILE}; expected one with the columns "
            f"{', '.join(REQUIRED_COLUMNS)}.",
        )
    return path.as_posix()


def dataset(name: str, folder: Named) -> Dataset:
    """Read a set's questions.

    Raises:
        AfterimageError: The file is missing or rows are invalid: one message for each, with line and column.
    """
    read = read_set(name, folder)
    if read.faults:
        raise SeveralError(map(AfterimageError, read.faults))
    return read.dataset


def read_set(name: str, folder: Named) -> ParsedFile:
    """Read a set's questions as far as possible.

    Raises:
        AfterimageError: The file is missing, or its header or form is so wrong that no row can be read.
    """
    if not isinstance(folder, str):
        return _read_hub(name, json.dumps(folder, sort_keys=True), hub.state_of(name, folder))
    return _read(questions_file(name, folder))


def images(name: str, folder: Named) -> dict[str, tuple[Question, ...]]:
    """Return a set's questions by stimulus id: one image may be asked about several times.

    Ids count the images in the order in which the file first names them: ``my_set_00000``. A question about several
    images belongs to the first of them.
    """
    by_image = _by_image(dataset(name, folder).questions).values()
    return {f"{name}_{number:05d}": tuple(questions) for number, questions in enumerate(by_image)}


def _by_image(questions: Iterable[Question]) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.image, []).append(question)
        for image in question.further:
            found.setdefault(image, [])
    return found


def shown(name: str, settings: Json) -> list[Shown]:
    """Return a set's images with their questions, in the order in which the file first names them.

    Each question has its index among the set's questions instead of its line, which depends on how the file is saved.
    """
    folder = settings["sets"][name]
    lines = [question.line for question in dataset(name, folder).questions]
    indices = {line: index for index, line in enumerate(lines)}
    of_hub = {} if isinstance(folder, str) else hub.image_locations(name, folder)
    found = []
    by_image = _by_image(dataset(name, folder).questions)
    for (image, image_questions), stimulus_id in zip(
        by_image.items(), images(name, folder), strict=True
    ):
        file, parameters = of_hub.get(image) or (image_path(folder, image), {})
        questions = tuple(
            question._replace(line=indices[question.line]) for question in image_questions
        )
        factors = {SET: name, "file": image}
        found.append(Shown(stimulus_id, file, factors, questions, parameters=parameters))
    return found


#: A user's images.
READER = Reader(shown)


@once_per_state(64)
def _read(path: str) -> ParsedFile:
    return _parsed(path, *read_rows(path))


@lru_cache(maxsize=16)
def _read_hub(name: str, spec: str, hashes: str) -> ParsedFile:
    return _parsed(*hub.read_rows(name, json.loads(spec)))


def _parsed(path: str, header: list[str], rows: Sequence[Row]) -> ParsedFile:
    factors = _factors(path, header)
    if not rows:
        raise AfterimageError(f"{path}: found no questions; expected one a line below the header.")
    faults = Faults()
    named: dict[str, int] = {}
    questions: list[Question] = []
    for row in rows:
        # Two blocks: a row may name a wrong image and also have a wrong answer.
        with faults.noted():
            for image in (_image(path, row), *row.further):
                named.setdefault(image, row.line)
        with faults.noted():
            questions.append(_question(path, row, factors))
    with faults.noted():
        _require_different(path, questions)
    if len(named) > POSITIONS_PER_SET:
        faults.add(
            AfterimageError(
                f"{path}: found {len(named)} images; expected at most {POSITIONS_PER_SET}, in several sets if "
                "there are more."
            )
        )
    return ParsedFile(Dataset(factors, tuple(questions)), named, faults.sentences)


def _factors(path: str, header: list[str]) -> tuple[str, ...]:
    faults = Faults()
    for name in REQUIRED_COLUMNS:
        if name not in header:
            near = get_close_matches(name, header, n=1, cutoff=0.7)
            hint = f" (is '{near[0]}' meant?)" if near else ""
            found = f"found the columns {', '.join(header)}; expected also '{name}'{hint}."
            faults.add(AfterimageError(f"{path}, line 1: {found}"))
    factors = tuple(name for name in header if name not in (*REQUIRED_COLUMNS, ANSWER_TYPE))
    for name in factors:
        if plain(name) != name or len(name) > _LONGEST_LEVEL:
            faults.add(
                AfterimageError(
                    f"{path}, line 1, column {shown_cell(name)}: expected a name of one line and at most "
                    f"{_LONGEST_LEVEL} characters without control characters."
                )
            )
        if name in TAKEN_NAMES:
            faults.add(
                AfterimageError(
                    f"{path}, line 1, column '{name}': the tables have a column of this name; expected another name "
                    "for a factor."
                )
            )
    faults.raise_any()
    return factors


def _question(path: str, row: Row, factors: Iterable[str]) -> Question:
    for column in (QUESTION, ANSWER):
        _require_text(path, row, column)
    options = _options(path, row)
    answers = tuple(dict.fromkeys(cell_texts(row.cells[ANSWER])))
    if not all(answers):
        raise cell_fault(
            path, row, ANSWER, shown_cell(row.cells[ANSWER]), "a text on both sides of each |"
        )
    kind = answer_type(path, row, options, answers)
    return Question(
        row.line,
        _image(path, row),
        row.cells[QUESTION],
        options,
        checked_answers(path, row, kind, options, answers),
        kind,
        {name: _level(path, row, name) for name in factors if row.cells[name]},
        row.further,
    )


def _level(path: str, row: Row, column: str) -> str:
    """Return the value of a factor, which tables and charts use as a label."""
    value = row.cells[column]
    if plain(value) != value or len(value) > _LONGEST_LEVEL:
        expected = f"one line of at most {_LONGEST_LEVEL} characters without control characters"
        raise cell_fault(path, row, column, shown_cell(value), expected)
    return value


def _image(path: str, row: Row) -> str:
    """Return the image's normalised path: with slashes, composed characters and no ``..``."""
    _require_text(path, row, IMAGE)
    named = row.cells[IMAGE]
    image = posixpath.normpath(unicodedata.normalize("NFC", named))
    if posixpath.isabs(image) or image.startswith("../") or image in (".", ".."):
        raise cell_fault(
            path, row, IMAGE, shown_cell(named), "a path that stays inside the set's folder"
        )
    too_long = max(len(part.encode()) for part in image.split("/")) > _LONGEST_NAME
    if plain(image) != image or too_long or len(image) > _LONGEST_PATH:
        expected = f"names of at most {_LONGEST_NAME} bytes without control characters"
        raise cell_fault(path, row, IMAGE, shown_cell(named), expected)
    if set(image) & set("{}"):
        raise cell_fault(path, row, IMAGE, shown_cell(named), "a file name without braces")
    return image


def _require_text(path: str, row: Row, column: str) -> None:
    if not row.cells[column]:
        raise cell_fault(path, row, column, "nothing", "a text")


def _options(path: str, row: Row) -> tuple[str, ...]:
    options = cell_texts(row.cells[OPTIONS])
    found = shown_cell(row.cells[OPTIONS])
    if not options:
        return ()
    if not _FEWEST_OPTIONS <= len(options) <= _MAX_OPTIONS:
        expected = f"{_FEWEST_OPTIONS} to {_MAX_OPTIONS} options separated by |, or none"
        raise cell_fault(path, row, OPTIONS, found, expected)
    read: dict[str, str] = {}
    for option in options:
        read_as = normalise(option)
        if not read_as:
            raise cell_fault(path, row, OPTIONS, found, "a text on both sides of each |")
        if read_as in read:
            same = f"'{option}', which reads the same as '{read[read_as]}'"
            raise cell_fault(
                path, row, OPTIONS, same, "options that differ in more than case and quotes"
            )
        read[read_as] = option
    return options


def _require_different(path: str, questions: Iterable[Question]) -> None:
    first: dict[tuple[str, tuple[str, ...], str, tuple[str, ...]], int] = {}
    for question in questions:
        content = (question.image, question.further, question.text, question.options)
        line = first.setdefault(content, question.line)
        if line != question.line:
            raise AfterimageError(
                f"{path}, line {question.line}, columns '{IMAGE}', '{QUESTION}' and '{OPTIONS}': found what line "
                f"{line} asks already; expected each question about an image once."
            )
