"""All tasks on one page: one value per column of the paper's summary, and their mean.

The paper's summary has eight columns, since circles and pentagons are one each, and its overall
accuracy is their plain mean: the printed averages of the seven tables give Sonnet-3.5 73.77 and all
four models 56.20, as the abstract of the first version says.
"""

from collections.abc import Sequence

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.suites.blindtest.tables.accuracy import (
    AVERAGE,
    CONSTANT,
    Cell,
    accuracy_table,
    baseline_cells,
    framed,
    mean_of_cells,
    model_cells,
)
from afterimage.suites.blindtest.tables.paper_rows import TABLES, PaperTable

#: The mean over all columns.
MEAN = "mean"


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
        The columns of :data:`accuracy.CSV`. ``row`` is the task, "circles" and "pentagons" for
        the shapes, then "mean": the unweighted mean of the columns that the model has, all eight in
        a complete run. Its constant answer is a different one in each column.
    """
    columns = [
        (_column(paper_table, cell), paper_table, cell)
        for paper_table in TABLES
        for cell in (
            *model_cells(grades, paper_table, settings),
            *baseline_cells(grades, paper_table),
        )
        if _is_summary(paper_table, cell)
    ]
    cells: list[Cell] = []
    cuts: list[bool] = []
    for model in _in_order([str(cell.values["model"]) for _, _, cell in columns], grades):
        own = [entry for entry in columns if entry[2].values["model"] == model]
        for name, paper_table, cell in own:
            cells.append(cell._replace(values=cell.values | {"row": name}))
            is_lines = paper_table.task == "line_intersection" and cuts_lines is not None
            cuts.append(cuts_lines if is_lines else _cuts(paper_table))
        cells.append(mean_of_cells(model, MEAN, [cell for _, _, cell in own]))
        cuts.append(False)
    return framed(cells, cuts)


def _is_summary(paper_table: PaperTable, cell: Cell) -> bool:
    return paper_table.averaging is None or cell.values["row"] == AVERAGE


def _column(paper_table: PaperTable, cell: Cell) -> str:
    if paper_table.averaging is None and paper_table.one_row is None:
        return str(cell.values["row"])
    return paper_table.task


def _cuts(paper_table: PaperTable) -> bool:
    return paper_table.cuts_average if paper_table.averaging else paper_table.cuts_rows


def _in_order(found: Sequence[str], grades: pd.DataFrame) -> list[str]:
    models = [model for model in grades["model"].unique() if model in found]
    return models + [name for name in dict.fromkeys(found) if name not in models]


TABLE = accuracy_table(
    "blindtest",
    "BlindTest: accuracy per task, and the mean over tasks",
    summary_frame,
    (
        "Each row is the average of a task's own table, printed as there; the paper prints none for shapes, so circles "
        "and pentagons have a row each.",
        "Mean: plain mean of the rows, as in the paper, rounded. Its clustered interval takes the Wilson intervals of "
        "rows without clusters.",
        f"The mean of '{CONSTANT}' takes the best answer of each row.",
    ),
)
