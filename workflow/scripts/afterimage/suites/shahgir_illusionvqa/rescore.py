"""IllusionVQA's tables again, from recorded answers: ``afterimage rescore shahgir_illusionvqa FOLDER``."""

import argparse
import os
from collections.abc import Sequence

import pandas as pd

from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import By, Table
from afterimage.showing.tables.rescored import (
    add_common_arguments,
    print_csv,
    print_notes,
    print_table,
)
from afterimage.showing.tables.values import Percent, answers, right
from afterimage.suites.shahgir_illusionvqa.recorded import (
    Run,
    applicable_rules,
    majority,
    read_recorded,
)
from afterimage.suites.shahgir_illusionvqa.tables import TOTAL, by_category

_RUN = ("subset", "model", "condition", "rule")
#: Every run by every rule that can read it, in the categories of the suite's own table.
RESCORED = Table(
    "rescored",
    "IllusionVQA from recorded answers",
    rows=(By(_RUN), by_category),
    csv=(
        *("subset", "model", "condition", "category", "rule"),
        *(right("correct"), answers(), Percent("pct", "correct")),
    ),
)


def rescore(folder: str | os.PathLike[str]) -> tuple[pd.DataFrame, list[str]]:
    """Score every run of a folder by every rule that can read it.

    Args:
        folder: Holds JSON lines with items and answers; see :func:`recorded.read_recorded`.

    Returns:
        One row per run, rule and category (``total`` is all of them): right answers, lines, percent; and one
        sentence for everything that a reader must know about them.

    Raises:
        AfterimageError: The folder is not what it should be.
    """
    recorded = read_recorded(folder)
    runs = list(recorded.runs)
    for subset in recorded.items:
        common = majority([run for run in recorded.runs if run.subset == subset])
        if common is not None:
            runs.append(common)
    return frame_of(RESCORED, _graded(runs), {}), recorded.notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``afterimage rescore shahgir_illusionvqa`` takes."""
    add_common_arguments(parser, "*.jsonl.gz with the items and the recorded answers")


def run(options: argparse.Namespace) -> int:
    """Print the scores; what must be known about them goes to standard error."""
    scores, notes = rescore(options.folder)
    print_notes(notes)
    if options.format == "csv":
        print_csv(scores)
        return 0
    print_table(scores[scores["category"] == TOTAL].drop(columns="category"))
    print("\nEvery category: --format csv. The rules: docs/data.md.")
    return 0


def _graded(runs: Sequence[Run]) -> pd.DataFrame:
    """Return every answer of every run as a graded one, once for each rule that can read it."""
    return pd.DataFrame(
        [
            (
                run.subset,
                run.model,
                run.condition,
                rule.name,
                answer.item.category,
                rule.right(answer),
            )
            for run in runs
            for rule in applicable_rules(run)
            for answer in run.answers
        ],
        columns=[*_RUN, "category", "correct"],
    ).astype({"correct": bool})
