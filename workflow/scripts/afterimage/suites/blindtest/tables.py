"""Tables of BlindTest: the paper's summary, the controls, wrong letters, and people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from afterimage.showing.tables.accuracy import OUTCOME_COUNTS
from afterimage.showing.tables.baselines import (
    MEASURED,
    Reference,
    guess,
    measured,
    right_or_expected,
)
from afterimage.showing.tables.bounds import (
    in_percent,
    interval_note,
    mean_of_separate,
    share_bounds,
)
from afterimage.showing.tables.columns import Row, Share, Text, bounds_text, rounded
from afterimage.showing.tables.compute import as_frame, rows_of
from afterimage.showing.tables.declaration import Across, By, Settings, Table, side_by_side
from afterimage.showing.tables.pairs import pairs_table
from afterimage.showing.tables.values import (
    Bounds,
    Count,
    Distinct,
    Group,
    Percent,
    Value,
    Worked,
    answers,
    outcomes,
    right,
    within,
)
from afterimage.suites.blindtest.accuracy import (
    CLUSTERS,
    CONSTANT,
    MEAN,
    NOTES,
    RECORDED,
    RECORDED_COUNTS,
    RECORDED_ELSEWHERE,
    RECORDED_PAIRS,
    base_figures,
    csv_of,
    of_task,
    paper_form,
    readers_columns,
    share_of_rows,
    task_table,
)
from afterimage.suites.blindtest.names import AUTHORS, OUTLINES, SUMMARY, WORDS
from afterimage.suites.blindtest.paper import (
    AVERAGE,
    GUESSING,
    LETTERS,
    LINES,
    MEAN_OF_ROWS,
    TABLES,
    PaperTable,
    printed,
)
from afterimage.suites.blindtest.recorded import (
    is_about_authors,
    is_recorded,
    mark_authors,
    of_drawn_images,
)
from afterimage.suites.thresholds.people_table import Sought, people_table

if TYPE_CHECKING:
    from afterimage.showing.tables.bounds import Share as BoundedShare


# All tasks on one page: one value per column of the paper's summary, and their mean.
#
# The paper's summary has eight columns, since circles and pentagons are one each, and its overall
# accuracy is their plain mean: the printed averages of the seven tables give Sonnet-3.5 73.77 and all
# four models 56.20, as the abstract of the first version says.

_CSV = csv_of(LINES)

Cells = Mapping[str, Any]


# A function: the rows are those of seven other tables, and means of them.
def summary_frame(
    grades: pd.DataFrame, settings: Settings, cuts_lines: bool | None = None
) -> pd.DataFrame:
    """Collect the average of each task, and form their mean.

    Args:
        settings: "confidence", "resamples" and "seed".
        cuts_lines: Whether the digits of the lines' column are cut off; as in their own table by
            default.

    Returns:
        The columns of :func:`accuracy.csv_of`. ``row`` is the task, "circles" and "pentagons" for
        the shapes, then "mean": the unweighted mean of the columns that the model has, all eight in
        a complete run. Its constant answer is a different one in each column.
    """
    grades = mark_authors(grades)
    lines = LINES if cuts_lines is None else replace(LINES, cuts_average=cuts_lines)
    columns = [
        {**row, "row": _column(paper, row)}
        for paper in (lines, *TABLES[1:])
        for row in rows_of(task_table(paper), grades, settings)
        if paper.averaging is None or row["row"] == AVERAGE
    ]
    present = dict.fromkeys(row["model"] for row in columns)
    models = [model for model in grades["model"].unique() if model in present]
    rows: list[dict[str, Any]] = []
    for model in dict.fromkeys((*models, *present)):
        of_model = [row for row in columns if row["model"] == model]
        rows += [*of_model, _mean(of_model)]
        if model in models:
            shares = list(_shares(grades[grades["model"] == model], settings))
            rows[-1]["low"], rows[-1]["high"] = in_percent(mean_of_separate(shares, settings))
            rows[-1]["clusters"] = sum(share.clusters for share in shares)
    return as_frame(rows, _CSV)


def _shares(grades: pd.DataFrame, settings: Settings) -> Iterator[BoundedShare]:
    """Yield one model's share in each of the paper's columns; no two columns show the same image."""
    for paper in TABLES:
        graded = of_task(grades, paper)
        parts = (
            [group for _, group in graded.groupby("row")] if paper.averaging is None else [graded]
        )
        yield from (share_of_rows(paper, part, settings) for part in parts if len(part))


def _column(paper: PaperTable, row: Cells) -> str:
    is_subtask = paper.averaging is None and paper.one_row is None
    return str(row["row"]) if is_subtask else paper.task


def _mean(rows: Sequence[Cells]) -> dict[str, Any]:
    """Return the unweighted mean of rows; counts are summed."""
    accuracies = [row["accuracy"] for row in rows]
    prompts = {row["prompts"] for row in rows}
    return {
        **{name: rows[0][name] for name in ("kind", "model")},
        **{name: _sum([row[name] for row in rows]) for name in ("n", "k", *OUTCOME_COUNTS)},
        "prompts": prompts.pop() if len(prompts) == 1 else None,
        "row": MEAN,
        "averaging": MEAN_OF_ROWS,
        "accuracy": sum(accuracies) / len(rows),
        "printed": printed(sum(accuracies) / len(rows) / 100, cuts=False),
    }


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


BLINDTEST = Table(
    "blindtest",
    "BlindTest: accuracy per task, and the mean over tasks",
    rows=summary_frame,
    csv=_CSV,
    columns=readers_columns(SUMMARY, between="\n"),
    readers=paper_form,
    notes=(
        "Each column is the average of a task's own table, printed as there; the paper prints none for shapes, so "
        "circles and pentagons have a column each.",
        "Mean: plain mean of the columns, as in the paper, rounded.",
        f"The mean of '{CONSTANT}' takes the best answer of each column.",
        *NOTES,
    ),
)


def _compared(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers of all tasks with their kind: of the study's models, or recorded elsewhere.

    The latter are about the authors' images: they are compared with each other, and corrected separately.
    """
    graded = pd.concat([of_task(grades, paper) for paper in TABLES])
    kinds = is_recorded(graded).map({False: MEASURED, True: RECORDED})
    kinds = kinds.where(~is_about_authors(graded), AUTHORS)
    return graded.assign(figure_drawn=base_figures(graded), kind=kinds)


