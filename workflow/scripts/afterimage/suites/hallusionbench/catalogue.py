"""What the suite consists of: names only, so that the workflow can be planned without reading an image."""

from collections.abc import Mapping

from afterimage.suites.hallusionbench import dataset

#: Every image counts: no people's answers decide about it.
HUMAN_FILTER = False
TABLES = ("hallusionbench",)
CHARTS: dict[str, tuple[str, ...]] = {}
#: Pages of examples and contact sheets; none, the images are not ours to show.
EXAMPLES: dict[str, tuple] = {}
CONTACT_SHEETS: dict[str, int] = {}

#: Places kept for each figure.
_PLACES = 10_000


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the categories with their subcategories."""
    return tuple(dataset.figures(settings["folder"]))


def stimulus_ids(figure: str, settings: Mapping) -> tuple[str, ...]:
    """Return the stimulus ids of a figure, in the order of the release's file."""
    return tuple(dataset.figures(settings["folder"])[figure])


def first_position(figure: str, settings: Mapping) -> int:
    """Return the position of a figure's first stimulus in the suite: by name, whatever the file's order."""
    return sorted(figures(settings)).index(figure) * _PLACES


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` makes a figure: all are pictures of others."""
    return "pictures"


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what a contact sheet shows; there is none."""
    return []
