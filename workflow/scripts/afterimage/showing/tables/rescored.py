"""The parts of ``afterimage rescore`` that all suites share: the folder, the output's form, and notes."""

import argparse
import sys
from collections.abc import Iterable
from typing import Any

from afterimage.files.csv_rows import frame_text


def add_common_arguments(parser: argparse.ArgumentParser, holds: str) -> None:
    """Declare the folder and the form; ``holds`` says what the folder holds."""
    parser.add_argument("folder", metavar="FOLDER", help=f"holds {holds}")
    parser.add_argument(
        "--format", choices=("text", "csv"), default="text", help="tables to read, or all cells"
    )


def print_csv(cells: Any, decimals: int = 4) -> None:
    """Print a frame as CSV; undefined values are empty."""
    sys.stdout.write(frame_text(cells, float_format=f"%.{decimals}f"))


def print_table(cells: Any) -> None:
    from tabulate import tabulate

    print(tabulate(cells, headers="keys", tablefmt="simple", showindex=False, floatfmt=".2f"))


def print_notes(notes: Iterable[str]) -> None:
    """Print notes about the cells on standard error, so that the output holds the cells alone."""
    for note in notes:
        print(f"afterimage: {note}", file=sys.stderr)
