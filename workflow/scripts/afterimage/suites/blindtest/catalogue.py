"""What the suite consists of: names only, so that the workflow can be planned without drawing.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Mapping
from functools import cache

from afterimage.suites.blindtest.designs import (
    circled_letter,
    grid,
    line_intersection,
    nested_squares,
    olympic_shapes,
    subway,
    two_circles,
)
from afterimage.suites.blindtest.designs.cell import Cell
from afterimage.suites.blindtest.names import (
    RELEASED_TWICE,
    TASKS,
    figure_name,
    parse_figure,
)

_DESIGNS = {
    "line_intersection": line_intersection,
    "two_circles": two_circles,
    "circled_letter": circled_letter,
    "olympic_shapes": olympic_shapes,
    "nested_squares": nested_squares,
    "grid": grid,
    "subway": subway,
}

#: Places kept for one copy of all tasks in both releases. The 5,034 that are taken leave a gap wider
#: than any sensible shard, so that no shard holds stimuli of two copies and more copies move none.
POSITIONS_PER_COPY = 10_000

#: Every image counts: no people's answers decide about it.
HUMAN_FILTER = False

#: The results tables and pictures of the suite; one module each in ``tables/`` and ``charts/``.
TABLES = (
    "blindtest_lines",
    "blindtest_circles",
    "blindtest_letters",
    "blindtest_shapes",
    "blindtest_squares",
    "blindtest_grids",
    "blindtest_paths",
    "blindtest",
    "blindtest_factors",
    "blindtest_counts",
)
CHARTS = {
    "blindtest_accuracy": ("blindtest",),
    "blindtest_counts": ("blindtest_counts",),
    "blindtest_distance": ("blindtest_factors",),
}

#: Pages of examples with every model's answers: what each of their panels shows, by factors.
EXAMPLES = {
    "blindtest_examples": (
        {"task": "line_intersection"},
        {"subtask": "overlapping"},
        {"subtask": "touching"},
        {"task": "circled_letter"},
        {"subtask": "circles"},
        {"subtask": "pentagons"},
        {"task": "nested_squares"},
        {"subtask": "blank"},
        {"subtask": "text"},
        {"task": "subway", "pair": "AC"},
    )
}

#: Contact sheets, with the number of images in a row.
CONTACT_SHEETS = {
    "blindtest_line_intersection": 10,
    "blindtest_two_circles": 8,
    "blindtest_circled_letter": 8,
    "blindtest_olympic_shapes": 10,
    "blindtest_nested_squares": 10,
    "blindtest_grid": 8,
    "blindtest_subway": 9,
}
#: What a sheet shows of its task, all of one size: factors and the values that are shown.
_SHOWN = {
    "line_intersection": {"line_width": ("4",), "canvas": ("1000x500", "768")},
    "two_circles": {"canvas": ("769",), "diameter": ("0.20",)},
    "circled_letter": {"font": ("LiberationSans",), "padding": ("50",), "line_width": ("5",)},
    "olympic_shapes": {"canvas": ("769",), "line_width": ("1",)},
    "nested_squares": {"line_width": ("3",)},
    "grid": {"canvas": ("1250",), "line_width": ("10",)},
    "subway": {"canvas": ("1024",), "line_width": ("20",)},
}
_MOST_SHOWN = 80


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the configured figures, copy by copy: one job draws each."""
    return tuple(
        figure_name(task, settings["release"], copy)
        for copy in range(settings["scale"])
        for task in TASKS
        if task in settings["tasks"]
    )


def stimulus_ids(figure: str, settings: Mapping | None = None) -> tuple[str, ...]:
    """Return the stimulus ids of a figure, whatever the settings, in the order of its design."""
    task, release, _ = parse_figure(figure)
    return tuple(f"{figure}_{cell.name}" for cell in _cells(task, release))


def first_position(figure: str, settings: Mapping | None = None) -> int:
    """Return the position of a figure's first stimulus in the suite, whatever the settings."""
    task, release, copy = parse_figure(figure)
    return copy * POSITIONS_PER_COPY + _offsets()[task, release]


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` draws a figure: that of its task."""
    return parse_figure(figure).task


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what a contact sheet shows, row by row, as pairs of figure and stimulus id.

    The paper's own copy of one task in one size and line width; nothing if the task is not drawn.
    """
    task = sheet.removeprefix("blindtest_")
    if task not in settings["tasks"]:
        return []
    figure = figure_name(task, settings["release"])
    shown = [
        (figure, f"{figure}_{cell.name}")
        for cell in _cells(task, parse_figure(figure).release)
        if all(cell.factors[factor] in values for factor, values in _SHOWN[task].items())
    ]
    return shown[:_MOST_SHOWN]


@cache
def _cells(task: str, release: str) -> tuple[Cell, ...]:
    return tuple(_DESIGNS[task].cells(release))


@cache
def _offsets() -> dict[tuple[str, str], int]:
    """Return where each task of each release begins: the paper's own sets first, then the later."""
    offsets, position = {}, 0
    for later in (False, True):
        for task in RELEASED_TWICE if later else TASKS:
            release = parse_figure(figure_name(task, "final" if later else "v1")).release
            offsets[task, release] = position
            position += len(_cells(task, release))
    return offsets
