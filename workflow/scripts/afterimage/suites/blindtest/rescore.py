"""The paper's tables again, from recorded outcomes: ``afterimage rescore blindtest FOLDER``.

Every published cell is formed by the rules of this suite's own tables, printed as the paper prints
it, and compared with what was published. Where the two differ, the reason is worked out from the
numbers: see :mod:`afterimage.suites.blindtest.discrepancies`.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd
from tabulate import tabulate

from afterimage.errors import AfterimageError
from afterimage.showing.tables.columns import Row
from afterimage.showing.tables.declaration import Settings
from afterimage.showing.tables.rescored import (
    add_common_arguments,
    print_csv,
    print_table,
)
from afterimage.suites.blindtest.accuracy import task_frame
from afterimage.suites.blindtest.discrepancies import Explainer
from afterimage.suites.blindtest.outcomes import (
    agreement,
    as_grades,
    has_answers,
    of_release,
    read_recorded,
)
from afterimage.suites.blindtest.paper import (
    GRID_CORRECTED,
    MEAN_OF_ROWS,
    MODELS,
    PAGE,
    REPOSITORY,
    TABLES,
    Printed,
)
from afterimage.suites.blindtest.tables import summary_frame

CONFIDENCE = 0.95

_CELL = ["source", "task", "row", "model"]
_COUNTED = [
    *("n", "k", "accuracy", "low", "high", "clusters"),
    *("averaging", "printed"),
]
COLUMNS = (*_CELL, *_COUNTED, "published", "reproduced", "reason")


class _Source(NamedTuple):
    name: str
    title: str
    release: str
    table: Callable[[pd.DataFrame, Settings], pd.DataFrame]
    published: Printed


def rescore(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """Form every published cell from recorded outcomes and compare it with what was published.

    Args:
        folder: Holds ``outcomes.csv.gz``, ``stimuli.csv.gz`` and ``prompts.csv``.

    Returns:
        One row per published table (``source``), task, row and model: n answers, k right, accuracy,
        bounds in percent, the clusters behind them, ``averaging`` how an average is formed, ``printed``
        as the source prints, ``published`` what it printed, ``reproduced`` whether the two are
        equal, and where not, the ``reason``. Cells without outcomes have n empty; models of which
        nothing was published have ``published`` and ``reproduced`` empty.

    Raises:
        AfterimageError: The folder is not what :func:`outcomes.read_recorded` expects.
    """
    recorded = read_recorded(folder)
    if recorded.outcomes.empty:
        raise AfterimageError(f"{folder}: outcomes: no row at all; expected recorded outcomes.")
    settings = {"confidence": CONFIDENCE}
    frames = []
    for source in _sources():
        grades = as_grades(of_release(recorded.outcomes, source.release))
        cells = source.table(grades, settings)
        cells = _with_published(cells[cells["kind"] == "measured"], source.published)
        explainer = Explainer(cells, grades)
        reasons = [explainer.reason(cell) for cell in cells.to_dict(orient="records")]
        frames.append(cells.assign(source=source.name, reason=reasons))
    return pd.concat(frames, ignore_index=True)[list(COLUMNS)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common_arguments(
        parser,
        "outcomes.csv.gz, stimuli.csv.gz, prompts.csv and, if wanted, raw_answers.csv.gz",
    )


def run(options: argparse.Namespace) -> int:
    """Print the tables; cells that are not reproduced are listed, not an error."""
    cells = rescore(options.folder)
    if options.format == "csv":
        print_csv(cells)
        return 0
    print(as_text(cells))
    if has_answers(options.folder):
        print("\nRecorded answers, read by this suite's parsers\n")
        print_table(agreement(options.folder))
    return 0


def as_text(cells: pd.DataFrame) -> str:
    """Print the frame of :func:`rescore` as tables with models as columns, and what differs."""
    parts = []
    for source in _sources():
        of_source = cells[cells["source"] == source.name]
        parts.append(f"{source.title}\n")
        for task, of_task in of_source.groupby("task", sort=False):
            parts.append(f"{_grid(task, of_task)}\n")
        parts.append(f"{_summary(of_source)}\n")
    parts.append(
        "A star marks a cell that differs from the published one. Percent; decimals cut off or "
        "rounded as in the source."
    )
    return "\n".join(parts)


def _sources() -> tuple[_Source, ...]:
    return (
        _Source("page", "The paper's web page, July 2024", "v1", _task_tables, PAGE),
        _Source(
            "grid_corrected",
            "Grids in the authors' repository, from 2024-07-16 on",
            "final",
            _grid_table,
            GRID_CORRECTED,
        ),
        _Source(
            "repository",
            "Summary in the authors' repository, 2024-07-25",
            "final",
            _summary_table,
            REPOSITORY,
        ),
    )


def _task_tables(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return pd.concat(
        [task_frame(table, grades, settings).assign(task=table.task) for table in TABLES],
        ignore_index=True,
    )


def _grid_table(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return _task_tables(grades[grades["task"] == "grid"], settings)


def _summary_table(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return summary_frame(grades, settings, cuts_lines=True).assign(task="summary")


def _with_published(cells: pd.DataFrame, published: Printed) -> pd.DataFrame:
    quoted = pd.DataFrame(
        [
            (task, row, model, value)
            for task, rows in published.items()
            for row, values in rows.items()
            for model, value in zip(MODELS, values, strict=True)
        ],
        columns=["task", "row", "model", "published"],
    )
    merged = cells.merge(quoted, on=["task", "row", "model"], how="outer", sort=False)
    merged["reproduced"] = (merged["printed"] == merged["published"]).where(
        merged["published"].notna()
    )
    merged["accuracy"] = merged["accuracy"].astype(float)
    merged["place"] = [
        (
            _place(list(published), cell["task"]),
            _place(list(published.get(cell["task"], ())), cell["row"]),
            _place(MODELS, cell["model"]),
        )
        for cell in merged.to_dict(orient="records")
    ]
    return merged.sort_values("place", kind="stable").drop(columns="place").reset_index(drop=True)


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


def _grid(task: str, cells: pd.DataFrame) -> str:
    models = list(dict.fromkeys(cells["model"]))
    lines = []
    for row, of_row in cells.groupby("row", sort=False):
        printed = {cell["model"]: _printed(cell) for cell in of_row.to_dict(orient="records")}
        lines.append([row, *(printed.get(model, "") for model in models)])
    table: str = tabulate(
        lines,
        headers=[task, *models],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["left", *["right"] * len(models)],
    )
    return table


def _printed(cell: Row) -> str:
    if pd.isna(cell["n"]):
        return "no outcomes *"
    star = " *" if cell["reproduced"] is False else "  "
    counted = cell["averaging"] != MEAN_OF_ROWS
    counts = f" ({cell['k']}/{cell['n']})" if counted else ""
    return f"{cell['printed']}{counts}{star}"


def _summary(cells: pd.DataFrame) -> str:
    quoted = cells[cells["published"].notna()]
    same = quoted["reproduced"].eq(True)
    lines = [f"{int(same.sum())} of {len(quoted)} published cells are reproduced."]
    for cell in quoted[~same].to_dict(orient="records"):
        found = "no outcomes" if pd.isna(cell["n"]) else f"found {cell['printed']}"
        lines.append(
            f"  {cell['task']}, {cell['row']}, {cell['model']}: published {cell['published']}, "
            f"{found}: {cell['reason']}"
        )
    return "\n".join(lines)
