"""Accuracy per model and row, with intervals, averages, and the two baselines it is read against."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.columns import Interval, Printed, Row, Text, bounds_text
from afterimage.showing.compute import as_frame
from afterimage.showing.declaration import Note, Settings, Table
from afterimage.showing.missing import is_missing
from afterimage.showing.outcomes import UNPARSED_OF_SOME
from afterimage.showing.values import (
    Bounds,
    Distinct,
    Percent,
    Resampled,
    answers,
    outcomes,
    right,
    worked,
)
from afterimage.statistics.averages import mean_interval
from afterimage.suites.blindtest.factors import answer_set
from afterimage.suites.blindtest.tables.notes import pooled_repeats, row_notes
from afterimage.suites.blindtest.tables.paper_rows import PaperTable, printed, row_order

AVERAGE = "average"

#: Rows of reference stand for no model; their "kind" is "reference", all others' is "measured".
GUESSING = "uniform guessing"
CONSTANT = "always the same answer"

_COUNTS = (answers(), right("k"), *outcomes())
_BOUNDS = Bounds("low", "high", "k")
_CLUSTERED = (
    Distinct("clusters", "base_figure"),
    Resampled("cluster_low", "cluster_high", clusters="base_figure"),
)
#: What a table of accuracies holds: per model, and then for the two baselines, the paper's rows and its average. ``n``
#: answers, ``k`` right (of an average: pooled), ``unparsed_k`` that could not be read (they count as wrong),
#: ``accuracy``, ``low`` and ``high`` its Wilson interval, ``cluster_low`` and ``cluster_high``, where the task has base
#: figures drawn at random, its bootstrap interval over these ``clusters``, all in percent; ``averaging`` how an average
#: is formed ("pooled" or "mean of rows"; bounds of the latter by :func:`averages.mean_interval`); ``printed`` the
#: accuracy as the paper prints it. Of the constant answer, ``answer`` is which, the best one for that row; ``n`` counts
#: items.
CSV = (
    *("kind", "model", "prompts", "row"),
    *_COUNTS,
    Percent("accuracy", "k"),
    _BOUNDS,
    *_CLUSTERED,
    *("averaging", "answer", "printed"),
)
#: What is summed where rows are averaged.
_SUMMED = tuple(count.name for count in _COUNTS)

_NEEDED = (
    "item_id",
    "model",
    "task",
    "release",
    "prompt",
    "key",
    "outcome",
    "correct",
    "subtask",
    "base_figure",
)


def task(name: str, paper: PaperTable, *notes: str) -> Table:
    """Declare the table of one task.

    Args:
        name: Of the table.
        paper: Which task, and how the paper forms its rows.
        notes: Sentences that belong to this table alone.
    """
    return accuracy_table(
        name, paper.title, partial(task_frame, paper), (*notes, *row_notes(paper))
    )


def accuracy_table(
    name: str,
    title: str,
    rows: Callable[[pd.DataFrame, Settings], pd.DataFrame],
    notes: Sequence[Note],
) -> Table:
    """Declare a table of accuracies, whose frame is made by :func:`framed`."""
    return Table(
        name,
        title,
        rows=rows,
        csv=CSV,
        columns=(
            Text("Model", "model"),
            Text("Prompts", "prompts", optional=True),
            Text("Row", "row"),
            Printed("Accuracy", _accuracy),
            Interval("Clustered interval", "cluster_low", "cluster_high"),
            *UNPARSED_OF_SOME,
            Text("Constant answer", "answer", optional=True),
        ),
        notes=(
            *notes,
            "Below the accuracy: Wilson {coverage} interval, as if all answers were independent. Of a plain mean, it "
            "follows from the intervals of its rows.",
            "Clustered interval, where the images are renderings of fewer figures drawn at random: percentile "
            "bootstrap over these figures ({resamples} resamples, seed {seed}).",
            "Unparsed: answers that could not be read; they count as wrong.",
            pooled_repeats,
            "Uniform guessing: one of the possible answers at random (of a circled letter, one of the string's "
            "different letters); the expected accuracy. Always the same answer: the one answer that is right most "
            "often in that row, and for an average the one that is best over the whole table; worked out from the "
            "keys of the items.",
        ),
    )


def task_frame(
    paper: PaperTable, grades: pd.DataFrame, settings: Settings, cuts_average: bool | None = None
) -> pd.DataFrame:
    """Form the rows of one task's table.

    Args:
        paper: Which task, and how the paper forms its rows.
        grades: Graded answers of all models and tasks, factors as columns.
        settings: "confidence"; "resamples" and "seed" of the bootstrap.
        cuts_average: Overrides how the average is printed.

    Returns:
        The columns of :data:`CSV`; empty where the grades hold nothing of the task.

    Raises:
        AfterimageError: A column is missing, or a key is no possible answer.
    """
    cells = [*model_cells(grades, paper, settings), *baseline_cells(grades, paper)]
    cuts = paper.cuts_average if cuts_average is None else cuts_average
    return framed(
        cells, [cuts if cell.values["row"] == AVERAGE else paper.cuts_rows for cell in cells]
    )


class Cell(NamedTuple):
    """One row of a table, before it is printed.

    Attributes:
        values: The row's columns, those of :data:`CSV` without "accuracy" and "printed".
        share: The exact accuracy, 0 to 1.
    """

    values: dict[str, object]
    share: Fraction


def framed(cells: Sequence[Cell], cuts: Sequence[bool]) -> pd.DataFrame:
    """Turn cells into a table's frame; ``cuts`` says of each whether its digits are cut off."""
    rows = [
        cell.values | {"accuracy": 100 * float(cell.share), "printed": printed(cell.share, cut)}
        for cell, cut in zip(cells, cuts, strict=True)
    ]
    return as_frame(rows, CSV)


