"""Names of figures, a figure being what one job draws: a task in one release, one copy of it.

``line_intersection`` is the paper's own size of a task; ``line_intersection_final`` its later, larger release;
``line_intersection_authors`` the authors' own images; ``line_intersection_copy007`` another set of the same design with
other figures. Standard library only.
"""

import re
from collections.abc import Collection, Mapping
from string import ascii_lowercase
from typing import NamedTuple

from afterimage.errors import AfterimageError, unknown_name

#: In the order of the paper.
TASKS = (
    *("line_intersection", "two_circles", "circled_letter", "olympic_shapes", "nested_squares"),
    *("grid", "subway"),
)
#: The page's argument rests on these, but it prints no number of them: its models read each string and name a plain
#: shape (task 3), and count shapes that lie apart (task 4).
CONTROLS = ("plain_string", "plain_shape", "shapes_apart")
#: The strings in which letters are circled.
WORDS = ("Acknowledgement", "Subdermatoglyphic", "tHyUiKaRbNqWeOpXcZvM")
#: The plain shapes.
OUTLINES = ("circle", "square", "triangle")
#: Tasks whose stimuli changed between the releases; the others are the same in both.
RELEASED_TWICE = ("line_intersection", "olympic_shapes")
RELEASES = ("v1", "final")
#: The release of the authors' own images, as the hub has them.
AUTHORS = "authors"
#: Suffix of the name of a model of the study where it was asked about the authors' images.
MARK_OF_AUTHORS = " (authors' images)"
#: Rows of the summary's CSV, and what the paper's columns are called.
SUMMARY = {
    "line_intersection": "Lines",
    "two_circles": "Circles",
    "circled_letter": "Letters",
    "circles": "Shapes: circles",
    "pentagons": "Shapes: pentagons",
    "nested_squares": "Squares",
    "grid": "Grids",
    "subway": "Paths",
    "mean": "Mean",
}

_FORM = re.compile(rf"({'|'.join((*TASKS, *CONTROLS))})(_final|_authors)?(?:_copy(\d{{3}}))?")


class Figure(NamedTuple):
    """What a figure's name says: the task, its release ("v1", "final", "both", "authors"), the copy's number."""

    task: str
    release: str
    copy: int


def figure_name(task: str, release: str, copy: int = 0) -> str:
    """Return the name of a task's figure in a release of the suite, ``v1`` or ``final``, or of ``authors``."""
    if release == AUTHORS:
        return f"{task}_{AUTHORS}"
    later = "_final" if release == "final" and task in RELEASED_TWICE else ""
    return f"{task}{later}" + (f"_copy{copy:03d}" if copy else "")


def parse_figure(name: str) -> Figure:
    """Parse a figure's name.

    Raises:
        AfterimageError: It is not the name of a figure of this suite.
    """
    match = _FORM.fullmatch(name)
    if not match or (match[2] == "_final" and match[1] not in RELEASED_TWICE):
        raise unknown_name("figure", name, (*TASKS, *CONTROLS), "suite 'blindtest'")
    task = match[1]
    if match[2] == f"_{AUTHORS}":
        return Figure(task, AUTHORS, 0)
    release = "both" if task not in RELEASED_TWICE else "final" if match[2] else "v1"
    return Figure(task, release, int(match[3] or 0))


def parts_of(truth: str) -> dict[str, str]:
    """Parse the truth of a stimulus with several questions: ``overlap=No;touch=Yes``."""
    return dict(part.split("=", 1) for part in truth.split(";"))


# The factors of BlindTest's items and grades: their names, and the answers that are possible.
#
# Every item carries, as strings, the factors of :data:`COMMON` and those of its task in
# :data:`FACTORS`; tables look for these names and no others. ``prompt`` of an item is the prompt's id,
# and ``key`` is canonical: a count in decimal digits ("2"), "Yes" or "No", a lower-case letter ("e"),
# rows by columns ("5x6").
#
# Common to all tasks:
#
# * ``task``: one of :data:`TASKS`; ``figure`` is what one job draws, and may be a part of it.
# * ``release``: the parameter grid of the stimulus, "v1", "final", or "both" where they agree.
# * ``subtask``: the row of the task's table that an answer belongs to, named as in the recorded
#   outcomes: line_intersection "thickness_2" ...; two_circles "overlapping" or "touching" (the
#   question); circled_letter the word as drawn; olympic_shapes "circles" or "pentagons";
#   nested_squares "depth_2" ... (one row in the table); grid "blank" or "text"; subway "paths_1" ...
# * ``base_figure``: what all renderings of one geometry share, unique within the task. Renderings in
#   several line widths and canvas sizes are not independent; intervals are clustered on it.
# * ``canvas``: side of the image in pixels; "1000x500", "384x385" (width x height) where it is not square.
#
# Of single tasks:
#
# * ``line_width``: points, as the paper counts them ("0.5", "2"); of a grid, pixels at 2000 pixels; of a
#   circled letter, the oval's.
# * ``diameter``: of the two circles, as a fraction of the canvas ("0.25", "0.20", "0.17", "0.14").
# * ``gap``: between the circles' perimeters, in diameters, two decimals, negative for an overlap
#   ("-0.15", "0.00", "0.50").
# * ``orientation``: "horizontal", "vertical", "diagonal_1" (first circle upper left), "diagonal_2".
# * ``word``, ``letter_index`` (from "0"), ``font``, ``padding``: of the text with the circled letter.
# * ``count``: number of shapes; ``size``: diameter or side as a fraction of the canvas; ``colour``:
#   "black" or "colored"; ``layout``: which row is longer or shifted to which side.
# * ``depth``: number of nested squares.
# * ``rows``, ``columns``: of the grid.
# * ``path_count``: paths at each station; ``pair``: the two stations asked about ("AC").

