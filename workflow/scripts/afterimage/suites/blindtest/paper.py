"""The paper's printed numbers, as printed, how it forms its tables, and the cells of a study that correspond.

Quoted results, measured by others. ``PAGE`` is the paper's web page of July 2024, one table per task;
``GRID_CORRECTED`` the authors' repository from 2024-07-16 on, where the table of grids differs from
the page; ``REPOSITORY`` its summary of 2024-07-25, one value per column.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from afterimage.contract.paper import CellRef, Number, Size
from afterimage.showing.tables.columns import rounded
from afterimage.suites.blindtest.names import AUTHORS, MARK_OF_AUTHORS, SUMMARY, WORDS

#: Whose images are behind the page; those of other tasks did not change ("both").
PAGE_RELEASE = {"line_intersection": "v1", "olympic_shapes": "v1", "nested_squares": "june"}

#: In the order of the printed columns.
MODELS = ("GPT-4o", "Gemini-1.5-Pro", "Sonnet-3", "Sonnet-3.5")

#: Task, then row, then the printed values in the order of ``MODELS``.
Printed = Mapping[str, Mapping[str, tuple[str, ...]]]

PAGE: Printed = {
    "line_intersection": {
        "thickness_2": ("45.00", "70.00", "64.00", "80.00"),
        "thickness_3": ("47.00", "68.00", "66.00", "79.00"),
        "thickness_4": ("54.00", "71.00", "62.00", "73.00"),
        "average": ("48.67", "69.67", "64.00", "77.33"),
    },
    "two_circles": {
        "overlapping": ("71.27", "93.30", "88.09", "88.83"),
        "touching": ("74.10", "92.26", "80.95", "94.49"),
        "average": ("72.69", "92.78", "84.52", "91.66"),
    },
    "circled_letter": {
        "Acknowledgement": ("69.03", "97.50", "82.64", "91.11"),
        "Subdermatoglyphic": ("63.60", "91.05", "71.45", "94.49"),
        "tHyUiKaRbNqWeOpXcZvM": ("77.92", "89.90", "65.94", "82.08"),
        "average": ("70.18", "92.81", "73.34", "89.22"),
    },
    "olympic_shapes": {
        "circles": ("42.50", "20.83", "31.66", "44.16"),
        "pentagons": ("19.16", "9.16", "11.66", "75.83"),
    },
    "nested_squares": {
        "squares": ("48.33", "80.00", "55.00", "87.50"),
    },
    "grid": {
        "blank": ("26.13", "25.75", "25.00", "59.84"),
        "text": ("53.03", "45.83", "47.34", "88.68"),
        "average": ("39.58", "35.79", "36.17", "74.26"),
    },
    "subway": {
        "paths_1": ("67.50", "85.41", "23.75", "95.00"),
        "paths_2": ("44.37", "28.75", "37.18", "56.25"),
        "paths_3": ("36.71", "25.78", "15.42", "25.39"),
        "average": ("45.89", "40.01", "23.78", "50.18"),
    },
}

GRID_CORRECTED: Printed = {
    "grid": {
        "blank": ("26.13", "26.51", "25.00", "59.84"),
        "text": ("53.03", "52.27", "47.34", "88.68"),
        "average": ("39.58", "39.39", "36.17", "74.26"),
    },
}

#: Columns of the summary as rows of one table.
REPOSITORY: Printed = {
    "summary": {
        "line_intersection": ("41.61", "66.94", "43.41", "75.36"),
        "two_circles": ("72.67", "92.78", "84.52", "91.66"),
        "circled_letter": ("70.18", "92.81", "73.34", "89.22"),
        "circles": ("42.50", "87.08", "31.66", "44.16"),
        "pentagons": ("17.50", "19.37", "9.79", "77.29"),
        "nested_squares": ("55.83", "80.00", "65.00", "92.08"),
        "grid": ("39.58", "39.39", "36.17", "74.26"),
        "subway": ("46.08", "36.84", "22.66", "48.04"),
    },
}


# How the paper forms the rows, averages and digits of each task's table.
#
# Sources: the recorded outcomes reproduce the printed cells under these rules and no others tried. A
# cell pools both prompts. Where an average's rows are equally large, pooled and plain mean agree.

Averaging = Literal["pooled", "mean of rows"]
MEAN_OF_ROWS: Averaging = "mean of rows"

DECIMALS = 2
#: The row that combines the others.
AVERAGE = "average"
#: The row of reference that stands for guessing.
GUESSING = "uniform guessing"


@dataclass(frozen=True)
class PaperTable:
    """One task's table as the paper forms it.

    Attributes:
        name: Of the table.
        task: One of :data:`names.TASKS`.
        title: What the table shows.
        compared: What it is to be compared with, and what to know then.
        page: Where the page describes the images or their answers otherwise than they are.
        rows: The paper's rows in its order; others follow in natural order.
        averaging: How the row "average" is formed; None if the paper prints none.
        cuts_rows: Whether the paper cuts the second decimal off instead of rounding it.
        cuts_average: The same for the row "average".
        clustered: Whether the images are renderings of base figures that were drawn at random, so
            that answers about one figure are not independent. The figures of the other tasks are
            the points of a grid of parameters, not a sample.
        one_row: The name of the only row, where the paper does not print the subtasks.
        number: Of the task on the paper's page.
        heading: The heading of the rows there.
        labels: Rows to what the page calls them, where that is another name.
    """

    name: str
    task: str
    title: str
    compared: str
    rows: tuple[str, ...]
    averaging: Averaging | None = "pooled"
    cuts_rows: bool = False
    cuts_average: bool = False
    clustered: bool = False
    one_row: str | None = None
    page: str | None = None
    number: int = 0
    heading: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


LINES = PaperTable(
    "blindtest_lines",
    "line_intersection",
    "Line intersections: how often two broken lines cross",
    "Compare with the paper's table of task 1: 150 images, 100 answers per line width.",
    ("thickness_2", "thickness_3", "thickness_4"),
    clustered=True,
    number=1,
    heading="Thickness",
    labels={f"thickness_{width}": str(width) for width in (2, 3, 4)},
)
CIRCLES = PaperTable(
    "blindtest_circles",
    "two_circles",
    "Two circles: whether they overlap, whether they touch",
    "Compare with the paper's table of task 2: 672 answers per row. Most keys are No: compare with the constant "
    "answer before anything else.",
    ("overlapping", "touching"),
    cuts_rows=True,
    cuts_average=True,
    number=2,
    labels={"overlapping": "Overlapping", "touching": "Touching"},
)
LETTERS = PaperTable(
    "blindtest_letters",
    "circled_letter",
    "Circled letter: which letter of a string is in the oval",
    "Compare with the paper's table of task 3: 720, 816 and 960 answers.",
    WORDS,
    averaging=MEAN_OF_ROWS,
    cuts_average=True,
    number=3,
    heading="Word",
)
SHAPES = PaperTable(
    "blindtest_shapes",
    "olympic_shapes",
    "Overlapping shapes: how many circles, how many pentagons",
    "Compare with the paper's table of task 4: 120 answers per row; it prints no average.",
    ("circles", "pentagons"),
    averaging=None,
    cuts_rows=True,
    cuts_average=True,
    number=4,
    labels={"circles": "Circles", "pentagons": "Pentagons"},
)
SQUARES = PaperTable(
    "blindtest_squares",
    "nested_squares",
    "Nested squares: how many there are",
    "Compare with the paper's table of task 5: 120 answers to a single prompt, read by a parser that took the "
    "first number word of a fixed list; see docs/blindtest.md.",
    ("squares",),
    averaging=None,
    clustered=True,
    one_row="squares",
    number=5,
    labels={"squares": "Squares"},
    page="The page has 10 images of each line width with squares at different places. In the authors' images these are "
    "10 figures at 3 line widths; only squares_per_width draws others for each.",
)
GRIDS = PaperTable(
    "blindtest_grids",
    "grid",
    "Grids: how many rows and columns, both right",
    "Compare with the paper's table of task 6: 264 answers per row. A cell of the paper's table is right only if "
    "both numbers are.",
    ("blank", "text"),
    cuts_rows=True,
    cuts_average=True,
    number=6,
    heading="Grid type",
    labels={"blank": "Blank", "text": "Text"},
    page="The page says 444 images, 222 of each kind; its table has the answers about 264: 22 shapes, 3 to 10 rows and "
    "columns, in 3 sizes and 2 line widths, blank and with words.",
)
PATHS = PaperTable(
    "blindtest_paths",
    "subway",
    "Subway maps: how many paths of one color join two stations",
    "Compare with the paper's table of task 7, whose run is not the released one. The original never asks about "
    "two stations without a path.",
    ("paths_1", "paths_2", "paths_3"),
    cuts_rows=True,
    cuts_average=True,
    clustered=True,
    number=7,
    heading="Paths",
    labels={f"paths_{number}": str(number) for number in (1, 2, 3)},
    page="The page says that answers are 0 to 3 and that a guess is right in 25 %. Its questions have the answers 1 to "
    "3, 33.33 %; only subway_unconnected adds 0.",
)
TABLES = (LINES, CIRCLES, LETTERS, SHAPES, SQUARES, GRIDS, PATHS)


def printed(share: Fraction, cuts: bool) -> str:
    """Print an exact share, 0 to 1, in percent with two decimals, rounded half up or cut off."""
    if cuts:
        units = math.floor(share * 100 * 10**DECIMALS)
        return rounded(Fraction(units, 10**DECIMALS), DECIMALS)
    return rounded(share * 100, DECIMALS)


# The cells of these numbers in a study: about the authors' images where these are proven, else redrawn ones.

_SUITE = "blindtest"
#: The paper's tables: the suite's task, and the study's table of it.
_TASKS = {f"task{table.number}": (table.task, table.name) for table in TABLES}
_ROWS = {word.lower(): word for word in WORDS}
#: Headings of the web page's columns, with which recorded outcomes are compared.
_RECORDED_MODELS = {
    "gpt-4o": "GPT-4o",
    "gemini-1.5-pro": "Gemini-1.5-Pro",
    "claude-3-sonnet": "Sonnet-3",
    "claude-3.5-sonnet": "Sonnet-3.5",
}
#: Rows that stand for guessing; two tables print no average.
_GUESSED_ROWS = {"task4": "circles", "task5": "squares"}
_accuracy = partial(CellRef, value="accuracy", k="k", n=("n",), low="low", high="high")
#: Rows that stand for a whole task in the summary; the shapes' two have a column each.
_SUMMED = ("average", "squares")
#: Numbers of answers in all rows of an average.
_IN_ALL = {"task1": 300, "task2": 1344, "task3": 2496, "task6": 528, "task7": 1072}
#: What release "final" draws differently from the paper's tables.
_CHANGED = ("line_intersection", "olympic_shapes", "nested_squares")


def cell(number: Number) -> CellRef | None:
    """Return the cell of an accuracy, or of guessing."""
    if number.table in _TASKS:
        rows = {"kind": "measured", "row": _ROWS.get(number.subset, number.subset)}
        n = int(number.denominator or _IN_ALL[number.table])
        task, table = _TASKS[number.table]
        drawn = _accuracy(table, rows=rows, asked={"n": n}, digits="printed")
        rows = {**rows, "kind": AUTHORS}
        original = replace(drawn, rows=rows, mark=MARK_OF_AUTHORS, data=(task,))
        return replace(drawn, original=original)
    if number.model == "random":
        rows = {"kind": "reference", "row": _GUESSED_ROWS.get(number.subset, "average")}
        return _accuracy(_TASKS[number.subset][1], rows=rows, model=GUESSING)
    return None


def quoted(number: Number) -> tuple[CellRef, ...]:
    """Return the cells of an accuracy: in its task's table, and of a column of the summary in that."""
    reference = cell(number) if number.table in _TASKS else None
    if reference is None:
        return ()
    column = _TASKS[number.table][0] if number.subset in _SUMMED else number.subset
    if column not in SUMMARY:
        return (reference,)
    return (reference, replace(reference, table=_SUITE, rows={**reference.rows, "row": column}))


