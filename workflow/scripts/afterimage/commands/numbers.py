"""The commands ``afterimage fill`` and ``afterimage dissect``: a study's numbers.

They are inserted into a manuscript (docs/paper.md), or recomputed under every choice that needs no new answers
(docs/ledger.md).
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from afterimage.commands.code import KNOWN
from afterimage.commands.common import add_configfile
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.paths import DEFAULT_RESULTS, ROOT, with_folder, write_text
from afterimage.ledger.filling import filled, read_values
from afterimage.planning.checking import planned
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.human_filter import has_human_filter
from afterimage.stages.tables import read_by

if TYPE_CHECKING:
    from afterimage.showing.tables.dissection import Dissection


def add_fill_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("manuscript", help="Markdown with {{ val TABLE ROW COLUMN }}")
    parser.add_argument("--output", help="where to write it filled; printed unless given")
    parser.add_argument(
        "--values",
        default=f"{DEFAULT_RESULTS}/values.json",
        help="the run's values (default: %(default)s)",
    )
    parser.add_argument(
        "--report",
        default="",
        help="address or folder of the report, so that each number links to its row",
    )
    parser.set_defaults(run=run_fill)


def run_fill(options: argparse.Namespace) -> int:
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


# ---- a number under every choice that needs no new answers ----


def add_dissect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", help="a table of a suite, e.g. blindtest_grids")
    parser.add_argument("row", help="the row's name, as in results/values.json")
    parser.add_argument("column", help="a column of numbers, e.g. accuracy")
    parser.add_argument(
        "--printed", default="", metavar="DIGITS", help="find what prints these digits, e.g. 45.83"
    )
    parser.add_argument(
        "--output", metavar="NAME", help="write NAME.csv and NAME.png instead of printing alone"
    )
    add_configfile(parser)
    parser.set_defaults(run=run_dissect)


def run_dissect(options: argparse.Namespace) -> int:
    """Print the number under every choice; returns the exit code, 1 where no set of choices prints the digits.

    Raises:
        AfterimageError: The study has no such table, row or column, or its answers are not there.
    """
    plan = planned(None, [options.configfile], {}, ROOT, KNOWN)
    if options.table not in plan.tables:
        raise unknown_name("table", options.table, plan.tables, options.configfile)
    # Behind the names: what reads answers takes half a second to import.
    from afterimage.showing.charts import dissection_shown
    from afterimage.showing.tables import dissection
    from afterimage.stages.tables import answers_of

    made = answers_of(
        spec_of(plan, "make_table", table=options.table), _inputs_of_table(plan, options.table)
    )
    found: Dissection = dissection.dissect(
        made.table, made.grades, made.settings, options.row, options.column, options.printed
    )
    title = f"{options.table}, {options.row}, {options.column}"
    print(dissection_shown.as_text(found, title))
    if options.output:
        dissection_shown.write(found, title, options.output)
    return 1 if options.printed and not found.matches else 0


def _inputs_of_table(plan: Plan, table: str) -> dict[str, list[str]]:
    """Return the files that a table is made from, as its rule names them.

    Raises:
        AfterimageError: One of them is not there.
    """
    suite = plan.tables[table]
    decided = has_human_filter(plan, suite)
    wanted = {
        "grades": [f"<results>/grades/{suite}/{model}.parquet" for model in plan.models],
        "decisions": [f"<results>/human/{suite}_decisions.csv"] if decided else [],
        "read": list(read_by(plan, table).values()),
    }
    inputs = {
        kind: [with_folder(path, plan.results) for path in paths] for kind, paths in wanted.items()
    }
    for path in (path for paths in inputs.values() for path in paths):
        if not Path(path).is_file():
            raise AfterimageError(
                f"{path}: not there; expected a finished run of the study in this folder."
            )
    return inputs
