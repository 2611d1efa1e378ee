"""The command ``afterimage check``: all mistakes of a study, before anything starts."""

import argparse

from afterimage.commands.forecast.command import ROOT
from afterimage.planning.checking import planned, require_reachable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--configfile",
        default="config.yaml",
        metavar="FILE",
        help="the study (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the study; silent where nothing is wrong. Returns the exit code.

    Raises:
        AfterimageError: It has faults, a line each.
    """
    files = [options.configfile]
    require_reachable(planned(None, files, {}, ROOT), files)
    return 0
