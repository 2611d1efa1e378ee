"""``afterimage run`` and ``afterimage init``: the workflow from any folder (docs/running.md)."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from afterimage.command_line import afterimage
from afterimage.commands.caches import STUDY_CACHE, caches_in_study
from afterimage.errors import AfterimageError, Faults, unknown_name
from afterimage.files.paths import ROOT, require_folder
from afterimage.planning.places import PlacedFile

#: What a study's folder gets, and where it comes from; the study itself is chosen.
_FILES = {
    "Snakefile": ROOT / "resources" / "study" / "Snakefile",
    "profiles/default/profile.yaml": ROOT / "profiles" / "default" / "profile.yaml",
}
_STUDIES = ROOT / "studies"


def add_commands(commands: argparse._SubParsersAction) -> None:
    """Add both commands."""
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
    told = options.arguments
    _require_studies(told)
    if not any(word.startswith(("--cores", "-c", "--jobs", "-j")) for word in told):
        command += ["--cores", "all"]
    caches = caches_in_study(os.environ)
    if caches:
        print(
            f"The home folder cannot be written: {', '.join(caches)} set to {STUDY_CACHE} in this folder.",
            file=sys.stderr,
        )
    environment = {**os.environ, **caches}
    return subprocess.run([*command, *told], check=False, env=environment).returncode


def _require_studies(told: list[str]) -> None:
    """Look at the files that ``--configfile`` names, as Snakemake takes it: every name behind it is one."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", default=[])
    faults = Faults()
    for file in parser.parse_known_args(told)[0].configfile:
        with faults.noted():
            PlacedFile(file, "--configfile (targets stand before it)")
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
