"""``afterimage why`` and ``afterimage touches``: the definitions behind a result, and the jobs behind a definition."""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from afterimage.commands.common import add_configfile
from afterimage.commands.records import Records
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.paths import ROOT
from afterimage.fingerprints.codes import KEPT_CODES, Kept, lines_hash
from afterimage.fingerprints.definitions import ProvenanceError
from afterimage.fingerprints.reach import ALWAYS, Node, Reach
from afterimage.fingerprints.scripts import Scripts
from afterimage.planning.checking import planned
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import begin_of, jobs_of

#: Where a run in this folder keeps what is known of the code.
KNOWN = Path(".snakemake") / "afterimage"
_PACKAGE = "afterimage/"


def add_why_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", help="a result of a run in this folder")
    parser.set_defaults(run=run_why)


def run_why(options: argparse.Namespace) -> int:
    """Name what has changed, then all definitions behind the result; returns the exit code.

    Raises:
        AfterimageError: The file is no result of a run in this folder, or what its code was is not kept.
    """
    stage, code = _recorded(options.target)
    kept = Kept(KNOWN)
    if code not in kept:
        raise AfterimageError(
            f"{options.target}: what its code was ({code}) is not kept in {KNOWN / KEPT_CODES}; expected a result "
            "of a run in this folder that kept it."
        )
    reach = Reach(Scripts(ROOT / "workflow" / "scripts", KNOWN))
    before = kept.meanings(code)
    try:
        after = reach.meanings(kept.parts(code))
    except ProvenanceError as error:
        raise AfterimageError(f"{options.target}: {error}") from None
    name = Path(options.target).name.partition(".")[0]
    changes = [*_changed(before, after), *_changed_packages(kept.pins(code))]
    for change in changes:
        print(f"{stage} {name}: {change}")
    if not changes:
        print(f"{stage} {name}: no definition behind it has changed since it was made.")
    print(f"It was made by {stage} from {_counted(before)}:")
    for line in listed(before):
        print(f"    {line}")
    return 0


def listed(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield a line for each file, with its definitions."""
    files: dict[str, list[str]] = {}
    for node in sorted(nodes):
        if node.is_definition:
            files.setdefault(node.file, []).append(node.key.replace(",", ", "))
    for file, names in files.items():
        yield f"{file.removeprefix(_PACKAGE)}: {', '.join(names)}"


def _recorded(target: str) -> tuple[str, str]:
    """Return the stage that made a result, and the fingerprint of its code."""
    record = Records(Path.cwd()).of(target)
    if record is None:
        raise AfterimageError(
            f"{target}: Snakemake has no record of it here; expected a result of a run in this folder."
        )
    return record.stage, record.code


def _changed(before: Mapping[Node, str], after: Mapping[Node, str]) -> Iterator[str]:
    """Yield each definition that means something else, is gone, or is new, by file and name."""
    for node in sorted(before.keys() | after.keys()):
        if before.get(node) == after.get(node) or not (node.is_definition or node.key == ALWAYS):
            continue
        what = f"{node.file.removeprefix(_PACKAGE)}: {node.key.replace(',', ', ') or 'what it does when imported'}"
        if before.get(node) and after.get(node):
            yield what
        else:
            yield f"{what} ({'no longer' if before.get(node) else 'newly'} behind it)"


def _changed_packages(pins: Mapping[str, str]) -> Iterator[str]:
    for name, before in pins.items():
        path = ROOT / "envs" / name
        if not path.is_file() or lines_hash(path) != before:
            yield f"envs/{name}: versions of packages"


def _counted(nodes: Iterable[Node]) -> str:
    definitions = [node for node in nodes if node.is_definition]
    return f"{len(definitions)} definitions in {len({node.file for node in definitions})} files"


# ---- which jobs of a study an edit of a file, or of one definition in it, reruns ----

_SCRIPTS = ROOT / "workflow" / "scripts"
_IN_PACKAGE = "afterimage/"


def add_touches_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "edited",
        metavar="FILE[:NAME]",
        help="a file of the package, as showing/tables/columns.py, and what is edited in it (default: anything)",
    )
    add_configfile(parser)
    parser.set_defaults(run=run_touches)


def run_touches(options: argparse.Namespace) -> int:
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
    for path in (Path(named), _SCRIPTS / named, _SCRIPTS / _IN_PACKAGE / named):
        if path.is_file() and path.resolve().is_relative_to(_SCRIPTS):
            return path.resolve().relative_to(_SCRIPTS).as_posix()
    raise AfterimageError(
        f"{named}: no file of the package; expected one such as showing/tables/columns.py, or its path."
    )


def _edited(plan: Plan, file: str, name: str) -> Iterable[Node]:
    """Return what an edit of a name, or of any in a file, may change."""
    if not name:
        return plan.codes.reach.nodes(file)
    names = plan.codes.reach.names(file)
    if name not in names:
        raise unknown_name("definition", name, names, file)
    return [names[name]]
