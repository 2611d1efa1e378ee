"""Groups of models with intervals and baselines: what most charts of scores are, from 0 to 100 percent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.model_marks import Marks, draw_model_marks
from afterimage.showing.model_styles import legend_below

#: What a guess earns, in every chart.
GUESSING: Mapping[str, Any] = {"color": "#333333", "linestyle": "--", "linewidth": 1.2}

_INCHES_PER_MODEL = 0.2
_LEAST_INCHES_PER_GROUP = 1.3
_FEWEST_GROUPS = 3
_HEIGHT = 3.9
_INCHES_PER_ENTRY = 1.3
# Of the distance of two groups, how far a baseline reaches to either side of the middle.
_REACH = 0.43


@dataclass(frozen=True)
class Baseline:
    """A line across each group.

    Attributes:
        label: What the legend calls it.
        values: One for each group, NaN for no line.
        look: matplotlib's properties of lines.
    """

    label: str
    values: Sequence[float] | pd.Series
    look: Mapping[str, Any]


@dataclass(frozen=True)
class Groups:
    """What one panel shows.

    Attributes:
        names: What stands below each group.
        models: From left to right within a group.
        marks_of: A model's marks, see :func:`looked_up`.
        baselines: Lines across the groups.
        score: What stands beside the axis.
    """

    names: Sequence[str]
    models: Sequence[str]
    marks_of: Callable[[str], Marks]
    baselines: Sequence[Baseline] = ()
    score: str = "accuracy, %"


def looked_up(
    rows: pd.DataFrame,
    by: str | list[str],
    groups: Sequence[Any],
    value: str,
    low: Sequence[str],
    high: Sequence[str],
) -> Callable[[str], Marks]:
    """Return a function that looks a model's marks up in a table.

    Args:
        rows: The table's rows of models.
        by: The columns that tell the groups apart.
        groups: Their values, from left to right.
        value: The column of the score.
        low: Columns of lower bounds; of several intervals the widest is drawn.
        high: Columns of upper bounds.
    """

    def marks(model: str) -> Marks:
        cells = rows[rows["model"] == model].set_index(by).reindex(groups)
        return Marks(cells[value], cells[list(low)].min(axis=1), cells[list(high)].max(axis=1))

    return marks


def group_figure(*panels: Groups) -> Figure:
    """Draw panels side by side, with one legend below; where a panel has no group, it says so."""
    figure_style.apply()
    width = sum(0.8 + _width(panel) for panel in panels)
    figure = Figure(figsize=(width, _HEIGHT), layout="constrained")
    entries: dict[str, Artist] = {}
    for axes, panel in zip(np.ravel(figure.subplots(1, len(panels))), panels, strict=True):
        entries |= {label: handle for handle, label in draw_groups(axes, panel)}
    if entries:
        columns = int(width / _INCHES_PER_ENTRY)
        legend_below(figure, [(handle, label) for label, handle in entries.items()], columns)
    return figure


def draw_groups(axes: Axes, panel: Groups) -> list[tuple[Artist, str]]:
    """Draw one panel; returns handles with labels, models first."""
    if not panel.names:
        _say_empty(axes)
        return []
    places = range(len(panel.names))
    handles = draw_model_marks(axes, len(places), panel.models, panel.marks_of)
    for baseline in panel.baselines:
        for place, value in zip(places, baseline.values, strict=True):
            axes.plot([place - _REACH, place + _REACH], [value] * 2, **baseline.look, zorder=2)
        handles.append((Line2D([], [], **baseline.look), baseline.label))
    # Every other group stands on a darker ground; a single one has no neighbour.
    for place in places[::2] if len(places) > 1 else ():
        axes.axvspan(place - 0.5, place + 0.5, color="#000000", alpha=0.035, linewidth=0, zorder=0)
    axes.set_xticks(places, panel.names, parse_math=False)
    axes.set_xlim(-0.5, len(places) - 0.5)
    axes.set_ylim(-3, 105)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel(panel.score)
    axes.grid(axis="x", visible=False)
    return handles


def _width(panel: Groups) -> float:
    per_group = max(_LEAST_INCHES_PER_GROUP, 0.35 + _INCHES_PER_MODEL * len(panel.models))
    return per_group * max(_FEWEST_GROUPS, len(panel.names))


def _say_empty(axes: Axes) -> None:
    axes.set_axis_off()
    axes.text(0.5, 0.5, "nothing was asked", transform=axes.transAxes, ha="center", va="center")
