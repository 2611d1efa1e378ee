"""Reads and checks the authors' archive: names of its sets, labels and images. Standard library only.

A folder ``comprehension`` and a folder ``sofloc``, each with ``eval_labels.json`` and the images in ``EVAL``, and, for
prompts with examples, ``fewshot_labels.json`` and ``FEW_SHOTS``.
"""

from pathlib import Path
from typing import Any, NamedTuple

from afterimage.contract.design import Reader
from afterimage.contract.paper import content_sha256
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import config_path, fault
from afterimage.files.hub_lock import HubSet
from afterimage.files.json_files import read_json_list, require_object
from afterimage.files.paths import inner_path
from afterimage.files.read_once import once_per_state
from afterimage.files.row_ids import RowIds, name_text, without_folder

#: Subsets to their folder in the authors' archive.
SUBSETS = {"comprehension": "comprehension", "soft_localization": "sofloc"}
#: Suffix of the figure with a subset's examples.
EXAMPLES = "_examples"
#: Prompts that put examples before the question; the second shows their reasoning, too.
FEW_SHOT = FOUR_SHOT, REASONED = ("four_shot", "four_shot_reasoning")
PROMPTS = ("zero_shot", *FEW_SHOT)
#: The figures in the order of their positions.
FIGURES = (*SUBSETS, *(f"{subset}{EXAMPLES}" for subset in SUBSETS))

#: Categories too small for a row of their own, and the name of their common row.
SMALL_CATEGORIES = frozenset(
    {"counting", "repeating pattern", "perspective", "occlusion", "angle constancy", "misc"}
)
MISCELLANEOUS = "misc"


def subset_of(figure: str) -> str:
    return figure.removesuffix(EXAMPLES)


# ---- dataset ----

#: The hub's copies; the split train holds the examples.
HUB = {
    "comprehension": HubSet(
        "csebuetnlp/illusionVQA-Comprehension", ("*test-*.parquet", "*train-*.parquet")
    ),
    "soft_localization": HubSet(
        "csebuetnlp/illusionVQA-Soft-Localization", ("*test-*.parquet", "*train-*.parquet")
    ),
}
_COLUMNS = {"question": "text", "options": "list", "answer": "text", "category": "text"}
_WHERE = config_path("suites.shahgir_illusionvqa.folder")
_KEYS = ("image", "question", "options", "answer")


class Question(NamedTuple):
    """One question about an image; ``reasoning`` is given with some examples only."""

    number: int
    image: str
    text: str
    options: tuple[str, ...]
    gold_index: int
    category: str
    reasoning: str | None


def shown(figure: str, settings: Json) -> list[Shown]:
    """Return the images of a figure with their questions, in the order of the labels.

    Raises:
        AfterimageError: The labels are missing or not what they should be; the entry is named.
    """
    folder, factors = settings["folder"], {"subset": subset_of(figure)}
    found = _hub_images(folder, figure) if is_hub(folder) else {}
    shown = []
    for name, image_questions in images(folder, figure).items():
        image = image_questions[0].image
        file, parameters = found.get(image) or (image_file(folder, figure, image), {})
        shown.append(Shown(name, file, factors, image_questions, parameters=parameters))
    return shown


#: The authors' images.
READER = Reader(shown)


def labels_file(folder: str | None, figure: str) -> str:
    """Return the file with the questions of a figure.

    Raises:
        AfterimageError: No folder is configured, or the file is not in it.
    """
    if folder is None:
        raise fault(
            _WHERE,
            "found nothing; expected the folder 'illusionVQA' of the authors' archive (links in the README of "
            "github.com/csebuetnlp/IllusionVQA) with comprehension/ and sofloc/ in it (docs/data.md).",
        )
    if is_hub(folder):
        return str(Path(folder) / HUB[subset_of(figure)].repository.split("/")[1])
    name = "fewshot_labels.json" if figure.endswith(EXAMPLES) else "eval_labels.json"
    path = Path(folder) / SUBSETS[subset_of(figure)] / name
    if not path.is_file():
        raise fault(
            _WHERE,
            f"file '{path}' does not exist; expected the folder 'illusionVQA' of the authors' archive, "
            "unpacked (docs/data.md).",
        )
    return str(path)


