"""What the suite consists of: names only, so that the workflow can be planned without drawing.

Standard library only, because the Snakefile imports this module whenever it is parsed. Of a user's data set the
annotations are read.
"""

from collections.abc import Mapping

from afterimage.suites.illusionbench import names
from afterimage.suites.illusionbench.designs import designs
from afterimage.suites.illusionbench.sources import read

#: Every image counts: no people's answers decide about it.
HUMAN_FILTER = False

#: The results tables and pictures of the suite; one module each in ``tables/`` and ``charts/``.
TABLES = (
    "illusionbench_tf",
    "illusionbench_mcq",
    "illusionbench_description",
    "illusionbench_step_by_step",
    "illusionbench_fp_ratio",
    "illusionbench_description_detail",
    "illusionbench_numerals",
    "illusionbench_radar",
)
CHARTS = {"illusionbench_radar": ("illusionbench_radar",)}
#: Pages of examples with every model's answers; none, most questions are asked of a single image.
EXAMPLES: dict[str, tuple] = {}
#: Contact sheets, with the number of images in a row.
CONTACT_SHEETS = {"illusionbench_stimuli": 7}

#: Places kept for a figure of the drawn set, and for a category of a user's images: what is added to one moves none of
#: another, so shards keep their content.
_PLACES_DRAWN = 100
_PLACES_OWN = 100_000


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return what one job each makes: the drawn figures, or the categories that a user's images have."""
    if settings["source"] == "drawn":
        return names.DRAWN_FIGURES
    dataset = read(settings)
    return tuple(category for category in names.CATEGORIES if dataset.of_category(category))


def stimulus_ids(figure: str, settings: Mapping) -> tuple[str, ...]:
    """Return the stimulus ids of a figure, in order."""
    if figure in names.DRAWN_FIGURES:
        return tuple(design.stimulus_id for design in designs(figure))
    return tuple(picture.image_id for picture in read(settings).of_category(figure))


def first_position(figure: str, settings: Mapping | None = None) -> int:
    """Return the position of a figure's first stimulus in the suite, whatever the settings."""
    if figure in names.DRAWN_FIGURES:
        return names.DRAWN_FIGURES.index(figure) * _PLACES_DRAWN
    return (names.CATEGORIES.index(figure) + 1) * _PLACES_OWN


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` makes a figure."""
    return names.drawing_module(figure)


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what the contact sheet shows: the drawn set; of a user's images, whose sizes differ, nothing."""
    if settings["source"] != "drawn":
        return []
    return [
        (figure, stimulus)
        for figure in figures(settings)
        for stimulus in stimulus_ids(figure, settings)
    ]
