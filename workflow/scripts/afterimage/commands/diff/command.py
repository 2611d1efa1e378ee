"""The command ``afterimage diff``: is anything worse in one run than in another?"""

import argparse
import sys

from afterimage.commands.diff.folders import results_in
from afterimage.errors import AfterimageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("first", metavar="RESULTS_A", help="folder of results: before")
    parser.add_argument("second", metavar="RESULTS_B", help="folder of results: after")
    parser.add_argument(
        "--items",
        type=int,
        default=20,
        metavar="N",
        help="list at most so many changed answers of each suite and model (default: %(default)s)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="C",
        help="coverage of the intervals (default: %(default)s)",
    )
    parser.add_argument(
        "--markdown", action="store_true", help="print Markdown, for a pull request"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the comparison; returns 1 where something is worse beyond its interval."""
    if not 0 < options.confidence < 1:
        raise AfterimageError(
            f"--confidence: found {options.confidence:g}; expected a number between 0 and 1."
        )
    from afterimage.commands.diff.printing import printed
    from afterimage.commands.diff.runs import compare

    found = compare(results_in(options.first), results_in(options.second), options.confidence)
    sys.stdout.write(printed(found, options))
    return int(any(row.is_worse for row in found.rows))
