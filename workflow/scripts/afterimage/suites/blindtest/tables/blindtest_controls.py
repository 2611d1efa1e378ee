"""Controls beside the tasks that they belong to: what the page's argument rests on and prints no number of.

Its models read each string and name a plain red shape (task 3) and count shapes that lie apart (task 4), so that their
errors are said to be of sight at close quarters. One row per control, ``row`` and model: ``n`` answers, ``k`` right,
``unparsed_k``, ``accuracy`` with the bounds ``low`` and ``high`` in percent, ``clusters``; and the same of the task,
``task_n`` to ``task_clusters``: of the same string or the same shapes; of plain shapes all circled letters.
"""

from collections.abc import Iterator
from fractions import Fraction

import pandas as pd

from afterimage.showing.columns import Share, Text
from afterimage.showing.composed import measured, within
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.references import Reference, guess
from afterimage.showing.values import (
    Bounds,
    Distinct,
    Group,
    Value,
    Worked,
    answers,
    outcomes,
    right,
)
from afterimage.suites.blindtest.factors import OUTLINES, WORDS
from afterimage.suites.blindtest.recorded_rows import own
from afterimage.suites.blindtest.tables.accuracy import GUESSING, base_figures

#: Control to its rows, the task beside it, and whether that stands row by row.
_BESIDE = {
    "plain_string": (WORDS, "circled_letter", True),
    "plain_shape": (OUTLINES, "circled_letter", False),
    "shapes_apart": (("circles", "pentagons"), "olympic_shapes", True),
}


def _rows(grades: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part the answers by control and row; with each stand those to its task. What others recorded has no controls."""
    given = own(grades)
    for control, (rows, task, by_row) in _BESIDE.items():
        asked = given[given["task"] == control]
        beside = given[given["task"] == task]
        for row in rows:
            of_row = asked[asked["subtask"] == row]
            if of_row.empty:
                continue
            of_task = beside[beside["subtask"] == row] if by_row else beside
            both = pd.concat([of_row, of_task[of_task["model"].isin(of_row["model"])]])
            yield {"control": control, "row": row, "task": task}, both


def _is_control(given: pd.DataFrame) -> "pd.Series[bool]":
    return given["task"].isin(_BESIDE)


def _exact(group: Group) -> tuple[float | None]:
    right_ones = [Fraction(one) for one in group.answers["correct"]]
    return (float(100 * sum(right_ones, Fraction()) / len(right_ones)) if right_ones else None,)


def _values() -> tuple[Value, ...]:
    return (
        answers(),
        *measured(right("k"), *(value for value in outcomes() if value.names == ("unparsed_k",))),
        Worked(("accuracy",), _exact),
        *measured(Bounds("low", "high", clusters=base_figures)),
        Distinct("clusters", base_figures),
    )


def _share(header: str, prefix: str) -> Share:
    names = {name: f"{prefix}{name}" for name in ("n", "low", "high")}
    return Share(header, f"{prefix}k", **names, decimals=1, value=f"{prefix}accuracy")


TABLE = Table(
    "blindtest_controls",
    "BlindTest: what the argument rests on, beside the tasks",
    rows=(_rows, By("model", references=(Reference(GUESSING, guess),))),
    csv=(
        *("kind", "control", "row", "model"),
        *within("", _is_control, _values()),
        "task",
        *within("task_", lambda given: ~_is_control(given), _values()),
    ),
    columns=(
        Text("Control", "control"),
        Text("Of", "row"),
        Text("Model", "model"),
        _share("Control", ""),
        Text("Task", "task"),
        _share("Task's accuracy", "task_"),
    ),
    notes=(
        "Percent, rounded half up (right/answers); prompts pooled. plain_string: a string without an oval, all of it "
        "read, whatever the case of its letters. plain_shape: one red outline. shapes_apart: the overlapping shapes, "
        "moved apart.",
        "Beside plain_string stand the letters circled in that string, beside plain_shape all circled letters, beside "
        "shapes_apart the same shapes, overlapping.",
        "The page says that its models do all of this without an error; nothing of it is recorded. Uniform guessing: "
        "one of the possible answers at random, of a string one of the three.",
        interval_note("figures, each with all of its renderings and prompts"),
    ),
    split_by="Control",
)
