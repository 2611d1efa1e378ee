"""What the suite consists of: names only, so that the workflow can be planned without drawing.

The Snakefile imports this module whenever it is parsed: standard library only, but for question files, whose images
cannot be counted without reading them.
"""

from collections.abc import Mapping
from functools import cache

from afterimage.suites.pope.names import (
    BLOG,
    DRAWN,
    EXTENDED,
    FIRST_POSITIONS,
    NESTED,
    POPE,
    QUESTIONS,
    SCENES,
    require_figure,
    stimulus_id,
    variants_of,
)
from afterimage.suites.pope.readers.question_files import read_questions

#: Every image counts: no people's answers decide about it.
HUMAN_FILTER = False

#: The results tables and pictures of the suite; one module each in ``tables/`` and ``charts/``.
TABLES = (POPE, BLOG, EXTENDED)
CHARTS = {POPE: (POPE,), BLOG: (BLOG,), EXTENDED: (EXTENDED,)}
#: No page of examples: its panels show images under one question, and here every image has its own.
EXAMPLES: dict[str, tuple] = {}

#: Contact sheets, with the number of images in a row.
CONTACT_SHEETS = {"pope_scenes": 6, "pope_nested": 5}
_SHEET_FIGURES = {"pope_scenes": SCENES, "pope_nested": NESTED}
_MOST_SHOWN = 60


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the configured figures: one job makes each."""
    if settings["source"] != DRAWN:
        return (settings["source"],)
    return (SCENES, NESTED) if EXTENDED in variants_of(settings) else (SCENES,)


def stimulus_ids(figure: str, settings: Mapping) -> tuple[str, ...]:
    """Return the stimulus ids of a figure; their order is that of scenes, of the draw, or of the question files."""
    require_figure(figure)
    return _ids(figure, _count(figure, settings))


def first_position(figure: str, settings: Mapping | None = None) -> int:
    """Return the position of a figure's first stimulus in the suite, whatever the settings."""
    require_figure(figure)
    return FIRST_POSITIONS[figure]


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` makes a figure's images."""
    require_figure(figure)
    return "scenes" if figure in (SCENES, NESTED) else "photographs"


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what a contact sheet shows, row by row, as pairs of figure and stimulus id; nothing for photographs."""
    figure = _SHEET_FIGURES[sheet]
    if figure not in figures(settings):
        return []
    return [(figure, name) for name in stimulus_ids(figure, settings)[:_MOST_SHOWN]]


def images_of_questions(files: Mapping[str, str]) -> tuple[str, ...]:
    """Return the images that question files name, each once, in the files' order.

    Args:
        files: Strategy to path.
    """
    return _images_of_questions(tuple(files.items()))


def _count(figure: str, settings: Mapping) -> int:
    if figure == SCENES:
        return settings["scenes"]
    if figure == NESTED:
        return settings["nested_scenes"]
    if figure == QUESTIONS:
        return len(images_of_questions(settings["questions"]))
    return settings["images"]


@cache
def _ids(figure: str, count: int) -> tuple[str, ...]:
    return tuple(stimulus_id(figure, number) for number in range(count))


@cache
def _images_of_questions(files: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            question.image for _, path in files for question in read_questions(path).questions
        )
    )
