"""The commands ``afterimage diff`` and ``afterimage twins``.

Is anything worse in one run than in another? How much better is a model on published images than on fresh ones?
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import frame_text

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.commands.diff_runs import Results
    from afterimage.showing.study.twins import Edition


def add_diff_arguments(parser: argparse.ArgumentParser) -> None:
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
    parser.set_defaults(run=run_diff)


def run_diff(options: argparse.Namespace) -> int:
    """Print the comparison; returns 1 where something is worse beyond its interval."""
    if not 0 < options.confidence < 1:
        raise AfterimageError(
            f"--confidence: found {options.confidence:g}; expected a number between 0 and 1."
        )
    from afterimage.commands.diff_runs import compare, printed, results_in

    found = compare(results_in(options.first), results_in(options.second), options.confidence)
    sys.stdout.write(printed(found, options))
    return int(any(row.is_worse for row in found.rows))


# ---- published images and fresh ones ----
#
# Two runs of one study, which differ in the setting ``edition``. Items of the same id are of one cell of the design:
# they are paired, clustered and tested as in ``pairs_<suite>``.


class ComparedTwins(NamedTuple):
    """What a comparison found.

    Attributes:
        rows: One per suite, part and model; shares and differences in percentage points, public minus fresh.
        left_out: Sentences on what could not be compared.
    """

    rows: pd.DataFrame
    left_out: list[str]


def add_twins_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("public", metavar="PUBLIC", help="folder of results: the published edition")
    parser.add_argument("fresh", metavar="FRESH", help="folder of results: another edition")
    parser.add_argument("--csv", action="store_true", help="print CSV, all columns")
    parser.set_defaults(run=run_twins)


def run_twins(options: argparse.Namespace) -> int:
    """Print the table, and on stderr what could not be compared."""
    from tabulate import tabulate

    from afterimage.commands.diff_runs import results_in

    found = compare_twins(results_in(options.public), results_in(options.fresh))
    for sentence in found.left_out:
        print(f"afterimage: {sentence}", file=sys.stderr)
    if options.csv:
        print(frame_text(found.rows, float_format="%.6g"), end="")
    else:
        print(tabulate(found.rows.map(_shown_number), headers="keys", showindex=False))
    return 0


def compare_twins(public: Results, fresh: Results, confidence: float = 0.95) -> ComparedTwins:
    """Compare every suite and model that both folders have.

    Args:
        public: Results of the published edition.
        fresh: Results of another one.
        confidence: Coverage of the intervals; 1 less the level of the test.

    Returns:
        Rows with ``suite``, ``part``, ``model``, ``n`` pairs of answers, ``clusters``, ``differing_clusters``,
        ``public`` and ``fresh`` (percent right), ``difference`` with ``low`` and ``high``, ``p``, ``p_holm`` (over the
        models of a suite's part), and ``detectable``, the least difference that four of five such studies find.

    Raises:
        AfterimageError: No item of the one has a twin in the other, or a file cannot be read.
    """
    from afterimage.commands.diff_runs import in_both, pairs_of
    from afterimage.showing.study.twins import frame_of_twins, twins_of

    left_out: list[str] = []
    found = []
    suites, *alone = in_both(public.grades, fresh.grades)
    for results, names in zip((public, fresh), alone, strict=True):
        left_out.extend(f"{name}: only {results.folder} has the suite." for name in names)
    for suite in suites:
        first, second = (_edition(results, suite) for results in (public, fresh))
        rows, sentences = twins_of(suite, pairs_of(suite), first, second, confidence)
        found.extend(rows)
        left_out.extend(sentences)
        _, *lone = in_both(public.grades[suite], fresh.grades[suite])
        for results, names in zip((public, fresh), lone, strict=True):
            left_out.extend(
                f"{suite}: only {results.folder} has the model {model}." for model in names
            )
    if not found:
        raise AfterimageError(
            f"{public.folder} and {fresh.folder}: found no answers to two editions of one suite; expected results "
            f"of one study that differ in edition. {' '.join(left_out)}".rstrip()
        )
    return ComparedTwins(frame_of_twins(found, confidence), left_out)


def _edition(results: Results, suite: str) -> Edition:
    from afterimage.commands.diff_runs import shards_of
    from afterimage.showing.study.twins import Edition

    return Edition(shards_of(results, suite), results.grades[suite])


def _shown_number(value: object) -> object:
    if not isinstance(value, float):
        return value
    return "-" if math.isnan(value) else f"{value:.3g}"
