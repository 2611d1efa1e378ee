"""The command ``afterimage tidy``: results that no longer belong to the study are listed, and removed if one agrees."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from afterimage.commands.study_file import add_configfile
from afterimage.files.root import ROOT
from afterimage.planning.belonging import left_over
from afterimage.planning.checking import planned

_MEGABYTE = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_configfile(parser)
    parser.add_argument("--yes", action="store_true", help="remove them without asking")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List the files, ask, remove them; returns the exit code, 1 where they stay."""
    plan = planned(None, [options.configfile], {}, ROOT)
    results = Path(plan.results)
    files = left_over(plan, results)
    if not files:
        print(f"{results}: everything belongs to the study.")
        return 0
    for path in files:
        print(path)
    size = sum(path.lstat().st_size for path in files) / _MEGABYTE
    print(
        f"{len(files)} files, {size:.1f} MB, belong to no suite, model or table of {options.configfile}."
    )
    if not (options.yes or _agreed()):
        print("Nothing was removed; --yes removes them.")
        return 1
    for path in files:
        path.unlink()
    _remove_empty(path.parent for path in files)
    print("Removed. Every answer of a model stays in the journal.")
    return 0


def _agreed() -> bool:
    """Ask; who cannot answer, since no terminal is there, has not agreed."""
    try:
        return input("Remove them? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders that have become empty, and those above them."""
    for folder in sorted(set(folders), key=lambda one: len(one.parts), reverse=True):
        while folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent
