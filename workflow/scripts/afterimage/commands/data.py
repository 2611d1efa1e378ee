"""The commands ``afterimage fetch`` and ``afterimage coco``: data of others, before they are needed."""

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from afterimage.commands.common import add_configfile
from afterimage.contract.finding import load_suite, suite_names
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.hub_lock import LOCK_FILE, HubSet, is_repository, read_lock
from afterimage.files.paths import ROOT
from afterimage.files.yaml import read_yaml_mapping
from afterimage.stages.fetching import sets_of

_ANY_FILES = ("*.parquet",)
# With these settings a suite's own set comes from the hub.
_FROM_HUB = {"source": "hub", "images": "authors"}


def add_fetch_arguments(parser: argparse.ArgumentParser) -> None:
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
    parser.set_defaults(run=run_fetch)


def run_fetch(options: argparse.Namespace) -> int:
    """Fetch, and print what is there, a line each; returns the exit code.

    Raises:
        AfterimageError: A name is neither a suite with data on the hub nor a repository, or a fetch failed.
    """
    from afterimage.files.hub_sets import described, fetch_set

    known = suite_sets()
    # Who fetches a suite or a repository by its name needs no study.
    needs_study = not options.names or Path(options.configfile).is_file()
    study = sets_of(read_yaml_mapping(options.configfile, "--configfile")) if needs_study else []
    wanted = [hub_set for name in options.names for hub_set in _sets_named(name, known, study)]
    wanted = wanted if options.names else study
    if not wanted:
        print(f"{options.configfile}: nothing in it comes from the hub.")
    for hub_set in dict.fromkeys(wanted):
        change = fetch_set(hub_set, options.update, tell=partial(print, flush=True))
        print(described(hub_set.repository, change), flush=True)
    return 0


def suite_sets() -> dict[str, Sequence[HubSet]]:
    sets = {name: load_suite(name).hub(_FROM_HUB) for name in suite_names()}
    return {name: found for name, found in sets.items() if found}


def _sets_named(
    name: str, known: Mapping[str, Sequence[HubSet]], study: Sequence[HubSet]
) -> Sequence[HubSet]:
    if name in known:
        return known[name]
    if not is_repository(name):
        raise unknown_name("suite or OWNER/NAME", name, known)
    matching = [
        hub_set
        for sets in (study, *known.values())
        for hub_set in sets
        if hub_set.repository == name
    ]
    locked = read_lock().get(name)
    return matching or [HubSet(name, tuple(locked.files) if locked else _ANY_FILES)]


# ---- the suite texture's images and objects out of COCO's annotations ----

_NAMES = ROOT / "resources" / "lexicons" / "coco_ja.csv"


def add_coco_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("annotations", help="COCO's instance annotations, instances_*.json")
    parser.add_argument("folder", help="where images.csv and objects.csv are written")
    parser.add_argument(
        "--names",
        default=str(_NAMES),
        metavar="FILE",
        help="CSV with category and object_ja, by default the one that comes with the workflow",
    )
    parser.add_argument(
        "--area-limit",
        type=float,
        default=0.15,
        metavar="SHARE",
        help="objects that take up this share of their image or less are left out, 0.15 by default",
    )
    parser.set_defaults(run=_run_coco)


def _run_coco(options: argparse.Namespace) -> int:
    """Write both files, unless one is there: what people wrote refers to its names."""
    # Here, so that the other commands do not wait for what they do not need.
    from afterimage.files.csv_rows import write_csv
    from afterimage.suites.texture.coco import read_names, tables_from
    from afterimage.suites.texture.columns import IMAGES, OBJECTS

    folder = Path(options.folder)
    paths = {table: folder / table.file for table in (IMAGES, OBJECTS)}
    for path in paths.values():
        if path.exists():
            raise AfterimageError(f"{path}: there is such a file; expected a folder without one.")
    found = tables_from(options.annotations, read_names(options.names), options.area_limit)
    if not found.images:
        raise AfterimageError(
            f"{options.annotations}: no object takes up more than {options.area_limit:g} of its image; expected one."
        )
    folder.mkdir(parents=True, exist_ok=True)
    for table, rows in ((IMAGES, found.images), (OBJECTS, found.objects)):
        write_csv(paths[table], rows, [column.name for column in table.columns])
    objects = {(row["image_id"], row["object_id"]) for row in found.objects}
    print(f"{folder}: {len(found.images)} images with {len(objects)} objects")
    return 0