def recorded(number: Number) -> CellRef | None:
    """Return the cell of an accuracy among the rescored recorded outcomes."""
    if number.table not in _TASKS:
        return None
    rows = {
        "source": "page",
        "task": _TASKS[number.table][0],
        "row": _ROWS.get(number.subset, number.subset),
    }
    model = _RECORDED_MODELS[number.model]
    return _accuracy("", rows=rows, model=model, reproduced="reproduced", reason="reason")


def size(number: Number) -> Size | None:
    """Return how a number of images is counted; only the suite's first copy of each task counts."""
    task, _, part = number.subset.partition("_")
    if number.metric != "n_images" or task not in _TASKS or part.startswith("per_"):
        return None
    figure = _TASKS[task][0]
    return Size(_SUITE, matching={"figure": figure, "stimulus_id": f"{figure}_{part}.*"})


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables that cannot be compared: tasks that are left out, or drawn as in the later release."""
    reasons = {}
    for task, table in _TASKS.values():
        if task not in settings["tasks"]:
            reasons[table] = (
                f"the study leaves out the task {task} (config key 'suites.blindtest.tasks')"
            )
        elif settings["prompts"] is not None:
            reasons[table] = (
                "the study asks with other prompts (config key 'suites.blindtest.prompts')"
            )
        elif settings["release"] != "v1" and task in _CHANGED:
            reasons[table] = (
                "the study draws the authors' later set (config key 'suites.blindtest.release'; v1 is the paper's)"
            )
    return reasons
