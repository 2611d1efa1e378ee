"""``afterimage run``, ``afterimage init`` and ``afterimage check``: a study's folder, its mistakes, and its run.

The workflow runs from any folder (docs/running.md).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from afterimage.command_line import afterimage
from afterimage.commands.common import Commands, add_configfile
from afterimage.errors import AfterimageError, Faults, unknown_name
from afterimage.files.paths import ROOT, require_folder
from afterimage.planning.checking import planned, require_reachable
from afterimage.planning.missing_images import named_as_missing
from afterimage.planning.yaml_positions import PositionedFile
from afterimage.stages.user_files import dated_ahead, named_as_ahead, users_files

#: What a study's folder gets, and where it comes from; the study itself is chosen.
_FILES = {
    "Snakefile": ROOT / "resources" / "study" / "Snakefile",
    "profiles/default/profile.yaml": ROOT / "profiles" / "default" / "profile.yaml",
}
_STUDIES = ROOT / "studies"


def add_commands(commands: Commands) -> None:
    run = commands.add_parser(
        "run",
        add_help=False,
        # No option is its own: all that follows is for Snakemake.
        prefix_chars="\0",
        help="run the workflow in this folder; what follows is told to Snakemake",
    )
    run.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...")
    run.set_defaults(run=_run)
    init = commands.add_parser(
        "init",
        help="write a study's folder",
        description="Write the folder of a study: config.yaml, a Snakefile and a profile (docs/running.md).",
    )
    init.add_argument("folder", metavar="FOLDER", help="where the study is to be")
    init.add_argument(
        "--study",
        default="smoke",
        metavar="NAME",
        help="the example that config.yaml starts as, out of studies/ (default: %(default)s)",
    )
    init.set_defaults(run=_init)


def _run(options: argparse.Namespace) -> int:
    """Run Snakemake with the workflow's own Snakefile in the current folder; returns its exit code."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    arguments = options.arguments
    _require_studies(arguments)
    if not any(word.startswith(("--cores", "-c", "--jobs", "-j")) for word in arguments):
        command += ["--cores", "all"]
    caches = caches_in_study(os.environ)
    if caches:
        print(
            f"The home folder cannot be written: {', '.join(caches)} set to {STUDY_CACHE} in this folder.",
            file=sys.stderr,
        )
    environment = {**os.environ, **caches}
    return subprocess.run([*command, *arguments], check=False, env=environment).returncode


def _require_studies(arguments: list[str]) -> None:
    """Look at the files that ``--configfile`` names, as Snakemake takes it: every name behind it is one."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", default=[])
    faults = Faults()
    for file in parser.parse_known_args(arguments)[0].configfile:
        with faults.noted():
            PositionedFile(file, "--configfile (targets come before it)")
    faults.raise_any()


def _init(options: argparse.Namespace) -> int:
    """Write a study's folder; nothing that is there is written over."""
    studies = {path.stem: path for path in _STUDIES.glob("*.yaml")}
    if options.study not in studies:
        raise unknown_name("study", options.study, studies)
    files = {"config.yaml": studies[options.study], **_FILES}
    folder = Path(options.folder)
    require_folder(folder)
    for name in files:
        if (folder / name).exists():
            raise AfterimageError(
                f"{folder / name}: is there already; expected a folder without it."
            )
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / name)
    print(f"{folder}: {', '.join(files)}")
    print(f"Edit {folder / 'config.yaml'}; then: {afterimage('run', '--directory', str(folder))}")
    return 0


# ---- where programs keep what they may lose: at home or, where that cannot be, in the study ----

#: Below the folder in which a study runs, where Snakemake keeps what is its own.
STUDY_CACHE = Path(".snakemake") / "cache"


def caches_in_study(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that lead caches into the study's folder; none where the home folder takes them.

    A container often runs as a user without a home folder, or with one that cannot be written. Snakemake then ends
    before it has read anything.

    """
    home = Path(environment.get("HOME") or "~")
    wanted = {
        "XDG_CACHE_HOME": Path(environment.get("XDG_CACHE_HOME") or home / ".cache"),
        "MPLCONFIGDIR": Path(environment.get("MPLCONFIGDIR") or home / ".config"),
    }
    inside = {"XDG_CACHE_HOME": STUDY_CACHE, "MPLCONFIGDIR": STUDY_CACHE / "matplotlib"}
    return {
        name: str(inside[name].resolve()) for name, path in wanted.items() if not _takes_files(path)
    }


def _takes_files(folder: Path) -> bool:
    """Tell whether a file can be made in a folder, or in the nearest that is there above one that can be made."""
    try:
        nearest = next(parent for parent in (folder, *folder.parents) if parent.exists())
        with tempfile.TemporaryFile(dir=nearest):
            return nearest.is_dir() and (nearest == folder or os.access(nearest, os.W_OK))
    except (OSError, RuntimeError, StopIteration):
        return False


# ---- all mistakes of a study ----


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    add_configfile(parser)
    parser.set_defaults(run=run_check)


def run_check(options: argparse.Namespace) -> int:
    """Check the study; report missing images and obstructed paths. Silent if nothing is wrong.

    Returns the exit code.

    Raises:
        AfterimageError: It has faults, a line each.
    """
    files = [options.configfile]
    plan = planned(None, files, {}, ROOT)
    require_reachable(plan, files)
    ahead = named_as_ahead(dated_ahead(users_files(plan), time.time()))
    for sentence in (*named_as_missing(plan.missing_thoroughly()), *plan.forms.uncounted(), ahead):
        if sentence:
            print(sentence)
    return 0
