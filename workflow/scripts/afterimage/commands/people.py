"""``afterimage human check`` looks through what people sent back; ``afterimage images`` writes files to look at."""

import argparse
import sys
from pathlib import Path

from afterimage.commands.common import add_configfile, results_of
from afterimage.errors import AfterimageError, plain, unknown_name
from afterimage.stages.images import write_images


def add_human_arguments(parser: argparse.ArgumentParser) -> None:
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
    check.set_defaults(run=_check_returned)


def _check_returned(options: argparse.Namespace) -> int:
    # Here, so that the other commands do not wait for what they do not need.
    from afterimage.stages.forms import check_returned

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


def add_images_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("suite", nargs="?", metavar="SUITE", help="by default all suites")
    parser.add_argument("figure", nargs="?", metavar="FIGURE", help="by default all of the suite's")
    add_configfile(parser)
    parser.set_defaults(run=_write_all)


def _write_all(options: argparse.Namespace) -> int:
    """Write the images of each figure next to its file, and print one line per figure."""
    stimuli = results_of(options.configfile) / "stimuli"
    drawn = sorted(stimuli.glob("*/*/stimuli.parquet"))
    if not drawn:
        raise AfterimageError(f"{stimuli}: no stimuli.parquet below it; expected a finished run.")
    chosen = _in_folders(drawn, "suite", options.suite, stimuli, 1)
    for path in _in_folders(chosen, "figure", options.figure, stimuli, 0):
        print(f"{path.parent}: {write_images(path)} images", flush=True)
    return 0


def _in_folders(
    drawn: list[Path], kind: str, name: str | None, stimuli: Path, level: int
) -> list[Path]:
    """Return the files below folders of this name; without a name, all."""
    folders = {path: path.parents[level].name for path in drawn}
    if name is not None and name not in folders.values():
        raise unknown_name(kind, name, set(folders.values()), str(stimuli))
    return [path for path, folder in folders.items() if name in (None, folder)]
