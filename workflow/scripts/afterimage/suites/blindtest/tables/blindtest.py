"""All tasks on one page: one value per column of the paper's summary, and their mean.

The paper's summary has eight columns, since circles and pentagons are one each, and its overall
accuracy is their plain mean: the printed averages of the seven tables give Sonnet-3.5 73.77 and all
four models 56.20, as the abstract of the first version says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from afterimage.showing.bounds import in_percent, mean_of_separate
from afterimage.showing.compute import as_frame, rows_of
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.model_pairs import pairs_table
from afterimage.showing.outcomes import OUTCOME_COUNTS
from afterimage.showing.references import MEASURED
from afterimage.suites.blindtest.names import AUTHORS, SUMMARY
from afterimage.suites.blindtest.recorded_rows import is_about_authors, is_recorded, told_apart
from afterimage.suites.blindtest.tables.accuracy import (
    CONSTANT,
    MEAN,
    NOTES,
    RECORDED,
    base_figures,
    csv_of,
    of_task,
    paper_form,
    readers_columns,
    recorded_elsewhere,
    recorded_pairs,
    share_of_rows,
    task,
)
from afterimage.suites.blindtest.tables.paper_rows import (
    AVERAGE,
    LINES,
    MEAN_OF_ROWS,
    TABLES,
    PaperTable,
    printed,
)

if TYPE_CHECKING:
    from afterimage.showing.bounds import Share

_CSV = csv_of(LINES)

Cells = Mapping[str, Any]


# A function: the rows are those of seven other tables, and means of them.
def summary_frame(
    grades: pd.DataFrame, settings: Settings, cuts_lines: bool | None = None
) -> pd.DataFrame:
    """Collect the average of each task, and form their mean.

    Args:
        grades: Graded answers of all models and tasks, factors as columns.
        settings: "confidence", "resamples" and "seed".
        cuts_lines: Whether the digits of the lines' column are cut off; as in their own table by
            default.

    Returns:
        The columns of :func:`accuracy.csv_of`. ``row`` is the task, "circles" and "pentagons" for
        the shapes, then "mean": the unweighted mean of the columns that the model has, all eight in
        a complete run. Its constant answer is a different one in each column.
    """
    grades = told_apart(grades)
    lines = LINES if cuts_lines is None else replace(LINES, cuts_average=cuts_lines)
    columns = [
        {**row, "row": _column(paper, row)}
        for paper in (lines, *TABLES[1:])
        for row in rows_of(task(paper), grades, settings)
        if paper.averaging is None or row["row"] == AVERAGE
    ]
    found = dict.fromkeys(row["model"] for row in columns)
    models = [model for model in grades["model"].unique() if model in found]
    rows = []
    for model in dict.fromkeys((*models, *found)):
        own = [row for row in columns if row["model"] == model]
        rows += [*own, _mean(own)]
        if model in models:
            shares = list(_shares(grades[grades["model"] == model], settings))
            rows[-1]["low"], rows[-1]["high"] = in_percent(mean_of_separate(shares, settings))
            rows[-1]["clusters"] = sum(share.clusters for share in shares)
    return as_frame(rows, _CSV)


def _shares(grades: pd.DataFrame, settings: Settings) -> Iterator[Share]:
    """Yield what one model has in each of the paper's columns; no two of them show the same image."""
    for paper in TABLES:
        given = of_task(grades, paper)
        parts = [own for _, own in given.groupby("row")] if paper.averaging is None else [given]
        yield from (share_of_rows(paper, own, settings) for own in parts if len(own))


def _column(paper: PaperTable, row: Cells) -> str:
    is_subtask = paper.averaging is None and paper.one_row is None
    return str(row["row"]) if is_subtask else paper.task


def _mean(rows: Sequence[Cells]) -> Cells:
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
    return None if None in counts else sum(counts)


TABLE = Table(
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
    """Return the answers of all tasks with their kind: of the study's models, or of those whom others recorded.

    The latter were asked about the authors' images: they are compared with each other, and corrected apart.
    """
    given = pd.concat([of_task(grades, paper) for paper in TABLES])
    kinds = is_recorded(given).map({False: MEASURED, True: RECORDED})
    kinds = kinds.where(~is_about_authors(given), AUTHORS)
    return given.assign(figure_drawn=base_figures(given), kind=kinds)


PAIRS = pairs_table(
    "pairs_blindtest",
    "BlindTest: models compared on the same questions",
    _compared,
    by=("task", "kind"),
    cluster="figure_drawn",
    clusters="figures, each with all of its renderings",
    family=("kind",),
    notes=(recorded_elsewhere, recorded_pairs),
)
