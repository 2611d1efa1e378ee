"""Reading a user's data set: the suite's own format, or the official release. Standard library only."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from afterimage.contract.design import Reader
from afterimage.contract.stimulus import Json, Shown
from afterimage.errors import config_path
from afterimage.files.csv_rows import write_csv
from afterimage.files.hub_lock import HubSet, fetched_files
from afterimage.files.read_once import State, state_of
from afterimage.suites.illusionbench import folder, release
from afterimage.suites.illusionbench.annotations import Dataset, Exclusion, ImageQuestions, Picture

#: The official release on the hub.
HUB = HubSet("MingZhangSJTU/IllusionBench", ("Image_properties.json", "IllusionDataset.zip"))
_READERS = {"folder": folder, "release": release}
#: Settings that choose what is read, and how.
SETTINGS = ("source", "folder", "release", "leave_out")


def read(settings: Json) -> Dataset:
    """Read the data set that ``settings["source"]`` names, once per state of its files.

    Args:
        settings: ``source`` (``folder``, ``release`` or ``hub``), what belongs to it, and ``leave_out`` (ids
            of images).

    Raises:
        AfterimageError: The data is not there, or cannot be read as what it should be.
    """
    settings = _as_release(settings)
    files = _READERS[settings["source"]].files(settings)
    chosen = {name: settings[name] for name in SETTINGS if name in settings}
    states = tuple((file, state_of(file)) for file in files)
    return _read_once(json.dumps(chosen, sort_keys=True), states)


def shown(category: str, settings: Json) -> list[Shown]:
    settings = _as_release(settings)
    return [_shown(picture, settings) for picture in read(settings).of_category(category)]


def _as_release(settings: Json) -> Json:
    """Return the settings with the hub's files, where they were fetched, as the release's."""
    if settings["source"] != "hub":
        return settings
    fetched = fetched_files(HUB, config_path("suites.illusionbench.source"), "illusionbench")
    paths = dict(
        zip(("annotations", "images"), (fetched[pattern] for pattern in HUB.patterns), strict=True)
    )
    return {**settings, "source": "release", "release": {**settings["release"], **paths}}


#: A user's images, by category.
READER = Reader(shown)


def _shown(picture: Picture, settings: Json) -> Shown:
    is_release = settings["source"] == "release"
    return Shown(
        picture.image_id,
        settings["release"]["images"] if is_release else folder.image_file(settings, picture),
        {
            "category": picture.category,
            "difficulty": picture.difficulty,
            "source": settings["source"],
        },
        (ImageQuestions(picture.statements, picture.choices, picture.golden),),
        parameters={
            "image_id": picture.image_id,
            "member": picture.file if is_release else None,
            "size_px": picture.size_px,
        },
    )


@lru_cache(maxsize=4)
def _read_once(chosen: str, states: tuple[tuple[str, State | None], ...]) -> Dataset:
    settings = json.loads(chosen)
    dataset: Dataset = _READERS[settings["source"]].read(settings)
    return dataset


# What was left out of a user's data set before any model was asked, row by row, with the reason.


def write(spec: Mapping[str, Any], inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Write the exclusions as CSV; of the drawn set there are none.

    Args:
        spec: ``source`` and what belongs to it, as in the settings.
        inputs: The files of the annotations.
        outputs: The CSV file.

    Raises:
        AfterimageError: The data set cannot be read.
    """
    excluded = () if spec["source"] == "drawn" else read(spec).exclusions
    (path,) = outputs
    write_csv(path, (row._asdict() for row in excluded), Exclusion._fields)
