"""The command ``afterimage coco``: the suite texture's images and objects out of COCO's annotations."""

import argparse
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.paths import ROOT

_NAMES = ROOT / "resources" / "lexicons" / "coco_ja.csv"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is read and where it is written."""
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
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
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
