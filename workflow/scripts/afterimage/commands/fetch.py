"""The command ``afterimage fetch``: benchmarks of others, from the hub to this machine, before they are needed."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from afterimage.commands.study_file import add_configfile
from afterimage.contract.finding import load_suite, suite_names
from afterimage.errors import unknown_name
from afterimage.files.hub_lock import LOCK_FILE, HubSet, Locked, is_repository, read_lock
from afterimage.files.yaml import read_yaml_mapping

_ANY_FILES = ("*.parquet",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="suites, or OWNER/NAME of the hub; by default what the study reads from the hub",
    )
    parser.add_argument(
        "--update",
        action="store_true",
        help=f"go on to the newest commit and rewrite {LOCK_FILE}; without it a fetch holds to the file",
    )
    add_configfile(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fetch, and print what is there, a line each; returns the exit code.

    Raises:
        AfterimageError: A name is neither a suite with data on the hub nor a repository, or a fetch failed.
    """
    from afterimage.files.hub_sets import fetch_set

    known = suite_sets()
    wanted = (
        [one for name in options.names for one in _named(name, known)]
        if options.names
        else list(_of_study(options.configfile))
    )
    if not wanted:
        print(f"{options.configfile}: nothing in it comes from the hub.")
    for one in dict.fromkeys(wanted):
        change = fetch_set(one, options.update)
        print(_described(one.repository, change.before, change.after), flush=True)
    return 0


def suite_sets() -> dict[str, Sequence[HubSet]]:
    """Return the data sets of each suite that has its own on the hub."""
    sets = {name: load_suite(name).hub({"source": "hub"}) for name in suite_names()}
    return {name: found for name, found in sets.items() if found}


def _named(name: str, known: Mapping[str, Sequence[HubSet]]) -> Sequence[HubSet]:
    if name in known:
        return known[name]
    if not is_repository(name):
        raise unknown_name("suite or OWNER/NAME", name, known)
    own = [one for sets in known.values() for one in sets if one.repository == name]
    locked = read_lock().get(name)
    return own or [HubSet(name, tuple(locked.files) if locked else _ANY_FILES)]


def _of_study(file: str) -> Iterator[HubSet]:
    """Yield what a study reads from the hub: known before it is planned, which needs the data."""
    suites: Any = read_yaml_mapping(file, "--configfile").get("suites")
    for name, settings in suites.items() if isinstance(suites, Mapping) else ():
        if name in suite_names() and isinstance(settings, Mapping):
            yield from load_suite(name).hub(settings)


def _described(repository: str, before: Locked | None, after: Locked) -> str:
    size = sum(file["bytes"] for file in after.files.values())
    licence = after.licence or "none declared on its card"
    amount = f"{len(after.files)} files, {size / 1e6:,.1f} MB"
    said = f"{repository}: {amount}, commit {after.commit[:12]}, licence: {licence}"
    if before is None or before == after:
        return said
    names = sorted({*before.files, *after.files})
    changed = [name for name in names if before.files.get(name) != after.files.get(name)]
    files = f"changed: {', '.join(changed)}" if changed else "no file changed"
    return f"{said} (was {before.commit[:12]}; {files})"
