"""The command ``afterimage tidy``: results that no longer belong to the study are listed, and removed if one agrees."""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

from afterimage.commands.common import add_configfile, agreed, results_of
from afterimage.commands.records import Ownership, all_files
from afterimage.files.paths import ROOT
from afterimage.planning.checking import planned
from afterimage.stages.stale_results import left_over

_MEGABYTE = 1_000_000
_MAX_NAMED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_configfile(parser)
    parser.add_argument(
        "--all",
        action="store_true",
        help="everything that the workflow has made there, what belongs to the study as well",
    )
    parser.add_argument("--yes", action="store_true", help="remove them without asking")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List the files, ask, remove them; returns the exit code, 1 where they stay."""
    if options.all:
        results = results_of(options.configfile)
        candidates = _of_one_study(results)
    else:
        plan = planned(None, [options.configfile], {}, ROOT)
        results = Path(plan.results)
        candidates = left_over(plan, results)
    ownership = Ownership(results, Path.cwd())
    made_here, others = ownership.sort(candidates)
    _print_others(others)
    if not made_here:
        print(_nothing(results, others, options.all))
        return 0
    for path in made_here:
        print(path)
    size = sum(path.lstat().st_size for path in made_here) / _MEGABYTE
    what = (
        "were made by the workflow"
        if options.all
        else f"belong to no suite, model or table of {options.configfile}"
    )
    print(f"{len(made_here)} files, {size:.1f} MB, {what}.")
    if not agreed("Remove them?", options.yes):
        print("Nothing was removed; --yes removes them.")
        return 1
    # Whoever was asked may have taken hours to agree.
    made_here, changed = ownership.sort(
        path for path in made_here if path.exists() or path.is_symlink()
    )
    _print_others(changed)
    ownership.remove(made_here)
    _remove_empty((path.parent for path in made_here), results)
    print("Removed. Every answer of a model stays in the journal.")
    return 0


def _of_one_study(results: Path) -> list[Path]:
    """Return the files of a results folder without those of other studies, whose folders may be inside it."""
    nested = {logs.parent for logs in results.glob("*/logs") if logs.is_dir()}
    return [path for path in all_files(results) if not nested & {*path.parents}]


def _nothing(results: Path, others: Mapping[Path, str], everything: bool) -> str:
    if others:
        return f"{results}: nothing else to remove."
    if everything:
        return f"{results}: holds nothing that the workflow has made."
    return f"{results}: everything belongs to the study."


def _print_others(others: Mapping[Path, str]) -> None:
    for path, why in list(others.items())[:_MAX_NAMED]:
        print(f"Left alone: {path}: {why}.")
    if len(others) > _MAX_NAMED:
        print(f"Left alone: {len(others) - _MAX_NAMED} more, for the same reasons.")


def _remove_empty(folders: Iterable[Path], results: Path) -> None:
    """Remove folders that have become empty, and those above them up to the results folder."""
    for folder in sorted(set(folders), key=lambda path: len(path.parts), reverse=True):
        while folder != results and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent
