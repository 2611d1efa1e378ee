"""What ``afterimage rescore`` is for every suite: where records lie, tables or CSV, and what has to be said besides."""

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
    """Say what must be known about the cells, apart from them: on standard error."""
    for note in notes:
        print(f"afterimage: {note}", file=sys.stderr)
