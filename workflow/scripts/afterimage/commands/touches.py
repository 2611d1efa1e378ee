"""The command ``afterimage touches``: which jobs of a study an edit of a file, or of one definition in it, reruns."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from afterimage.commands.study_file import add_configfile
from afterimage.commands.why import KNOWN
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.paths import ROOT
from afterimage.planning.checking import planned
from afterimage.planning.jobs import jobs_of
from afterimage.planning.plan import Plan
from afterimage.planning.reach import Node
from afterimage.planning.stages import begin_of

_SCRIPTS = ROOT / "workflow" / "scripts"
_PACKAGE = "afterimage/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "edited",
        metavar="FILE[:NAME]",
        help="a file of the package, as showing/columns.py or its path, and what is edited in it (default: anything)",
    )
    add_configfile(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the jobs, a line for each stage; returns the exit code.

    Raises:
        AfterimageError: The study has faults, there is no such file, or it defines no such name.
    """
    plan = planned(None, [options.configfile], {}, ROOT, KNOWN)
    file, _, name = options.edited.partition(":")
    edited = set(_edited(plan, _script(file), name))
    found: dict[str, list[str]] = {}
    for stage, names in jobs_of(plan):
        if edited & plan.codes.reach.meanings(begin_of(plan, stage, **names)).keys():
            found.setdefault(stage, []).append(" ".join(names.values()))
    if not found:
        print(f"{options.edited}: no job of {options.configfile} reaches it; nothing reruns.")
        return 0
    print(
        f"{options.edited}: these jobs of {options.configfile} rerun, and what follows from them:"
    )
    for stage, jobs in found.items():
        print(f"    {stage}" + (f": {', '.join(jobs)}" if any(jobs) else ""))
    return 0


def _script(named: str) -> str:
    """Return a file relative to the folder of the scripts.

    Raises:
        AfterimageError: There is no such file.
    """
    for path in (Path(named), _SCRIPTS / named, _SCRIPTS / _PACKAGE / named):
        if path.is_file() and path.resolve().is_relative_to(_SCRIPTS):
            return path.resolve().relative_to(_SCRIPTS).as_posix()
    raise AfterimageError(
        f"{named}: no file of the package; expected one such as showing/columns.py, or its path."
    )


def _edited(plan: Plan, file: str, name: str) -> Iterable[Node]:
    """Return what an edit of a name, or of any in a file, may change."""
    if not name:
        return plan.codes.reach.nodes(file)
    names = plan.codes.reach.names(file)
    if name not in names:
        raise unknown_name("definition", name, names, file)
    return [names[name]]
