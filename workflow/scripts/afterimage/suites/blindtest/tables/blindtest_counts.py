"""What was answered to each true count: the confusions of the four tasks whose answer is a number.

One row per task, subtask ("circles" and "pentagons" of the shapes, else "all"), model, true count and answer that
occurs: ``n`` such answers out of the ``total`` to that true count, and ``share``, their ratio in percent; prompts are
pooled. ``truth`` and ``answer`` are decimal digits, ``answer`` is "unparsed" where no number could be read. Answers of
which only the verdict is known are left out.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Share, Text, whole
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.values import confused
from afterimage.suites.blindtest.factors import SPLIT_BY_SUBTASK
from afterimage.suites.blindtest.tables.accuracy import of_task, recorded_counts, recorded_elsewhere
from afterimage.suites.blindtest.tables.paper_rows import LINES, PATHS, SHAPES, SQUARES

#: In the column "answer": the reply could not be read as a number.
UNPARSED = "unparsed"
#: In the column "subtask": not told apart.
ALL = "all"


def _tasks(grades: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part the answers by task, and by subtask where these are told apart; ``said`` is what each reply says."""
    for paper in (LINES, SHAPES, SQUARES, PATHS):
        given = of_task(grades, paper)
        unparsed = given["outcome"] == "unparsed"
        read = given.assign(said=given["answer"].mask(unparsed, UNPARSED)).dropna(subset=["said"])
        is_split = paper.task in SPLIT_BY_SUBTASK
        for subtask, part in read.groupby("subtask") if is_split else [(ALL, read)]:
            yield {"task": paper.task, "subtask": subtask}, part


TABLE = Table(
    "blindtest_counts",
    "BlindTest: what was answered to each true count",
    rows=(
        _tasks,
        By("model"),
        By("key", names="truth", order="natural"),
        # The word sorts behind all numbers.
        By("said", names="answer", order="natural"),
    ),
    csv=(
        *("task", "subtask", "model", "truth", "answer"),
        *confused(),
    ),
    columns=(
        Text("Task", "task"),
        Text("Subtask", "subtask"),
        Text("Model", "model"),
        whole("True count", "truth"),
        whole("Answer", "answer"),
        Share("Share", "n", "total"),
    ),
    notes=(
        "Percent of all answers to images of that true count, rounded half up (answers/all answers); prompts pooled.",
        "unparsed: no number could be read. Answers that never occur have no row.",
        recorded_elsewhere,
        recorded_counts,
    ),
    split_by="Task",
)
