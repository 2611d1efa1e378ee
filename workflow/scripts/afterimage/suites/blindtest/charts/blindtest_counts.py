"""Answered against true counts: one heat map per task whose answer is a number, and model."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from afterimage.showing import figure_style
from afterimage.suites.blindtest.recorded_rows import MARK

TITLES = {
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
_IN_A_LINE = 4
# Of a cell, between the numbers and the replies that were not read.
_GAP = 0.35
_OF_OTHERS = "(recorded): only answers whose words are public; a task without any has no row"
# From this share on, in percent, print is white.
_DARK = 55
# Longer numbers are "more", whatever the truth; Python would not even convert the longest.
_MOST_DIGITS = 9


class _Task(NamedTuple):
    """One row of panels: what the answers to one task are counted in.

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


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw shares of the answers to each true count as colours, with their numbers.

    A row of panels per task, a column per model; the panels of a task share their answers. Replies
    that could not be read stand apart on the right; right answers are framed. Models that answered elsewhere stand
    below the study's, with the tasks of which the words of some answers are known.

    Args:
        tables: ``blindtest_counts``.
    """
    figure_style.apply()
    frame = tables["blindtest_counts"].astype({"truth": str, "answer": str})
    models = list(frame["model"].unique())
    tasks = _tasks(frame)
    if not tasks:
        return _empty()
    widest = max(len(task.columns) for task in tasks)
    elsewhere = [model for model in models if model.endswith(MARK)]
    own = [model for model in models if model not in elsewhere]
    blocks = [
        (block, [task for task in tasks if task.cells["model"].isin(block).any()])
        for block in (*_lines(own), *_lines(elsewhere))
    ]
    heights = [len(task.truths) for _, own in blocks for task in own]
    most = max(len(block) for block, _ in blocks)
    width = 1.5 + most * (widest * _INCHES_PER_CELL + 0.25)
    height = 1.2 + sum(rows * _INCHES_PER_CELL + 0.65 for rows in heights)
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(len(heights), most, squeeze=False, height_ratios=heights)
    first = 0
    for block, own in blocks:
        _draw_block(panels[first : first + len(own)], own, block, widest)
        first += len(own)
    figure.align_ylabels(panels[:, 0])
    shades = ScalarMappable(Normalize(0, 100), _COLOURS)
    bar = figure.colorbar(shades, ax=panels, location="bottom", shrink=0.4, aspect=40, pad=0.02)
    bar.set_label("share of the answers to that true number, %")
    if elsewhere:
        bar.ax.text(0.5, 1.3, _OF_OTHERS, transform=bar.ax.transAxes, ha="center", va="bottom")
    return figure


def _lines(models: Sequence[str]) -> list[Sequence[str]]:
    return [models[first : first + _IN_A_LINE] for first in range(0, len(models), _IN_A_LINE)]


def _draw_block(
    panels: np.ndarray, tasks: Sequence[_Task], models: Sequence[str], widest: int
) -> None:
    """Draw the panels of some models, a row for each task; places without a model stay empty."""
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
    for (name, subtask), title in TITLES.items():
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
    if len(answer) > _MOST_DIGITS or int(answer) > highest:
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
    centres = [*(place + 0.5 for place in range(width)), width + _GAP + 0.5]
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
        place = list(counts.columns).index(truth)
        axes.add_patch(Rectangle((place, row), 1, 1, fill=False, edgecolor="#222222", zorder=3))
    axes.set_xticks(centres, counts.columns)
    axes.set_xlabel("answer", fontsize="small", loc="left")