def is_hub(folder: str) -> bool:
    """Tell whether a folder holds links to the hub's copies, not the authors' archive."""
    return any(
        (Path(folder) / hub_set.repository.split("/")[1]).is_dir() for hub_set in HUB.values()
    )


def _hub_rows(folder: str, figure: str) -> list[tuple[str, int, dict[str, Any]]]:
    """Return file, row and values of a figure's questions; images are named by their content."""
    # Imported here: only the hub's files need it.
    from afterimage.files.external_parquet import image_digests, rows_of

    split = "train" if figure.endswith(EXAMPLES) else "test"
    files = sorted(map(str, Path(folder).rglob(f"{split}-*.parquet")))
    digests = {file: image_digests(file, "image") for file in files}
    return [
        (file, row, {**values, "image": digests[file][row][0]})
        for file, row, values in rows_of(files, _COLUMNS)
    ]


def _hub_images(folder: str, figure: str) -> dict[str, tuple[str, dict[str, int]]]:
    found: dict[str, tuple[str, dict[str, int]]] = {}
    for file, row, values in _hub_rows(labels_file(folder, figure), figure):
        found.setdefault(str(values["image"]), (file, {"row": row}))
    return found


def image_file(folder: str, figure: str, image: str) -> str:
    folder_name = "FEW_SHOTS" if figure.endswith(EXAMPLES) else "EVAL"
    return str(Path(folder) / SUBSETS[subset_of(figure)] / folder_name / image)


def images(folder: str | None, figure: str) -> dict[str, tuple[Question, ...]]:
    """Return the questions of a figure by stimulus id: one image may be asked about several times.

    Ids count the images in the order of the labels: ``comprehension_0000``.
    """
    by_image: dict[str, list[Question]] = {}
    for question in questions(folder, figure):
        by_image.setdefault(question.image, []).append(question)
    return {
        f"{figure}_{number:04d}": tuple(image_questions)
        for number, image_questions in enumerate(by_image.values())
    }


def questions(folder: str | None, figure: str) -> tuple[Question, ...]:
    """Read the questions of a figure.

    Raises:
        AfterimageError: The file is missing or not what it should be; the entry is named.
    """
    return _read(labels_file(folder, figure), figure)


def questions_sha256(folder: str | None, subset: str) -> str:
    """Return the SHA-256 of a subset's questions, options and keys, as :func:`content_sha256` makes it."""
    return content_sha256(
        (question.text, *question.options, str(question.gold_index))
        for question in questions(folder, subset)
    )


@once_per_state(16)
def _read(path: str, figure: str) -> tuple[Question, ...]:
    if Path(path).is_dir():
        placed = [(f"{file}, row {row}", values) for file, row, values in _hub_rows(path, figure)]
    else:
        rows = read_json_list(path, "questions")
        placed = [(f"{path}, entry {number}", row) for number, row in enumerate(rows)]
    images = RowIds[None]("image", name_text, without_folder)
    checked = []
    for number, (where, row) in enumerate(placed):
        question = _question(where, subset_of(figure), number, row)
        images.add(question.image, None, where)
        checked.append(question)
    return tuple(checked)


def _question(where: str, subset: str, number: int, entry: object) -> Question:
    row = require_object(entry, _KEYS, where)
    options = row["options"]
    if not isinstance(options, list) or not 2 <= len(options) <= 26:
        raise fault(where, f"found options {options!r}; expected 2 to 26 texts.")
    if row["answer"] not in options:
        raise fault(
            where, f"the answer {row['answer']!r} is none of the options; expected one of them."
        )
    category = str(row.get("category") or subset).strip()
    return Question(
        number,
        inner_path(row["image"], where),
        row["question"],
        tuple(options),
        # As in the authors' code: of two options with the answer's text, the last one is the key.
        len(options) - 1 - options[::-1].index(row["answer"]),
        MISCELLANEOUS if category in SMALL_CATEGORIES else category,
        row.get("reasoning"),
    )
