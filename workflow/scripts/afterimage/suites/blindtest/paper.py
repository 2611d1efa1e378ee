"""Where a study has the numbers of BlindTest: about the authors' images where these are proven, else redrawn ones."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from afterimage.contract.paper import Number, Place, Size
from afterimage.suites.blindtest.names import AUTHORS, MARK_OF_AUTHORS, SUMMARY, WORDS
from afterimage.suites.blindtest.published import TABLES

_SUITE = "blindtest"
#: The paper's tables: the suite's task, and the study's table of it.
_TASKS = {f"task{table.number}": (table.task, table.name) for table in TABLES}
_ROWS = {word.lower(): word for word in WORDS}
#: How the web page's columns are headed, which recorded outcomes are compared with.
_RECORDED_MODELS = {
    "gpt-4o": "GPT-4o",
    "gemini-1.5-pro": "Gemini-1.5-Pro",
    "claude-3-sonnet": "Sonnet-3",
    "claude-3.5-sonnet": "Sonnet-3.5",
}
#: The row that stands for guessing; two tables print no average.
_GUESSING = "uniform guessing"
_GUESSED_ROWS = {"task4": "circles", "task5": "squares"}
_accuracy = partial(Place, value="accuracy", k="k", n=("n",), low="low", high="high")
#: Rows that stand for a whole task in the summary; the shapes' two have a column each.
_SUMMED = ("average", "squares")
#: How many answers the rows of an average have together.
_IN_ALL = {"task1": 300, "task2": 1344, "task3": 2496, "task6": 528, "task7": 1072}
#: What release "final" draws otherwise than the paper's tables had it.
_CHANGED = ("line_intersection", "olympic_shapes", "nested_squares")


def place(number: Number) -> Place | None:
    """Return where an accuracy stands, or what guessing gives."""
    if number.table in _TASKS:
        rows = {"kind": "measured", "row": _ROWS.get(number.subset, number.subset)}
        asked = int(number.denominator or _IN_ALL[number.table])
        task, table = _TASKS[number.table]
        drawn = _accuracy(table, rows=rows, asked={"n": asked}, digits="printed")
        rows = {**rows, "kind": AUTHORS}
        original = replace(drawn, rows=rows, mark=MARK_OF_AUTHORS, data=(task,))
        return replace(drawn, original=original)
    if number.model == "random":
        rows = {"kind": "reference", "row": _GUESSED_ROWS.get(number.subset, "average")}
        return _accuracy(_TASKS[number.subset][1], rows=rows, model=_GUESSING)
    return None


def quoted(number: Number) -> tuple[Place, ...]:
    """Return the cells of an accuracy: in its task's table, and of a column of the summary in that."""
    found = place(number) if number.table in _TASKS else None
    if found is None:
        return ()
    column = _TASKS[number.table][0] if number.subset in _SUMMED else number.subset
    if column not in SUMMARY:
        return (found,)
    return (found, replace(found, table=_SUITE, rows={**found.rows, "row": column}))


def recorded(number: Number) -> Place | None:
    """Return where an accuracy stands among the rescored recorded outcomes."""
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
