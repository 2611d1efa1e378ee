"""What the suite consists of: names only, so that the workflow can be planned without drawing.

Drawn materials, or the images of a user's folder. Standard library only, because the Snakefile imports this module
whenever it is parsed.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from afterimage.errors import AfterimageError, unknown_name
from afterimage.suites.texture.data.area import large_enough
from afterimage.suites.texture.data.columns import IMAGES, OBJECTS, Table
from afterimage.suites.texture.data.reading import Row, read_rows
from afterimage.suites.texture.materials import DRAWN_FIGURES, images_of

#: Every image counts: people decide about words, not about images.
HUMAN_FILTER = False

#: The results tables and pictures of the suite; one module each in ``tables/`` and ``charts/``.
TABLES = (
    "texture_classification",
    "texture_generation",
    "texture_tests",
    "texture_correlation",
    "texture_words",
    "texture_votes",
    "texture_pairs",
    "texture_items",
)
CHARTS = {
    "texture_accuracy": ("texture_classification",),
    "texture_by_word": ("texture_words",),
}
#: Pages of examples with every model's answers; none.
EXAMPLES: dict[str, tuple] = {}
#: Contact sheets, with the number of images in a row.
CONTACT_SHEETS = {"texture_stimuli": 8}

#: Photographs in one figure, which one job decodes.
PHOTOGRAPHS_PER_FIGURE = 100

_PHOTOGRAPHS = re.compile(r"photographs_(\d{4})")


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the figures: of drawn materials, or hundreds of the user's photographs."""
    if settings["data"] is None:
        return DRAWN_FIGURES
    places = {place // PHOTOGRAPHS_PER_FIGURE for place in _shown(settings)}
    return tuple(f"photographs_{place:04d}" for place in sorted(places))


def stimulus_ids(figure: str, settings: Mapping) -> tuple[str, ...]:
    """Return the stimulus ids of a figure, in the order of the materials or of images.csv."""
    if is_photographs(figure):
        return tuple(str(row["image_id"]) for row in photographs(figure, settings))
    return tuple(image.image_id for image in images_of(figure))


def first_position(figure: str, settings: Mapping | None = None) -> int:
    """Return the position of a figure's first stimulus in the suite, whatever the settings."""
    found = _PHOTOGRAPHS.fullmatch(figure)
    if found:
        return int(found[1]) * PHOTOGRAPHS_PER_FIGURE
    require_figure(figure)
    before = DRAWN_FIGURES[: DRAWN_FIGURES.index(figure)]
    return sum(len(list(images_of(name))) for name in before)


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` makes a figure's images."""
    require_figure(figure)
    return "photographs" if is_photographs(figure) else "drawn"


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what the contact sheet shows, row by row, as pairs of figure and stimulus id: drawn materials."""
    if settings["data"] is not None:
        return []
    return [(figure, image.image_id) for figure in DRAWN_FIGURES for image in images_of(figure)]


def require_figure(figure: str) -> None:
    """Check that a figure is one of the suite's.

    Raises:
        AfterimageError: It is not; the nearest name is suggested.
    """
    if figure not in DRAWN_FIGURES and not is_photographs(figure):
        raise unknown_name("figure", figure, (*DRAWN_FIGURES, "photographs_0000"), "texture")


def is_photographs(figure: str) -> bool:
    """Tell whether a figure consists of the user's photographs."""
    return _PHOTOGRAPHS.fullmatch(figure) is not None


def photographs(figure: str, settings: Mapping) -> list[Row]:
    """Return the rows of images.csv that belong to a figure: images with an object that is large enough."""
    return [
        row
        for place, row in _shown(settings).items()
        if f"photographs_{place // PHOTOGRAPHS_PER_FIGURE:04d}" == figure
    ]


def data_file(settings: Mapping, name: str) -> str:
    """Return the path of a table in the user's folder, whether or not it is there."""
    return (Path(settings["data"]) / name).as_posix()


def read_table(path: str, table: Table) -> tuple[Row, ...]:
    """Read a table; again only when the file has changed."""
    file = Path(path)
    if not file.is_file():
        return tuple(read_rows(path, table))
    state = file.stat()
    return _read_once(path, table, state.st_mtime_ns, state.st_size)


@cache
def _read_once(path: str, table: Table, *state: int) -> tuple[Row, ...]:
    return tuple(read_rows(path, table))


def _shown(settings: Mapping) -> dict[int, Row]:
    """Return the place in images.csv and the row of each image with an object that is large enough."""
    images = read_table(data_file(settings, IMAGES.file), IMAGES)
    path = data_file(settings, OBJECTS.file)
    objects = read_table(path, OBJECTS)
    known = {row["image_id"] for row in images}
    for row in objects:
        if row["image_id"] not in known:
            raise AfterimageError(
                f"{path}: line {row['line']}: image '{row['image_id']}' is in no row of images.csv."
            )
    large = large_enough(objects, settings["area_limit"], settings["area_mode"], path)
    wanted = {row["image_id"] for row in large}
    if not wanted:
        raise AfterimageError(
            f"{path}: none of {len(objects)} objects takes up more than {settings['area_limit']:g} of its image; "
            "expected at least one (suites.texture.area_limit)."
        )
    return {place: row for place, row in enumerate(images) if row["image_id"] in wanted}