def of_task(grades: pd.DataFrame, table: PaperTable) -> pd.DataFrame:
    """Return the grades of one task with the column "row", the paper's row of each answer.

    Raises:
        AfterimageError: A column is missing, a factor of the task is, or releases are mixed.
    """
    missing = [name for name in _NEEDED if name not in grades.columns]
    if missing:
        raise AfterimageError(
            f"grades: column '{missing[0]}' is missing; expected {', '.join(_NEEDED)}."
        )
    chosen = grades[grades["task"] == table.task]
    for name in ("subtask", "base_figure") if table.clustered else ("subtask",):
        unset = chosen[chosen[name].isna()]
        if len(unset):
            raise AfterimageError(
                f"grades of task '{table.task}': item '{unset.iloc[0]['item_id']}' has no factor "
                f"'{name}'; expected one on every item."
            )
    releases = sorted(chosen["release"].unique())
    if len(releases) > 1:
        raise AfterimageError(
            f"grades of task '{table.task}': they come from the releases {', '.join(releases)}; "
            "expected one, since different images have the same rows."
        )
    return chosen.assign(row=table.one_row or chosen["subtask"])


def model_cells(grades: pd.DataFrame, table: PaperTable, settings: Settings) -> list[Cell]:
    """Return the cells of every model: the rows that occur, then the average."""
    chosen = of_task(grades, table)
    cells: list[Cell] = []
    for model, given in chosen.groupby("model", sort=False):
        rows = [
            _measured(model, name, given[given["row"] == name], table, settings)
            for name in row_order(table, given["row"])
        ]
        cells += rows
        if table.averaging == "pooled":
            pooled = _measured(model, AVERAGE, given, table, settings)
            cells.append(pooled._replace(values=pooled.values | {"averaging": "pooled"}))
        elif table.averaging:
            cells.append(mean_of_cells(model, AVERAGE, rows))
    return cells


def mean_of_cells(model: str, name: str, cells: Sequence[Cell]) -> Cell:
    """Return the unweighted mean of independent cells; counts are summed.

    A clustered interval takes the Wilson bounds of those cells that have no clusters.
    """
    values: dict[str, object] = {
        "kind": cells[0].values["kind"],
        "model": model,
        "prompts": _common([cell.values.get("prompts") for cell in cells]),
        "row": name,
        "averaging": "mean of rows",
    }
    for count in _SUMMED:
        found = [cell.values.get(count) for cell in cells]
        values[count] = None if any(pd.isna(value) for value in found) else sum(found)
    measured = values["kind"] == "measured"
    if measured:
        values["low"], values["high"] = _mean_bounds(cells, clustered=False)
    if measured and any("clusters" in cell.values for cell in cells):
        values["cluster_low"], values["cluster_high"] = _mean_bounds(cells, clustered=True)
    return Cell(values, sum(cell.share for cell in cells) / len(cells))


