"""``afterimage crate``: archive a finished run."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from afterimage.commands.study_file import add_configfile, results_of
from afterimage.files.root import ROOT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="the archive to write; by default crate.zip among the study's results",
    )
    add_configfile(parser)
    parser.add_argument(
        "--images",
        action="store_true",
        help="put the stimuli in, not only what they were drawn from",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Archive the run in the current folder."""
    # The library behind it takes its time to load; the other commands do without.
    from afterimage.commands.crate.build import build_crate

    output = options.output or results_of(options.configfile) / "crate.zip"
    count = build_crate(
        Path.cwd(), output, datetime.now(UTC), options.images, options.configfile, ROOT
    )
    print(f"{output}: {count} files")
    return 0
