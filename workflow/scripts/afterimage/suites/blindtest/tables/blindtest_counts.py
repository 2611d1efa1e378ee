"""What was answered to each true count: the confusions of the four tasks whose answer is a number."""

from collections.abc import Iterator, Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.suites.blindtest.factors import SPLIT_BY_SUBTASK
from afterimage.suites.blindtest.tables.accuracy import of_task
from afterimage.suites.blindtest.tables.paper_rows import (
    LINES,
    PATHS,
    SHAPES,
    SQUARES,
    natural_order,
)

#: In the column "answer": the reply could not be read as a number.
UNPARSED = "unparsed"
#: In the column "subtask": not told apart.
ALL = "all"

_COLUMNS = ("task", "subtask", "model", "truth", "answer", "n", "total", "share")
_TABLES = (LINES, SHAPES, SQUARES, PATHS)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count how often each number was answered where another one was true; all prompts are pooled.

    Args:
        grades: Graded answers of all models and tasks, factors as columns.
        settings: Not used: nothing here is estimated.

    Returns:
        One row per task, subtask ("circles" and "pentagons" of the shapes, else "all"), model, true
        count and answer that occurs: ``n`` such answers out of the ``total`` to that true count, and
        ``share``, their ratio in percent. ``truth`` and ``answer`` are decimal digits, ``answer`` is
        "unparsed" where no number could be read. Answers of which only the verdict is known are
        left out. Empty where the grades hold no task whose answer is a count.

    Raises:
        AfterimageError: A column is missing, or releases are mixed (see :func:`accuracy.of_task`).
    """
    rows = [
        {"task": paper_table.task, **row}
        for paper_table in _TABLES
        for row in _of_task(of_task(grades, paper_table), paper_table.task)
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    return Layout(
        title="BlindTest: what was answered to each true count",
        columns=(
            Text("Task", "task"),
            Text("Subtask", "subtask"),
            Text("Model", "model"),
            Text("True count", "truth", numeric=True),
            Text("Answer", "answer", numeric=True),
            Share("Share", "n", "total"),
        ),
        notes=(
            "Percent of all answers to images of that true count, rounded half up (answers/all "
            "answers); prompts pooled.",
            "unparsed: no number could be read. Answers that never occur have no row.",
        ),
        split_by="Task",
    )


def _of_task(answers: pd.DataFrame, task: str) -> Iterator[dict]:
    unparsed = answers["outcome"] == "unparsed"
    read = answers.assign(said=answers["answer"].mask(unparsed, UNPARSED)).dropna(subset=["said"])
    splits = read.groupby("subtask", sort=True) if task in SPLIT_BY_SUBTASK else [(ALL, read)]
    for subtask, of_subtask in splits:
        for model, of_model in of_subtask.groupby("model", sort=False):
            yield from _of_model(of_model, {"subtask": subtask, "model": model})


def _of_model(answers: pd.DataFrame, names: Mapping[str, object]) -> Iterator[dict]:
    truths = dict(iter(answers.groupby("key")))
    for truth in sorted(truths, key=natural_order):
        said = truths[truth]["said"].value_counts()
        total = int(said.sum())
        # The word sorts behind all numbers.
        for answer in sorted(said.index, key=natural_order):
            n = int(said[answer])
            counts = {"n": n, "total": total, "share": 100 * n / total}
            yield {**names, "truth": truth, "answer": answer, **counts}