def baseline_cells(grades: pd.DataFrame, table: PaperTable) -> list[Cell]:
    """Return the cells of uniform guessing, then those of the best constant answer.

    Both are worked out from the keys of the items; how many models answered them does not matter.
    The average of the constant answer is that of the one answer which is best for the whole table.
    """
    items = of_task(grades, table).drop_duplicates("item_id")
    names = row_order(table, items["row"])
    if not names:
        return []
    keys = {name: list(items.loc[items["row"] == name, "key"]) for name in names}
    guessing = []
    for name in names:
        possible = _answers(table, items[items["row"] == name])
        guessing.append((name, Fraction(1, len(possible))))
    sizes = [len(keys[name]) for name in names]
    cells = [_reference(GUESSING, name, share) for name, share in guessing]
    if table.averaging:
        mean = _averaged([share for _, share in guessing], sizes, table.averaging)
        cells.append(_reference(GUESSING, AVERAGE, mean, averaging=table.averaging))
    for name in names:
        answer, k = _most_common(keys[name])
        share = Fraction(k, len(keys[name]))
        cells.append(_reference(CONSTANT, name, share, n=len(keys[name]), k=k, answer=answer))
    if table.averaging:
        cells.append(_constant_average(keys, sizes, table.averaging))
    return cells


def _measured(
    model: str, name: str, given: pd.DataFrame, table: PaperTable, settings: Settings
) -> Cell:
    known = {
        "kind": "measured",
        "model": model,
        "prompts": " + ".join(sorted(given["prompt"].unique())),
        "row": name,
    }
    clustered = _CLUSTERED if table.clustered else ()
    values = worked((*_COUNTS, _BOUNDS, *clustered), given, settings, known)
    return Cell(values, Fraction(values["k"], values["n"]))


def _reference(model: str, name: str, share: Fraction, **values: object) -> Cell:
    return Cell({"kind": "reference", "model": model, "row": name, **values}, share)


def _answers(table: PaperTable, items: pd.DataFrame) -> tuple[str, ...]:
    return answer_set(table.task, items["subtask"].iloc[0], set(items["key"]))


def _most_common(keys: Sequence[str]) -> tuple[str, int]:
    counts = Counter(keys)
    answer = min(counts, key=lambda key: (-counts[key], key))
    return answer, counts[answer]


def _averaged(shares: Sequence[Fraction], sizes: Sequence[int], averaging: str) -> Fraction:
    if averaging == "pooled":
        right = sum(share * size for share, size in zip(shares, sizes, strict=True))
        return right / sum(sizes)
    return sum(shares) / len(shares)


def _constant_average(
    keys: Mapping[str, Sequence[str]], sizes: Sequence[int], averaging: str
) -> Cell:
    counts = [Counter(of_row) for of_row in keys.values()]
    means = {
        answer: _averaged(
            [Fraction(count[answer], size) for count, size in zip(counts, sizes, strict=True)],
            sizes,
            averaging,
        )
        for answer in set().union(*counts)
    }
    best = min(means, key=lambda answer: (-means[answer], answer))
    return _reference(
        CONSTANT,
        AVERAGE,
        means[best],
        n=sum(sizes),
        k=sum(count[best] for count in counts),
        answer=best,
        averaging=averaging,
    )


def _mean_bounds(cells: Sequence[Cell], clustered: bool) -> tuple[float, float]:
    prefixes = ["cluster_" if clustered and "clusters" in cell.values else "" for cell in cells]
    lows, highs = (
        [cell.values[f"{prefix}{side}"] for cell, prefix in zip(cells, prefixes, strict=True)]
        for side in ("low", "high")
    )
    return mean_interval([100 * float(cell.share) for cell in cells], lows, highs)


def _common(values: Sequence[object]) -> object:
    return values[0] if len(set(values)) == 1 else None


def _accuracy(row: Row) -> str:
    """Print ``71.27 (479/672)`` and, below, ``[67.7, 74.6]``."""
    # A mean of rows is no share of their pooled counts.
    counted = not is_missing(row["k"]) and row["averaging"] != "mean of rows"
    counts = f" ({row['k']}/{row['n']})" if counted else ""
    return f"{row['printed']}{counts}{bounds_text(row, 'low', 'high', 1, optional=True)}"
