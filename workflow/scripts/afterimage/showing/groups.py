"""A chart of groups times models: marks with intervals, baselines across each group, and the groups' names.

Groups stand at 0, 1, 2, ... of the horizontal axis; scores are percentages.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from afterimage.showing.model_marks import Marks, draw_model_marks

#: What guessing scores, and what people do.
GUESSING: Mapping[str, Any] = {"color": "#333333", "linestyle": "--", "linewidth": 1.2}
# How far a baseline reaches to either side of its group.
_REACH = 0.43


def draw_groups(
    axes: Axes,
    frame: pd.DataFrame,
    by: str | list[str],
    groups: Sequence[Hashable],
    score: str,
    bounds: Sequence[tuple[str, str]],
    filled: float = 0.72,
) -> list[tuple[Artist, str]]:
    """Draw a score of each model in each group; returns handles with labels.

    Args:
        axes: Where to draw.
        frame: One row per model and group: "model", the columns of ``by``, the score and its bounds.
        by: The column, or columns, that name the group.
        groups: From left to right; a group that a model has nothing in has no mark.
        score: The column of the marks.
        bounds: Pairs of columns with bounds; bars reach as far as the widest that are there. Those that the frame lacks
            are passed over.
        filled: Of the distance of two groups, what their models share.
    """
    found = [(low, high) for low, high in bounds if low in frame and high in frame]

    def marks(model: str) -> Marks:
        cells = frame[frame["model"] == model].set_index(by).reindex(groups)
        if not found:
            return Marks(cells[score])
        lows, highs = zip(*found, strict=True)
        return Marks(cells[score], cells[list(lows)].min(axis=1), cells[list(highs)].max(axis=1))

    return draw_model_marks(axes, len(groups), list(frame["model"].unique()), marks, filled)


def draw_baseline(
    axes: Axes, values: Sequence[float], label: str, look: Mapping[str, Any]
) -> tuple[Artist, str]:
    """Draw a line across each group, none where its value is missing; returns handle and label.

    Args:
        axes: Where to draw.
        values: One for each group.
        label: For the legend.
        look: matplotlib's properties of lines.
    """
    for place, value in enumerate(values):
        axes.plot([place - _REACH, place + _REACH], [value] * 2, **look, zorder=2)
    return Line2D([], [], **look), label


def label_groups(
    axes: Axes, names: Sequence[str], score: str, lowest: float = -3, banded: bool = True
) -> None:
    """Name groups and score, percent from 0 to 100.

    Args:
        axes: The chart.
        names: The groups from left to right, taken literally.
        score: What is drawn.
        lowest: Where the vertical axis begins; below 0 where marks at 0 would be cut.
        banded: Whether every other group stands on a grey band.
    """
    axes.set_xticks(range(len(names)), names, parse_math=False)
    axes.set_xlim(-0.5, max(1, len(names)) - 0.5)
    axes.set_ylim(lowest, 104)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel(score)
    axes.grid(axis="x", visible=False)
    for place in range(0, len(names), 2) if banded else ():
        axes.axvspan(place - 0.5, place + 0.5, color="#000000", alpha=0.035, linewidth=0, zorder=0)


def say_empty(axes: Axes) -> None:
    """Say that there is nothing to show."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, "nothing was asked", transform=axes.transAxes, ha="center", va="center")
