"""The command ``afterimage fill``: a study's numbers in a Markdown manuscript (docs/paper.md)."""

import argparse
import sys
from pathlib import Path

from afterimage.contract.results_folder import DEFAULT
from afterimage.files.whole import write_text
from afterimage.ledger.filling import filled, read_values


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("manuscript", help="Markdown with {{ val TABLE ROW COLUMN }}")
    parser.add_argument("--output", help="where to write it filled; printed unless given")
    parser.add_argument(
        "--values",
        default=f"{DEFAULT}/values.json",
        help="the run's values (default: %(default)s)",
    )
    parser.add_argument(
        "--report",
        default="",
        help="address or folder of the report, so that each number links to its row",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the manuscript with its numbers; returns the exit code.

    Raises:
        AfterimageError: A name in it is not there.
    """
    text = filled(
        Path(options.manuscript).read_text(encoding="utf-8"),
        read_values(options.values),
        options.report.rstrip("/"),
        options.manuscript,
    )
    if options.output:
        write_text(options.output, text)
    else:
        sys.stdout.write(text)
    return 0
