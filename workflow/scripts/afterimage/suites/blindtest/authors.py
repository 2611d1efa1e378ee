"""The authors' own images and prompts, as the hub has them. Standard library only until they are read.

Each row names a task and asks about an image. The Git hash of the image's bytes tells which of the paper's stimuli it
is: the recorded outcomes name the hash with the stimulus' parameters. Of other images only what the row says is known.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from afterimage.contract.design import Reader
from afterimage.contract.paper import Data, content_sha256
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import AfterimageError, config_path
from afterimage.files.hub_lock import HubSet, fetched_files
from afterimage.files.paths import ROOT
from afterimage.files.recorded_rows import read_csv
from afterimage.suites.blindtest.designs import CANVASES, canvas_name
from afterimage.suites.blindtest.names import (
    AUTHORS,
    QUESTIONS,
    SUBTASKS,
    answer_set,
    parse_figure,
    parts_of,
)

HUB = HubSet("XAI/vlmsareblind", ("data/valid-*.parquet",))
# The stimuli whose parameters are known.
_STIMULI = "resources/recorded/blindtest/stimuli.csv.gz"
_COLUMNS = {"task": "text", "prompt": "text", "groundtruth": "number"}
_WHERE = config_path("suites.blindtest.images")
#: The set's names of tasks, in lower case, to the suite's and the subtask, where the name tells.
_TASKS = {
    "touching circles": ("two_circles", ""),
    "line plot intersections": ("line_intersection", ""),
    "circled letter": ("circled_letter", ""),
    "olympic counting - circles": ("olympic_shapes", "circles"),
    "olympic counting - pentagons": ("olympic_shapes", "pentagons"),
    "nested squares": ("nested_squares", ""),
    "counting grid - blank grids": ("grid", "blank"),
    "counting grid - word grids": ("grid", "text"),
    "subway connections": ("subway", ""),
}
_PAIR = re.compile(r"\bfrom\s+([A-D])\s+to\s+([A-D])\b")
#: The subtask of an image that is not among the known stimuli, where neither task nor prompt tells.
UNKNOWN = "unknown"


class AuthorsQuestion(NamedTuple):
    """A question about an image: its kind, the authors' words, the key, and factors."""

    question: str
    text: str
    key: str
    factors: Mapping[str, str]


class _Row(NamedTuple):
    where: str
    source: tuple[str, int]
    image: str
    task: str
    question: AuthorsQuestion


def shown(figure: str, settings: Json) -> list[Shown]:
    """Return the images of a task with their questions, in the order in which the set first names them.

    Args:
        figure: Its name, such as ``grid_authors``.

    Raises:
        AfterimageError: The set was not fetched, or a row is not as expected; file and row are named.
    """
    task = parse_figure(figure).task
    by_image: dict[str, list[_Row]] = {}
    for row in _fetched_rows():
        if row.task == task:
            by_image.setdefault(row.image, []).append(row)
    images = []
    for number, rows in enumerate(by_image.values()):
        name, (file, row_number) = f"{figure}_{number:05d}", rows[0].source
        factors = {"task": task, "release": AUTHORS}
        questions = tuple(_settled(row.question, name) for row in rows)
        images.append(
            Shown(name, file, factors, questions, parameters={"row": row_number, "column": "image"})
        )
    return images


#: The authors' images.
READER = Reader(shown)


def data() -> dict[str, Data]:
    """Return the content hash of each task's images and prompts: of Git's hash of each image, with its questions."""
    by_task: dict[str, set[tuple[str, str]]] = {}
    for row in _fetched_rows():
        by_task.setdefault(row.task, set()).add((row.image[:BLOB_DIGITS], row.question.text))
    return {task: Data(content=content_sha256(pairs)) for task, pairs in by_task.items()}


def _settled(question: AuthorsQuestion, stimulus: str) -> AuthorsQuestion:
    """Give a question about an unknown image a figure of its own, on which intervals are clustered."""
    return question._replace(factors={"base_figure": stimulus, **question.factors})


def _fetched_rows() -> list[_Row]:
    return _rows(tuple(fetched_files(HUB, _WHERE, "blindtest").values()))


@lru_cache(maxsize=2)
def _rows(files: tuple[str, ...]) -> list[_Row]:
    # Imported late: only reading the hub's files needs it.
    from afterimage.files.external_parquet import GIT, image_digests, rows_of

    known = _known()
    digests = {file: image_digests(file, "image", GIT) for file in files}
    result = []
    for file, row, values in rows_of(files, _COLUMNS):
        where = f"{file}, row {row}"
        (image,) = digests[file][row]
        if image is None:
            raise AfterimageError(f"{where}, column 'image': no image; expected one.")
        task, question = _question(where, values, known.get(image[:BLOB_DIGITS], {}))
        result.append(_Row(where, (file, row), image, task, question))
    return result