#: Task -> the grader of its answers (``answer_type`` of an item).
ANSWER_TYPES: Mapping[str, str] = {
    "line_intersection": "integer",
    "two_circles": "yes_no",
    "circled_letter": "letter",
    "olympic_shapes": "integer",
    "nested_squares": "integer",
    "grid": "rows_columns",
    "subway": "integer",
    "plain_string": "short_text",
    "plain_shape": "choice",
    "shapes_apart": "integer",
}

#: What a prompt can ask about: a task's only question, or one of several.
QUESTIONS = {
    "line_intersection": ("crossings",),
    "two_circles": ("overlap", "touch"),
    "circled_letter": ("letter",),
    "olympic_shapes": ("shapes",),
    "nested_squares": ("squares",),
    "grid": ("size",),
    "subway": ("paths",),
    "plain_string": ("string",),
    "plain_shape": ("shape",),
}
#: The rows of the questions about two circles.
SUBTASKS = {"overlap": "overlapping", "touch": "touching"}

#: Factors of every item.
COMMON = ("task", "release", "subtask", "base_figure", "canvas")

#: Further factors of a task's items, in the order of the table of factors.
FACTORS: Mapping[str, tuple[str, ...]] = {
    "line_intersection": ("line_width",),
    "two_circles": ("gap", "diameter", "orientation"),
    "circled_letter": ("word", "letter_index", "font", "padding", "line_width"),
    "olympic_shapes": ("count", "size", "colour", "layout", "line_width"),
    "nested_squares": ("depth", "line_width"),
    "grid": ("rows", "columns", "line_width"),
    "subway": ("path_count", "pair", "line_width"),
    "plain_string": ("word", "font", "padding"),
    "plain_shape": ("size", "line_width"),
    "shapes_apart": ("count", "size", "colour", "layout", "line_width"),
}

#: Tasks whose subtasks are different questions or different things, never pooled by factor.
SPLIT_BY_SUBTASK = ("two_circles", "olympic_shapes", "grid")

#: Rows and columns of the 22 released grids: N x N, N x (N+1), (N+1) x N for N = 3 to 9, and 10 x 10.
GRID_SHAPES = (
    *((n + r, n + c) for n in range(3, 10) for r, c in ((0, 0), (0, 1), (1, 0))),
    (10, 10),
)

_ANSWERS = {
    "line_intersection": ("0", "1", "2"),
    "olympic_shapes": ("5", "6", "7", "8", "9"),
    "nested_squares": ("2", "3", "4", "5"),
    "grid": tuple(f"{rows}x{columns}" for rows, columns in GRID_SHAPES),
    "subway": ("1", "2", "3"),
    "plain_string": WORDS,
    "plain_shape": OUTLINES,
}
_ANSWERS["shapes_apart"] = _ANSWERS["olympic_shapes"]


def answer_set(task: str, subtask: str, keys: Collection[str]) -> tuple[str, ...]:
    """Return the answers over which "uniform guessing" guesses, in order.

    Args:
        task: One of :data:`TASKS`.
        subtask: The row; of a circled letter, its word.
        keys: The keys of the row's items. No paths at all (0) is a possible answer of the subway
            only where it is ever right: the original never asks about unconnected stations.

    Raises:
        AfterimageError: A key is none of the possible answers.
    """
    if task == "two_circles":
        answers: tuple[str, ...] = ("No", "Yes")
    elif task == "circled_letter":
        # The string of an unknown image of the authors is not known.
        answers = tuple(sorted(set(subtask.lower() if subtask in WORDS else ascii_lowercase)))
    else:
        answers = _ANSWERS[task]
    if task == "subway" and "0" in keys:
        answers = ("0", *answers)
    strange = sorted(set(keys) - set(answers))
    if strange:
        raise AfterimageError(
            f"grades of task '{task}', {subtask}: the key '{strange[0]}' is no possible answer; "
            f"expected one of: {', '.join(answers)}."
        )
    return answers
