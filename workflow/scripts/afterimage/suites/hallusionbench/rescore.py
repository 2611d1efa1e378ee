"""HallusionBench's scores again, from recorded answers: ``afterimage rescore hallusionbench FOLDER``."""

import argparse
import os
import sys

import pandas as pd
from tabulate import tabulate

from afterimage.suites.hallusionbench.free_text import reading_scores
from afterimage.suites.hallusionbench.metrics import scores
from afterimage.suites.hallusionbench.recorded import read_recorded

COLUMNS = ("file", "metric", "correct", "n", "pct")


def rescore(folder: str | os.PathLike) -> tuple[pd.DataFrame, list[str]]:
    """Compute every score that the files of a folder allow.

    Returns:
        One row per file and metric: right, of how many, percent (missing without any); and one sentence for
        everything that a reader must know about them.

    Raises:
        AfterimageError: The folder is not what it should be.
    """
    rows, notes = [], []
    for recorded in read_recorded(folder):
        notes.extend(recorded.notes)
        for score in [*scores(recorded.questions), *reading_scores(recorded.questions)]:
            percent = 100 * score.correct / score.n if score.n else float("nan")
            rows.append((recorded.name, *score, percent))
    return pd.DataFrame(rows, columns=list(COLUMNS)), notes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``afterimage rescore hallusionbench`` takes."""
    parser.add_argument(
        "folder", metavar="FOLDER", help="holds *.jsonl.gz with recorded answers and human_check"
    )
    parser.add_argument(
        "--format", choices=("text", "csv"), default="text", help="a table to read, or CSV"
    )


def run(options: argparse.Namespace) -> int:
    """Print the scores; what must be known about them goes to standard error."""
    frame, notes = rescore(options.folder)
    for note in notes:
        print(f"afterimage: {note}", file=sys.stderr)
    if options.format == "csv":
        frame.to_csv(sys.stdout, index=False, float_format="%.4f", lineterminator="\n")
    else:
        print(tabulate(frame, headers="keys", tablefmt="simple", showindex=False, floatfmt=".2f"))
    return 0