def _question(
    where: str, values: Mapping[str, Any], known: Mapping[str, tuple[str, ...]]
) -> tuple[str, AuthorsQuestion]:
    name = (values["task"] or "").strip().lower()
    if name not in _TASKS:
        names = ", ".join(f"'{label}'" for label in _TASKS)
        raise AfterimageError(
            f"{where}, column 'task': found '{values['task']}'; expected one of {names}."
        )
    task, subtask = _TASKS[name]
    text = (values["prompt"] or "").strip()
    if not text:
        raise AfterimageError(f"{where}, column 'prompt': found nothing; expected a question.")
    question = next(
        (candidate for candidate in QUESTIONS[task] if candidate in text.lower()),
        QUESTIONS[task][-1],
    )
    pair = "".join(sorted(match.groups())) if (match := _PAIR.search(text)) else ""
    key = _key(task, str(values["groundtruth"] or "").strip())
    stimulus = known.get(f"{task} {pair}" if task == "subway" else task)
    factors = {}
    if stimulus:
        subtask, parameters = stimulus
        factors = recorded_factors(task, subtask, parameters)
        factors = {name: value for name, value in factors.items() if name != "in_published_cell"}
    subtask = (
        SUBTASKS.get(question) or subtask or (f"depth_{key}" if question == "squares" else UNKNOWN)
    )
    if task == "subway" and pair:
        factors["pair"] = pair
    try:
        answer_set(task, subtask, {key})
    except AfterimageError as error:
        raise AfterimageError(f"{where}, column 'groundtruth': {error}") from None
    return task, AuthorsQuestion(question, text, key, {**factors, "subtask": subtask})


def _key(task: str, truth: str) -> str:
    """Return a truth as items carry it: "Yes", a lower-case letter, "5x6"."""
    if task == "two_circles":
        return truth.capitalize()
    if task == "grid":
        return "x".join(re.findall(r"\d+", truth))
    return truth.lower()


@cache
def _known() -> dict[str, dict[str, tuple[str, str]]]:
    """Return the known stimuli: Git's hash to task (of maps with the pair) to subtask and parameters."""
    stimuli: dict[str, dict[str, tuple[str, str]]] = {}
    for row in (line.values for line in read_csv(ROOT / _STIMULI)):
        task = row["task"]
        pair = f" {row['stimulus_id'].rpartition('_')[2]}" if task == "subway" else ""
        stimuli.setdefault(row[GIT_BLOB], {})[task + pair] = (row["subtask"], row["params"])
    return stimuli


#: The column with Git's hash of a stimulus' file, by which the authors' images are known wherever they are, and its
#: digits that are shipped.
GIT_BLOB, BLOB_DIGITS = "git_blob", 16
# Parameter of the recorded files -> factor of this suite.
_FACTOR_OF = {
    "canvas": "canvas",
    "linewidth_pt": "line_width",
    "oval_linewidth_pt": "line_width",
    "linewidth_px_at_2000": "line_width",
    "rotation_name": "orientation",
    "distance_in_diameters": "gap",
    "font": "font",
    "padding": "padding",
    "letter_index": "letter_index",
    "n": "count",
    "side": "size",
    "colour": "colour",
    "layout": "layout",
    "layout_variant": "layout",
    "depth": "depth",
    "rows": "rows",
    "cols": "columns",
    "paths_per_station": "path_count",
    "pair": "pair",
    "in_published_cell": "in_published_cell",
}
# What all renderings of one geometry have in common; the rest is line width, canvas and color.
_BASE: Mapping[str, Callable[[Mapping[str, str]], tuple[str | None, ...]]] = {
    "line_intersection": lambda p: (p["figure"],),
    "two_circles": lambda p: (p["diameter"], p["distance_in_diameters"], p["rotation_name"]),
    "circled_letter": lambda p: (p["letter_index"], p["font"], p["padding"]),
    "olympic_shapes": lambda p: (
        p.get("diameter") or p["side"],
        p["n"],
        p.get("layout") or p["layout_variant"],
    ),
    "nested_squares": lambda p: (p["depth"], p["image"]),
    "grid": lambda p: (p["rows"], p["cols"]),
    "subway": lambda p: (p["base_map"],),
}
# What the files call a canvas by its width, or as a square's two sides.
_CANVAS_OF = {
    **{f"{side}x{side}": canvas_name(side, side) for side in (384, 768, 1152)},
    **{str(width): canvas_name(width, height) for width, height in CANVASES},
}


def recorded_factors(task: str, subtask: str, params: str) -> dict[str, str]:
    """Return the factors of a stimulus of the authors, ``base_figure`` among them.

    Args:
        task: One of :data:`names.TASKS`.
        subtask: As the authors' files name it.
        params: ``name=value``, separated by semicolons.

    Raises:
        AfterimageError: The parameters are not what the task has.
    """
    try:
        values = parts_of(params)
        base = _BASE[task](values)
    except (ValueError, KeyError) as error:
        raise AfterimageError(
            f"outcomes: the parameters '{params}' are not those of a stimulus of task '{task}' "
            f"({error}); expected name=value, separated by semicolons."
        ) from error
    factors = {_FACTOR_OF[name]: value for name, value in values.items() if name in _FACTOR_OF}
    factors["canvas"] = _CANVAS_OF.get(factors["canvas"], factors["canvas"])
    if "diameter" in values:
        factors["diameter" if task == "two_circles" else "size"] = values["diameter"]
    if task == "circled_letter":
        factors["word"] = subtask
    # The two questions about one pair of circles show the same figure.
    shared = task in ("two_circles", "line_intersection", "nested_squares")
    parts = base if shared else (subtask, *base)
    return factors | {"base_figure": "_".join(str(part) for part in parts)}
