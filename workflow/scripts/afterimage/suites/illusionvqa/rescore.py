"""IllusionVQA's tables again, from recorded answers: ``afterimage rescore illusionvqa FOLDER``."""

import argparse
import os
import sys
from collections.abc import Iterator

import pandas as pd
from tabulate import tabulate

from afterimage.suites.illusionvqa.recorded import Answer, Run, read_recorded
from afterimage.suites.illusionvqa.rules import Rule, applicable_rules, majority

COLUMNS = ("subset", "model", "condition", "category", "rule", "correct", "n", "pct")
TOTAL = "total"


def rescore(folder: str | os.PathLike) -> tuple[pd.DataFrame, list[str]]:
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
    rows = [row for run in runs for rule in applicable_rules(run) for row in _rows(run, rule)]
    return pd.DataFrame(rows, columns=list(COLUMNS)), recorded.notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``afterimage rescore illusionvqa`` takes."""
    parser.add_argument(
        "folder", metavar="FOLDER", help="holds *.jsonl.gz with the items and the recorded answers"
    )
    parser.add_argument(
        "--format", choices=("text", "csv"), default="text", help="totals to read, or all scores"
    )


def run(options: argparse.Namespace) -> int:
    """Print the scores; what must be known about them goes to standard error."""
    scores, notes = rescore(options.folder)
    for note in notes:
        print(f"afterimage: {note}", file=sys.stderr)
    if options.format == "csv":
        scores.to_csv(sys.stdout, index=False, float_format="%.4f", lineterminator="\n")
        return 0
    totals = scores[scores["category"] == TOTAL].drop(columns="category")
    print(tabulate(totals, headers="keys", tablefmt="simple", showindex=False, floatfmt=".2f"))
    print("\nEvery category: --format csv. The rules: docs/illusionvqa.md.")
    return 0


def _rows(run: Run, rule: Rule) -> Iterator[tuple]:
    groups: dict[str, list[Answer]] = {}
    for answer in run.answers:
        groups.setdefault(answer.item.category, []).append(answer)
    # The second subset is one category, which bears its own name.
    if set(groups) == {run.subset}:
        groups = {}
    for category, answers in [*sorted(groups.items()), (TOTAL, list(run.answers))]:
        correct = sum(map(rule.right, answers))
        yield (
            run.subset,
            run.model,
            run.condition,
            category,
            rule.name,
            correct,
            len(answers),
            100 * correct / len(answers),
        )
