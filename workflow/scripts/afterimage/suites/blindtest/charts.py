"""Charts of BlindTest: accuracy by task, answers by true count, circles by distance."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import (
    GUESSING,
    WHITE_EDGED,
    draw_baseline,
    draw_groups,
    draw_series,
    label_groups,
    label_outer,
    panel_grid,
    say_empty,
)
from afterimage.showing.charts.figure_style import ModelStyle, legend_below, series_styles
from afterimage.showing.looks import PAPER, PAPER_NOTE
from afterimage.showing.tables.baselines import REFERENCE
from afterimage.suites.blindtest.recorded import MARK
from afterimage.suites.blindtest.tables import SOUGHT
from afterimage.suites.thresholds.charts import PEOPLE, people_label, people_of

TASK_TITLES = {
    "line_intersection": "Line inter-\nsections",
    "two_circles": "Two\ncircles",
    "circled_letter": "Circled\nletter",
    "circles": "Overlapping\ncircles",
    "pentagons": "Overlapping\npentagons",
    "nested_squares": "Nested\nsquares",
    "grid": "Grid: rows\nand columns",
    "subway": "Subway\npaths",
    "mean": "Mean",
}
MEAN = "mean"
#: Rows of reference in the table, with their labels and lines; the thin one shows on the thick one.
BASELINES = {
    "always the same answer": (
        "always the same answer, the best one",
        {"color": "#b4b4b4", "linestyle": "-", "linewidth": 4.5, "solid_capstyle": "butt"},
    ),
    "uniform guessing": (
        "uniform guessing",
        GUESSING,
    ),
}
_OF_OTHER_SOURCES = {
    "authors": "(authors' images): the authors' own images and prompts",
    "recorded": "(recorded): on the authors' images, as the authors scored it",
    PAPER: PAPER_NOTE,
}
#: Width for few models, and for so many that their marks are close together.
_INCHES_PER_MODEL, _MIN_PER_MODEL = 0.2, 0.11
# All eight tasks and the mean stand in lines of three: print is legible on one page.
_MAX_TASKS_IN_A_LINE, _TASKS_IN_A_LINE = 5, 3
# Of many models the marks stand closer, and of very many there are fewer tasks in a line.
_PAGE_INCHES = 8.0
_BOUNDS = (("low", "high"),)


def draw_accuracy(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per task and one for the mean.

    Bars are the table's intervals. The source gives no human score: only people of the study's own are shown.

    Args:
        tables: ``blindtest`` and, where people have answered, ``blindtest_people``, whose quartiles are a band.
    """
    figure_style.apply()
    frame = tables["blindtest"]
    people = people_of(tables.get("blindtest_people"), SOUGHT.bounded)
    measured = frame[frame["kind"] != "reference"]
    tasks = [task for task in TASK_TITLES if task in set(measured["row"])]
    models = measured["model"].nunique()
    wide, close = (max(1.0, 0.35 + each * models) for each in (_INCHES_PER_MODEL, _MIN_PER_MODEL))
    inches = min(wide, max(close, _PAGE_INCHES / _TASKS_IN_A_LINE))
    fitting = max(1, int(_PAGE_INCHES / inches))
    lines = _lines_of_tasks(tasks, fitting)
    width = 0.8 + inches * max(min(3, fitting), *map(len, lines))
    figure = Figure(figsize=(width, 1.4 + 2.3 * len(lines)), layout="constrained")
    handles: list[tuple[Artist, str]] = []
    for axes, shown in zip(figure.subplots(len(lines), 1, squeeze=False)[:, 0], lines, strict=True):
        handles = _draw_tasks(axes, frame, measured, shown)
        _draw_people(axes, people, shown)
    if len(people):
        handles.append((Patch(color=PEOPLE, alpha=0.25), people_label(people)))
    notes = [words for kind, words in _OF_OTHER_SOURCES.items() if kind in set(measured["kind"])]
    figure.axes[-1].set_xlabel("\n".join(notes))
    legend_below(figure, handles, columns=3 if len(lines) > 1 else 6)
    return figure


def _draw_people(axes: Axes, people: pd.DataFrame, tasks: Sequence[str]) -> None:
    """Draw the band between people's quartiles, and their median, across each task that they were asked about."""
    for _, row in people[people["condition"].isin(tasks)].iterrows():
        at = tasks.index(row["condition"])
        value, low, high = (row[name] for name in SOUGHT.bounded)
        reach = [at - 0.45, at + 0.45]
        axes.fill_between(reach, low, high, color=PEOPLE, alpha=0.25, linewidth=0, zorder=1)
        axes.plot(reach, [value] * 2, color=PEOPLE, linewidth=1.2, zorder=1)


