"""``afterimage human check``: look through files that came back from pages before the workflow takes them in."""

import argparse
import sys
from pathlib import Path

from afterimage.commands.study_file import add_configfile, results_of
from afterimage.errors import AfterimageError, plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser(
        "check",
        help="look through files that came back from pages",
        description="Say in one sentence what files that came back from pages or sheets hold, and list what would not "
        "count and who looks careless. Nothing is written. Exit code 1 if a file cannot be read or is of no page "
        "of this study.",
    )
    check.add_argument("files", nargs="+", metavar="FILE", help="files that came back")
    check.add_argument(
        "--tasks",
        metavar="FOLDER",
        help="the tasks of all pages; by default human/tasks of the study's results",
    )
    add_configfile(check)
    check.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    # Here, so that the other commands do not wait for what they do not need.
    from afterimage.jobs.forms import check_returned

    folder = Path(options.tasks or results_of(options.configfile) / "human" / "tasks")
    tasks = sorted(folder.glob("*/*.parquet"))
    if not tasks:
        raise AfterimageError(
            f"{folder}: holds no tasks; expected those of the pages, which the workflow lists."
        )
    sentence, report, annotators = check_returned(tasks, options.files)
    print(plain(sentence))
    for row in report:
        kind = str(row["kind"]).replace("_", " ")
        sentence = f"{row['file']}, {row['lines']}: {kind}: {row['detail']}"
        print(plain(sentence), file=sys.stderr)
    for row in annotators:
        if row["careless"] == "true":
            sentence = f"{row['annotator_id']} ({row['form']}): {row['reason']}"
            print(plain(sentence), file=sys.stderr)
    return 0
