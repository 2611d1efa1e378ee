"""``afterimage crate``: archive a finished run."""

import argparse
from datetime import UTC, datetime
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--output", default="results/crate.zip", metavar="FILE", help="the archive to write"
    )
    parser.add_argument(
        "--configfile",
        default="config.yaml",
        metavar="FILE",
        help="the study that was run (default: %(default)s)",
    )
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

    count = build_crate(
        Path.cwd(), options.output, datetime.now(UTC), options.images, options.configfile
    )
    print(f"{options.output}: {count} files")
    return 0