PAIRS = pairs_table(
    "pairs_blindtest",
    "BlindTest: models compared on the same questions",
    _compared,
    by=("task", "kind"),
    cluster="figure_drawn",
    clusters="figures, each with all of its renderings",
    family=("kind",),
    notes=(RECORDED_ELSEWHERE, RECORDED_PAIRS),
)


# Controls and their tasks: the page's argument rests on the controls but prints no number of them.
#
# Its models read each string and name a plain red shape (task 3) and count shapes that lie apart (task 4), so that
# their errors are said to be of sight at close quarters. One row per control, ``row`` and model: ``n`` answers, ``k``
# right, ``unparsed_k``, ``accuracy`` with the bounds ``low`` and ``high`` in percent, ``clusters``; and the same of
# the task, ``task_n`` to ``task_clusters``: of the same string or the same shapes; of plain shapes all circled
# letters.

#: Control to its rows, its task, and whether that is split by row.
_CONTROLS = {
    "plain_string": (WORDS, "circled_letter", True),
    "plain_shape": (OUTLINES, "circled_letter", False),
    "shapes_apart": (("circles", "pentagons"), "olympic_shapes", True),
}


def _rows(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Group the answers by control and row, each with those to its task. Recorded answers have no controls."""
    graded = of_drawn_images(grades)
    for control, (rows, task, by_row) in _CONTROLS.items():
        of_control = graded[graded["task"] == control]
        of_its_task = graded[graded["task"] == task]
        for row in rows:
            of_row = of_control[of_control["subtask"] == row]
            if of_row.empty:
                continue
            of_task = of_its_task[of_its_task["subtask"] == row] if by_row else of_its_task
            both = pd.concat([of_row, of_task[of_task["model"].isin(of_row["model"])]])
            yield {"control": control, "row": row, "task": task}, both


def _is_control(graded: pd.DataFrame) -> pd.Series[bool]:
    return graded["task"].isin(_CONTROLS)


def _values() -> tuple[Value, ...]:
    return (
        answers(),
        *measured(right("k"), *(value for value in outcomes() if value.names == ("unparsed_k",))),
        right_or_expected("k"),
        *measured(Bounds("low", "high", clusters=base_figures)),
        Distinct("clusters", base_figures),
    )


def _share(header: str, prefix: str) -> Share:
    k, n, low, high, value = (f"{prefix}{name}" for name in ("k", "n", "low", "high", "accuracy"))
    return Share(header, k, n, low, high, decimals=1, value=value)


BLINDTEST_CONTROLS = Table(
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
        "plain_string is compared with the letters circled in that string, plain_shape with all "
        "circled letters, shapes_apart with the same shapes overlapping.",
        "The page says that its models do all of this without an error; nothing of it is recorded. Uniform guessing: "
        "one of the possible answers at random, of a string one of the three.",
        interval_note(CLUSTERS),
    ),
    split_by="Control",
)


# Wrong letters by their distance from the oval (paper, task 3: "VLMs tend to predict letters adjacent to" it).
#
# One row per string ("all" for all of them), model and ``distance``: how many positions in the string the answered
# letter lies from the circled one, the nearest where the string has it more than once; "4 or more"; or "not in the
# string". ``n`` such answers out of the ``total`` wrong letters that could be read, ``share`` in percent with the
# bounds ``low`` and ``high``, and ``by_chance``: the share, in percent, if each of these answers were any other letter
# of the string.

#: All strings together, in the column "word".
ALL = "all"
FAR, ELSEWHERE = "4 or more", "not in the string"
DISTANCES = ("1", "2", "3", FAR, ELSEWHERE)


@cache
def distances(word: str, index: int) -> Mapping[str, str]:
    """Return the distance of each letter of a word, in lower case, from a position in it, whose letter is left out."""
    nearest: dict[str, int] = {}
    for position, letter in enumerate(word.lower()):
        nearest[letter] = min(abs(position - index), nearest.get(letter, len(word)))
    del nearest[word.lower()[index]]
    return {letter: str(far) if far < 4 else FAR for letter, far in nearest.items()}


def _wrong(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the wrong letters that could be read, with their ``distance`` and that of the other letters."""
    graded = of_task(grades, LETTERS)
    graded = graded[graded["answer"].notna() & ~graded["correct"].astype(bool)]
    # A study without this task has no such factors.
    graded = graded.reindex(columns=[*dict.fromkeys([*graded.columns, "word", "letter_index"])])
    from_oval = [
        distances(word, int(index))
        for word, index in zip(graded["word"], graded["letter_index"], strict=True)
    ]
    return graded.assign(
        cluster=base_figures(graded),
        distance=[
            by_letter.get(answer, ELSEWHERE)
            for by_letter, answer in zip(from_oval, graded["answer"], strict=True)
        ],
        expected=from_oval,
    )


def _bounds(group: Group) -> tuple[float, float]:
    is_there = group.above["distance"] == group.row["distance"]
    return share_bounds(is_there, group.above["cluster"], group.settings)


def _by_chance(group: Group) -> tuple[float]:
    """Return the mean share of the string's other letters that lie at this distance, in percent."""
    shares = [
        Fraction(list(by_letter.values()).count(group.row["distance"]), len(by_letter))
        for by_letter in group.above["expected"]
    ]
    return (float(100 * sum(shares, Fraction()) / len(shares)),)


def _cell(row: Row) -> str:
    """Print ``55.2 (96/174) [47.8, 62.4]`` and, below, what chance gives."""
    printed = rounded(Fraction(100 * row["n"], row["total"]), 1)
    share = f"{printed} ({row['n']}/{row['total']})"
    chance = rounded(Fraction(row["by_chance"]), 1)
    bounds = bounds_text(row, "low", "high", 1, optional=True)
    return printed.with_text(f"{share}{bounds}\n{chance} by chance")


BLINDTEST_WRONG_LETTERS = Table(
    "blindtest_wrong_letters",
    "Circled letter: how far from the oval wrong letters stand",
    of=_wrong,
    rows=(
        By("word", first=LETTERS.rows, total=ALL),
        By("model"),
        By("distance", levels=DISTANCES),
    ),
    csv=(
        *("word", "model", "distance"),
        *(Count("n"), Count("total", above=True), Percent("share", "n", "total")),
        Worked(("low", "high"), _bounds),
        Worked(("by_chance",), _by_chance),
    ),
    columns=(
        Text("String", "word"),
        Text("Model", "model"),
        Across(_cell, {FAR: FAR, ELSEWHERE: ELSEWHERE}),
    ),
    readers=partial(side_by_side, rows=("word", "model"), across="distance", sums=(), but=()),
    notes=(
        "Percent of the wrong letters that could be read, rounded half up (answers/wrong letters); prompts pooled. Who "
        "has given none has no row. A column for each number of places between the answered letter and the circled "
        "one, the nearest where the string has it twice.",
        "By chance: the share if each of these answers were any other letter of the string.",
        interval_note(CLUSTERS),
        RECORDED_ELSEWHERE,
        RECORDED_COUNTS,
    ),
    split_by="String",
)


# ---- People ----

SOUGHT = Sought(
    "accuracy",
    "Right, %",
    "Right: of the pictures that were put, the same for everybody, drawn by lot from the paper's set.",
    None,
    decimals=1,
)

BLINDTEST_PEOPLE = people_table(
    "blindtest_people", "BlindTest by people", "blindtest", ("Task", "Part"), SOUGHT
)
