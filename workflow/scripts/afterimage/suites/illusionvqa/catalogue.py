"""What the suite consists of: names only, so that the workflow can be planned without reading an image."""

from collections.abc import Mapping

from afterimage.suites.illusionvqa import names
from afterimage.suites.illusionvqa.dataset import images

#: Every image counts: no people's answers decide about it.
HUMAN_FILTER = False
TABLES = ("illusionvqa",)
CHARTS: dict[str, tuple[str, ...]] = {}
#: Pages of examples; none, the images are not ours to show.
EXAMPLES: dict[str, tuple] = {}
CONTACT_SHEETS: dict[str, int] = {}

#: Places kept for each figure: what is added to one moves none of another.
_PLACES = 100_000


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the configured subsets and, where a prompt shows examples, those examples."""
    chosen = [figure for figure in names.FIGURES if figure in settings["subsets"]]
    if any(prompt in names.FEW_SHOT for prompt in settings["prompts"]):
        chosen += [f"{subset}{names.EXAMPLES}" for subset in chosen]
    return tuple(chosen)


def stimulus_ids(figure: str, settings: Mapping) -> tuple[str, ...]:
    """Return the stimulus ids of a figure, one for each image, in the order of the labels."""
    return tuple(images(settings["folder"], figure))


def first_position(figure: str, settings: Mapping | None = None) -> int:
    """Return the position of a figure's first stimulus in the suite, whatever the settings."""
    return names.FIGURES.index(figure) * _PLACES


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` makes a figure: all are pictures of others."""
    return "pictures"


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what a contact sheet shows; there is none, the images are not ours to show."""
    return []
