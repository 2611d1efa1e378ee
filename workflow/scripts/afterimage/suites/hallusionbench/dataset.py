"""The authors' release, read, checked and asked: ``HallusionBench.json`` and the images beside it, or the hub's files.

Standard library only, unless the files are the hub's.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from afterimage.contract.design import Reader
from afterimage.contract.paper import content_sha256
from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import config_path, fault
from afterimage.files.hub_lock import HubSet
from afterimage.files.json_files import read_json_list, require_object
from afterimage.files.paths import inner_path
from afterimage.files.read_once import once_per_state
from afterimage.files.recorded_value import id_of
from afterimage.files.row_ids import RowIds, id_text, name_text

LABELS = "HallusionBench.json"
#: The hub's copy: one file or several of questions with an image, and of those without.
HUB = HubSet("lmms-lab/HallusionBench", ("data/image-*.parquet", "data/non_image-*.parquet"))
_WHERE = config_path("suites.hallusionbench.folder")
_PARQUET = "data/*image-*.parquet"
_KEYS = (
    *("category", "subcategory", "visual_input", "set_id", "figure_id", "question_id"),
    *("question", "gt_answer", "filename"),
)
_IDS = ("visual_input", "set_id", "figure_id", "question_id", "gt_answer")
_LEGAL = {"category": ("VS", "VD"), "visual_input": ("0", "1", "2"), "gt_answer": ("0", "1")}


class Entry(NamedTuple):
    """One yes/no question; ``filename`` is None if no image is shown, ``row`` counts the rows that ask the same."""

    category: str
    subcategory: str
    visual_input: str
    set_id: str
    figure_id: str
    question_id: str
    text: str
    gold: bool
    filename: str | None
    row: int = 1

    @property
    def stimulus_id(self) -> str:
        """Id of the image: figure name, set and figure id."""
        name = figure_name(self.category, self.subcategory)
        return f"{name}_{self.set_id}_{self.figure_id}"


def figure_name(category: str, subcategory: str) -> str:
    """Return the figure of a category (VS, VD) and subcategory: one job makes its stimuli."""
    return f"{category}_{re.sub(r'[^A-Za-z0-9]+', '_', subcategory).strip('_')}"


def shown(figure: str, settings: Json) -> list[Shown]:
    """Return the images of a figure with their questions, in the order of the file.

    Raises:
        AfterimageError: The file is missing or not what it should be; the entry is named.
    """
    images = figures(settings["folder"])[figure]
    return [_shown(name, questions, settings["folder"]) for name, questions in images.items()]


#: The authors' images.
READER = Reader(shown)


def _shown(name: str, questions: tuple[Entry, ...], folder: str) -> Shown:
    first = questions[0]
    file, parameters = None, {}
    if first.filename is not None and is_hub(folder):
        file, row = _hub_images(folder)[first.filename]
        parameters = {"row": row}
    elif first.filename is not None:
        file = image_file(folder, first.filename)
    factors = {
        "category": first.category,
        "subcategory": first.subcategory,
        "visual_input": first.visual_input,
        "set_id": first.set_id,
        "figure_id": first.figure_id,
        "image_shown": "no" if file is None else "yes",
    }
    return Shown(name, file, factors, questions, parameters=parameters)


def labels_file(folder: str | None) -> str:
    """Return the file with the questions.

    Raises:
        AfterimageError: No folder is configured, or the file is not in it.
    """
    if folder is None:
        raise fault(
            _WHERE,
            f"found nothing; expected the folder with {LABELS} and the unpacked hallusion_bench.zip (both "
            "linked from the README of github.com/tianyi-lab/HallusionBench; docs/data.md).",
        )
    path = Path(folder) / LABELS
    if is_hub(folder):
        return folder
    if not path.is_file():
        raise fault(
            _WHERE,
            f"file '{path}' does not exist; expected {LABELS} and the folder hallusion_bench of the authors' "
            "release (docs/data.md).",
        )
    return str(path)


def is_hub(folder: str) -> bool:
    """Tell whether a folder holds the hub's files, not the authors' archive."""
    return not (Path(folder) / LABELS).is_file() and any(Path(folder).glob(_PARQUET))


def _hub_rows(folder: str) -> list[tuple[str, int, Json]]:
    """Return file, row and values of each question, those with an image first."""
    # Imported here: only the hub's files need it.
    from afterimage.files.external_parquet import rows_of

    files = sorted(map(str, Path(folder).glob(_PARQUET)))
    return list(rows_of(files, dict.fromkeys(_KEYS, "number")))


def _hub_images(folder: str) -> dict[str, tuple[str, int]]:
    """Return file and row of each image, by the name that the release gives it."""
    found: dict[str, tuple[str, int]] = {}
    for file, row, values in _hub_rows(folder):
        if values["filename"]:
            found.setdefault(inner_path(values["filename"], f"{file}, row {row}"), (file, row))
    return found


def image_file(folder: str, filename: str) -> str:
    """Return the path of an image; the release names it from its own folder."""
    return str(Path(folder) / filename)


def figures(folder: str | None) -> dict[str, dict[str, tuple[Entry, ...]]]:
    """Return the questions by figure and stimulus id, in the order of the file.

    Raises:
        AfterimageError: The file is missing or not what it should be; the entry is named.
    """
    return _read(labels_file(folder))


@once_per_state(4)
def _read(path: str) -> dict[str, dict[str, tuple[Entry, ...]]]:
    if Path(path).is_dir():
        located = [(f"{file}, row {row}", values) for file, row, values in _hub_rows(path)]
    else:
        listed = read_json_list(path, "questions")
        located = [(f"{path}, entry {number}", row) for number, row in enumerate(listed)]
    found: dict[str, dict[str, tuple[Entry, ...]]] = {}
    kinds = RowIds[tuple[str, ...]]("figure", name_text)
    names = RowIds[tuple[str, ...]]("figure", name_text)
    files = RowIds[None]("image", name_text)
    for where, values in located:
        question = _question(where, values)
        # Names that differ only in case or punctuation would become one figure.
        kind = kinds.add(figure_name(*question[:2]), question[:2], where)
        names.add(question.stimulus_id, question[:2] + question[3:5], where)
        if question.filename is not None:
            files.add(question.filename, None, where)
        by_stimulus = found.setdefault(kind, {})
        earlier = by_stimulus.get(question.stimulus_id, ())
        _require_consistent(where, question, earlier)
        # The authors' evaluation counts every row, repeated questions too.
        row = 1 + sum(other.question_id == question.question_id for other in earlier)
        by_stimulus[question.stimulus_id] = (*earlier, question._replace(row=row))
    return found


def _require_consistent(where: str, question: Entry, earlier: tuple[Entry, ...]) -> None:
    if earlier and earlier[0].filename != question.filename:
        raise fault(
            where,
            f"{question.stimulus_id} has the image {question.filename!r}; expected {earlier[0].filename!r}, as "
            "with its other questions.",
        )


def _question(where: str, entry: object) -> Entry:
    row = require_object(entry, _KEYS, where)
    values = {key: id_of(row[key], f"{where}: key '{key}'").strip() for key in _KEYS}
    for key in _IDS:
        name = id_text(values[key])
        if name is None:
            raise fault(where, f"found {key} {row[key]!r}; expected a whole number or a text.")
        values[key] = name
    for key, legal in _LEGAL.items():
        if values[key] not in legal:
            raise fault(where, f"found {key} {row[key]!r}; expected one of {', '.join(legal)}.")
    filename = values["filename"] or None
    return Entry(
        category=values["category"],
        subcategory=values["subcategory"],
        visual_input=values["visual_input"],
        set_id=values["set_id"],
        figure_id=values["figure_id"],
        question_id=values["question_id"],
        text=values["question"],
        gold=values["gt_answer"] == "1",
        filename=filename if filename is None else inner_path(filename, where),
    )


def questions_sha256(folder: str | None) -> str:
    """Return the SHA-256 of all questions with their keys, as :func:`content_sha256` makes it."""
    return content_sha256(
        (*question[:7], str(int(question.gold)))
        for images in figures(folder).values()
        for entries in images.values()
        for question in entries
    )


# ---- what is asked ----

_TRUTH = {True: "Yes", False: "No"}


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask each question about each image with each prompt; questions without an image are asked as text."""
    for shown in images:
        for prompt in settings["prompts"]:
            for entry in shown.questions:
                name = entry.question_id if entry.row == 1 else f"{entry.question_id}_{entry.row}"
                text = words["prompts"][prompt]["text"].replace("{question}", entry.text)
                yield Question(
                    shown,
                    f"{name}/{prompt}",
                    ask(text) if shown.file is None else ask(shown, text),
                    "yes_no_uncertain",
                    key=_TRUTH[entry.gold],
                    options=tuple(Option(word, word) for word in _TRUTH.values()),
                    prompt=prompt,
                    question=entry.question_id,
                    factors={**shown.factors, "question_id": entry.question_id},
                )