def _lines_of_tasks(tasks: Sequence[str], fitting: int) -> list[Sequence[str]]:
    """Return the tasks line by line, so that a figure is no wider than a page, on which ``fitting`` tasks fit."""
    if len(tasks) <= min(_MAX_TASKS_IN_A_LINE, fitting):
        return [tasks]
    return _lines(tasks, min(_TASKS_IN_A_LINE, fitting))


def _lines(names: Sequence[str], maximum: int) -> list[Sequence[str]]:
    """Return names line by line, ``maximum`` in each."""
    return [names[first : first + maximum] for first in range(0, len(names), maximum)]


def _draw_tasks(
    axes: Axes, frame: pd.DataFrame, measured: pd.DataFrame, tasks: Sequence[str]
) -> list[tuple[Artist, str]]:
    references = frame[frame["kind"] == "reference"]
    baselines = [
        draw_baseline(
            axes,
            references[references["model"] == name].set_index("row")["accuracy"].reindex(tasks),
            label,
            look,
        )
        for name, (label, look) in BASELINES.items()
    ]
    handles = draw_groups(axes, measured, "row", tasks, "accuracy", _BOUNDS) + baselines
    label_groups(axes, [TASK_TITLES[task] for task in tasks], "accuracy, %", lowest=0)
    if MEAN in tasks:
        axes.axvline(tasks.index(MEAN) - 0.5, color="#333333", linewidth=0.8)
    return handles


COUNT_TITLES = {
    ("line_intersection", "all"): "intersections",
    ("olympic_shapes", "circles"): "circles",
    ("olympic_shapes", "pentagons"): "pentagons",
    ("nested_squares", "all"): "nested squares",
    ("subway", "all"): "paths",
}
UNPARSED = "unparsed"
#: Answers this far below and above the true counts have columns of their own.
MARGIN = 2
FEWER, MORE, NOT_READ = "fewer", "more", "not\nread"

_COLOURS = "Blues"
_INCHES_PER_CELL = 0.3
# Models beside each other; more stand below them.
_MODELS_IN_A_LINE = 4
# Gap between the numbers and the replies that were not read, in cells.
_GAP = 0.35
_OF_RECORDED = "(recorded): only answers whose words are public; a task without any has no row"
# From this share on, in percent, print is white.
_DARK = 55
# Longer numbers are "more", whatever the truth; Python would not even convert the longest.
_MAX_DIGITS = 9


class _Task(NamedTuple):
    """One row of panels: the counts of the answers to one task.

    Attributes:
        title: What is counted.
        cells: Its rows of the table, with the answer's place in ``column``.
        truths: True counts, top down.
        columns: Numbers without gaps, then what is none of them.
    """

    title: str
    cells: pd.DataFrame
    truths: list[str]
    columns: list[str]


