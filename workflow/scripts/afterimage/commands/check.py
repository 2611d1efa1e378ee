"""The command ``afterimage check``: all mistakes of a study, before anything starts."""

import argparse

from afterimage.commands.study_file import add_configfile
from afterimage.files.root import ROOT
from afterimage.planning.absent import named
from afterimage.planning.checking import planned, require_reachable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_configfile(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the study, and name the images that are not there; silent where nothing is wrong. Returns the exit code.

    Raises:
        AfterimageError: It has faults, a line each.
    """
    files = [options.configfile]
    plan = planned(None, files, {}, ROOT)
    require_reachable(plan, files)
    for sentence in named(plan.missing_thoroughly()):
        print(sentence)
    return 0
