"""The command ``afterimage check``: all mistakes of a study, before anything starts."""

import argparse
import time

from afterimage.commands.study_file import add_configfile
from afterimage.files.paths import ROOT
from afterimage.planning.checking import planned, require_reachable
from afterimage.planning.outside import dated_ahead, named_as_ahead, named_as_missing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_configfile(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the study; name images that are not there, and what stands in the way. Silent where nothing is wrong.

    Returns the exit code.

    Raises:
        AfterimageError: It has faults, a line each.
    """
    files = [options.configfile]
    plan = planned(None, files, {}, ROOT)
    require_reachable(plan, files)
    ahead = named_as_ahead(dated_ahead(plan.users_files(), time.time()))
    for sentence in (*named_as_missing(plan.missing_thoroughly()), *plan.forms.uncounted(), ahead):
        if sentence:
            print(sentence)
    return 0