def draw_counts(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw shares of the answers to each true count as colours, with their numbers.

    A row of panels per task, a column per model; the panels of a task share their answers. Replies
    that could not be read stand apart on the right; right answers are framed. Models that answered elsewhere come below
    the study's, with the tasks for which some answers' words are known.
    """
    figure_style.apply()
    frame = tables["blindtest_counts"].astype({"truth": str, "answer": str})
    models = list(frame["model"].unique())
    tasks = _tasks(frame)
    if not tasks:
        return _empty()
    widest = max(len(task.columns) for task in tasks)
    elsewhere = [model for model in models if model.endswith(MARK)]
    of_study = [model for model in models if model not in elsewhere]
    blocks = [
        (block, [task for task in tasks if task.cells["model"].isin(block).any()])
        for models in (of_study, elsewhere)
        for block in _lines(models, _MODELS_IN_A_LINE)
    ]
    heights = [len(task.truths) for _, shown in blocks for task in shown]
    across = max(len(block) for block, _ in blocks)
    width = 1.5 + across * (widest * _INCHES_PER_CELL + 0.25)
    height = 1.2 + sum(rows * _INCHES_PER_CELL + 0.65 for rows in heights)
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(len(heights), across, squeeze=False, height_ratios=heights)
    first = 0
    for block, shown in blocks:
        _draw_block(panels[first : first + len(shown)], shown, block, widest)
        first += len(shown)
    figure.align_ylabels(panels[:, 0])
    shades = ScalarMappable(Normalize(0, 100), _COLOURS)
    bar = figure.colorbar(shades, ax=panels, location="bottom", shrink=0.4, aspect=40, pad=0.02)
    bar.set_label("share of the answers to that true number, %")
    if elsewhere:
        bar.ax.text(0.5, 1.3, _OF_RECORDED, transform=bar.ax.transAxes, ha="center", va="bottom")
    return figure


def _draw_block(
    panels: np.ndarray, tasks: Sequence[_Task], models: Sequence[str], widest: int
) -> None:
    """Draw the panels of some models, a row for each task; panels without a model stay empty."""
    for axes_row, task in zip(panels, tasks, strict=True):
        for axes, model in zip(axes_row, models, strict=False):
            nothing = "words not public" if model.endswith(MARK) else "no answers"
            _draw_panel(axes, _counts(task, model), widest, nothing)
        for axes in axes_row[1:]:
            axes.set_yticks([])
        for axes in axes_row[len(models) :]:
            axes.set_axis_off()
        axes_row[0].set_ylabel(f"true number of\n{task.title}", fontsize="small")
    for axes, model in zip(panels[0], models, strict=False):
        axes.set_title(model, parse_math=False)


def _empty() -> Figure:
    figure = Figure(figsize=(5, 1))
    figure.text(0.5, 0.5, "no answers to a task whose answer is a count", ha="center", va="center")
    return figure


def _tasks(frame: pd.DataFrame) -> list[_Task]:
    tasks = []
    for (name, subtask), title in COUNT_TITLES.items():
        cells = frame[(frame["task"] == name) & (frame["subtask"] == subtask)]
        if len(cells):
            truths = sorted(map(int, cells["truth"].unique()))
            lowest, highest = max(0, truths[0] - MARGIN), truths[-1] + MARGIN
            named = [_column(answer, lowest, highest) for answer in cells["answer"]]
            columns = _columns(set(named), truths)
            tasks.append(_Task(title, cells.assign(column=named), list(map(str, truths)), columns))
    return tasks


def _column(answer: str, lowest: int, highest: int) -> str:
    if answer == UNPARSED:
        return NOT_READ
    if len(answer) > _MAX_DIGITS or int(answer) > highest:
        return MORE
    return answer if int(answer) >= lowest else FEWER


def _columns(named: Collection[str], truths: Sequence[int]) -> list[str]:
    numbers = [int(name) for name in named if name.isdecimal()] + list(truths)
    inner = [str(number) for number in range(min(numbers), max(numbers) + 1)]
    return [*([FEWER] * (FEWER in named)), *inner, *([MORE] * (MORE in named)), NOT_READ]


def _counts(task: _Task, model: str) -> pd.DataFrame:
    """Return the number of answers by true count (rows) and answer (columns) of one model."""
    cells = task.cells[task.cells["model"] == model]
    counts = cells.pivot_table(index="truth", columns="column", values="n", aggfunc="sum")
    return counts.reindex(index=task.truths, columns=task.columns).fillna(0).astype(int)


def _draw_panel(axes: Axes, counts: pd.DataFrame, widest: int, nothing: str) -> None:
    """Draw one heat map; every panel has room for ``widest`` columns, and an empty one says ``nothing`` instead."""
    axes.set_xlim(-0.05, widest + _GAP + 0.05)
    axes.set_ylim(len(counts) + 0.05, -0.05)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(labelsize="small", length=0)
    axes.set_yticks(np.arange(len(counts)) + 0.5, counts.index)
    numbers = counts.to_numpy()
    if not numbers.any():
        axes.set_xticks([])
        axes.text(0, len(counts) / 2, nothing, va="center", color="#444444")
        return
    totals = numbers.sum(axis=1, keepdims=True)
    shares = np.divide(100 * numbers, totals, out=np.full(numbers.shape, np.nan), where=totals > 0)
    width = len(counts.columns) - 1
    for first, shown in ((0, shares[:, :width]), (width + _GAP, shares[:, width:])):
        axes.pcolormesh(
            first + np.arange(shown.shape[1] + 1),
            range(len(counts) + 1),
            shown,
            cmap=_COLOURS,
            vmin=0,
            vmax=100,
            edgecolors="#dddddd",
            linewidth=0.5,
        )
    centres = [*(x + 0.5 for x in range(width)), width + _GAP + 0.5]
    for row, column in np.argwhere(numbers):
        axes.text(
            centres[column],
            row + 0.5,
            str(numbers[row, column]),
            ha="center",
            va="center",
            fontsize="small",
            color="white" if shares[row, column] > _DARK else "#222222",
        )
    for row, truth in enumerate(counts.index):
        x = list(counts.columns).index(truth)
        axes.add_patch(Rectangle((x, row), 1, 1, fill=False, edgecolor="#222222", zorder=3))
    axes.set_xticks(centres, counts.columns)
    axes.set_xlabel("answer", fontsize="small", loc="left")


CIRCLE_TITLES = {
    "overlapping": "Do the two circles overlap?",
    "touching": "Do the two circles touch?",
}
#: Gaps up to here, in diameters, make "Yes" the right answer; they are multiples of 0.05.
_LAST_YES = {"overlapping": -0.05, "touching": 0.0}
_HALF_STEP = 0.025
# Percent: a guess between two answers.
_CHANCE = 50
#: Ends of the axis of gaps, in diameters.
_SPAN = (-0.18, 0.53)
_ALL_PROMPTS = "all"
_COLUMNS = 4
_GREY: dict[str, Any] = {"color": "#000000", "linewidth": 0}
_ONE, _BOTH = 0.07, 0.135
_GROUNDS = (
    (Patch(alpha=_BOTH, **_GREY), '"Yes" is right to both questions'),
    (Patch(alpha=_ONE, **_GREY), '"Yes" is right to "touch" alone'),
)
# Shifts that keep marks at the same height visible.
_SHIFT = {"overlapping": -0.006, "touching": 0.006}


def draw_distance(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent over the gap in diameters, a line with Wilson's interval per question.

    Args:
        tables: ``blindtest_factors``; its factor "gap" of the two circles, prompts pooled.
    """
    figure_style.apply()
    frame = tables["blindtest_factors"]
    frame = frame[(frame["task"] == "two_circles") & (frame["factor"] == "gap")]
    # A guess is a line of its own; the right answer is the same at every gap, so that nobody else can be drawn.
    frame = frame[frame["kind"] != REFERENCE]
    models = list(frame["model"].unique())
    figure, panels = panel_grid(len(models), _COLUMNS, (2.0, 1.9))
    if not models:
        say_empty(panels.flat[0])
        return figure
    styles = series_styles(list(CIRCLE_TITLES.values()))
    drawn: dict[str, Artist] = {}
    for axes, model in zip(panels.flat, models, strict=False):
        _draw_ground(axes)
        axes.set_title(model, parse_math=False, fontsize="small")
        for question, title in CIRCLE_TITLES.items():
            cells = frame[(frame["model"] == model) & (frame["subtask"] == question)]
            if len(cells):
                drawn[title] = _draw_question(axes, _pooled(cells), styles[title], question)
    label_outer(panels, len(models), "gap, in diameters", "accuracy, %")
    # Column by column: questions, grounds, the guess.
    entries = (*_GROUNDS, (Line2D([], [], **GUESSING), "uniform guessing"))
    legend_below(figure, [*((line, title) for title, line in drawn.items()), *entries], columns=3)
    return figure


def _pooled(cells: pd.DataFrame) -> pd.DataFrame:
    """Return one row per gap, in order; a single prompt has no row of its own for all prompts."""
    over_all = cells[cells["prompt"] == _ALL_PROMPTS]
    chosen = over_all if len(over_all) else cells
    return chosen.assign(gap=chosen["level"].astype(float)).sort_values("gap")


def _draw_question(axes: Axes, cells: pd.DataFrame, style: ModelStyle, question: str) -> Artist:
    # Where the right answer changes, accuracy jumps: a line across would invent what is between.
    border = _LAST_YES[question] + _HALF_STEP
    for side in (cells[cells["gap"] < border], cells[cells["gap"] > border]):
        at, bounds = side["gap"] + _SHIFT[question], (side["low"], side["high"])
        line = draw_series(axes, at, side["accuracy"], bounds, style, zorder=3, **WHITE_EDGED)
    return line


def _draw_ground(axes: Axes) -> None:
    """Shade where "Yes" is right: of both questions darker, of one lighter."""
    axes.set_xlim(*_SPAN)
    axes.set_ylim(-4, 104)
    axes.set_yticks(range(0, 101, 25))
    for last in _LAST_YES.values():
        axes.axvspan(_SPAN[0], last + _HALF_STEP, alpha=_ONE, zorder=0, **_GREY)
    axes.axhline(_CHANCE, **GUESSING, zorder=1)
