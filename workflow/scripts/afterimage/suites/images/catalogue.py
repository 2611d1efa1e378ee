"""What the suite consists of: names only, so that the workflow can be planned without reading an image."""

from collections.abc import Mapping

from afterimage.suites.images.dataset import images
from afterimage.suites.images.names import PLACES

#: Every image counts: no people's answers decide about it.
HUMAN_FILTER = False
TABLES = ("images", "images_paired")
CHARTS = {"images_accuracy": ("images",)}
#: No page of examples: its panels show images under one question, and here every image may have its own.
EXAMPLES: dict[str, tuple] = {}
#: Contact sheets, with the number of images in a row.
CONTACT_SHEETS = {"images_stimuli": 4}
_MOST_SHOWN = 60


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the names of the sets: one job decodes each."""
    return tuple(settings["sets"])


def stimulus_ids(figure: str, settings: Mapping) -> tuple[str, ...]:
    """Return the stimulus ids of a set, one for each image, in the order in which the file first names them."""
    return tuple(images(figure, settings["sets"][figure]))


def first_position(figure: str, settings: Mapping) -> int:
    """Return the position of a set's first stimulus: what is added to one set moves no other."""
    return list(settings["sets"]).index(figure) * PLACES


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` makes a figure: all are pictures of the user's."""
    return "pictures"


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return the first images of each set, as pairs of figure and stimulus id."""
    most = max(1, _MOST_SHOWN // len(settings["sets"]))
    return [
        (figure, name)
        for figure in figures(settings)
        for name in stimulus_ids(figure, settings)[:most]
    ]
