"""The command ``afterimage images``: a run's images as files, for people to look at."""

import argparse
from pathlib import Path

from afterimage.commands.study_file import add_configfile, results_of
from afterimage.errors import AfterimageError, unknown_name
from afterimage.jobs.images import write_images


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the names that narrow down what is written."""
    parser.add_argument("suite", nargs="?", metavar="SUITE", help="by default all suites")
    parser.add_argument("figure", nargs="?", metavar="FIGURE", help="by default all of the suite's")
    add_configfile(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Write the images of each figure beside its file, and print one line per figure."""
    stimuli = results_of(options.configfile) / "stimuli"
    drawn = sorted(stimuli.glob("*/*/stimuli.parquet"))
    if not drawn:
        raise AfterimageError(f"{stimuli}: no stimuli.parquet below it; expected a finished run.")
    chosen = _named(drawn, "suite", options.suite, stimuli, 1)
    for path in _named(chosen, "figure", options.figure, stimuli, 0):
        print(f"{path.parent}: {write_images(path)} images", flush=True)
    return 0


def _named(drawn: list[Path], kind: str, name: str | None, stimuli: Path, level: int) -> list[Path]:
    """Return the files below folders of this name; without a name, all."""
    folders = {path: path.parents[level].name for path in drawn}
    if name is not None and name not in folders.values():
        raise unknown_name(kind, name, set(folders.values()), str(stimuli))
    return [path for path, folder in folders.items() if name in (None, folder)]
