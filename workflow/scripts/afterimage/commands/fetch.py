"""The command ``afterimage fetch``: benchmarks of others, from the hub to this machine, before they are needed."""

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from afterimage.commands.study_file import add_configfile
from afterimage.contract.finding import load_suite, suite_names
from afterimage.errors import unknown_name
from afterimage.files.hub_lock import LOCK_FILE, HubSet, is_repository, read_lock
from afterimage.files.yaml import read_yaml_mapping
from afterimage.planning.data import sets_of

_ANY_FILES = ("*.parquet",)
# With these settings a suite's own set comes from the hub.
_FROM_HUB = {"source": "hub", "images": "authors"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="suites, or OWNER/NAME of the hub, or addresses of Git repositories; by default what the study reads",
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
    from afterimage.files.hub_sets import described, fetch_set

    known = suite_sets()
    # Who fetches a suite or a repository by its name needs no study.
    needs_study = not options.names or Path(options.configfile).is_file()
    study = sets_of(read_yaml_mapping(options.configfile, "--configfile")) if needs_study else []
    wanted = [one for name in options.names for one in _named(name, known, study)]
    wanted = wanted if options.names else study
    if not wanted:
        print(f"{options.configfile}: nothing in it comes from the hub.")
    for one in dict.fromkeys(wanted):
        change = fetch_set(one, options.update, tell=partial(print, flush=True))
        print(described(one.repository, change), flush=True)
    return 0


def suite_sets() -> dict[str, Sequence[HubSet]]:
    """Return the data sets of each suite that has its own on the hub."""
    sets = {name: load_suite(name).hub(_FROM_HUB) for name in suite_names()}
    return {name: found for name, found in sets.items() if found}


def _named(
    name: str, known: Mapping[str, Sequence[HubSet]], study: Sequence[HubSet]
) -> Sequence[HubSet]:
    if name in known:
        return known[name]
    if not is_repository(name):
        raise unknown_name("suite or OWNER/NAME", name, known)
    own = [one for sets in (study, *known.values()) for one in sets if one.repository == name]
    locked = read_lock().get(name)
    return own or [HubSet(name, tuple(locked.files) if locked else _ANY_FILES)]
