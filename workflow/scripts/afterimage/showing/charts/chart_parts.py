"""Parts of charts: panels, models' marks with intervals, groups of them with baselines, bars of classes.

Panels are in rows no wider than a page; the lowest panel of each column has the axis labels. Groups are at 0, 1, 2, ...
of the horizontal axis; scores are percentages."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from afterimage.showing.charts.figure_style import PALETTE, ModelStyle, model_styles

#: Marks that stay distinct where they overlap.
WHITE_EDGED: dict[str, Any] = {
    "markersize": 4.5,
    "markeredgecolor": "white",
    "markeredgewidth": 0.4,
}


def panel_grid(
    count: int, max_columns: int, inches: tuple[float, float], sharex: bool = True
) -> tuple[Figure, np.ndarray]:
    """Return a figure and its panels, shape (rows, columns); there is one panel even for a count of 0.

    Args:
        count: The number of panels in use; the others are hidden.
        max_columns: Limit of panels in a row.
        inches: Width and height of a panel.
        sharex: Whether all share the horizontal axis.
    """
    columns = max(1, min(max_columns, count))
    rows = max(1, -(-count // columns))
    width, height = inches
    figure = Figure(figsize=(0.8 + width * columns, 0.8 + height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, sharex=sharex, sharey=True, squeeze=False)
    for unused in axes.flat[max(1, count) :]:
        unused.set_axis_off()
    return figure, axes


def label_outer(axes: np.ndarray, count: int, x_label: str, y_label: str) -> None:
    """Label the leftmost panel of each row and the lowest of each column, also above a shorter last row.

    Args:
        axes: Panels of :func:`panel_grid`.
        x_label: Label below each column.
        y_label: Label to the left of each row.
    """
    for left in axes[:, 0]:
        left.set_ylabel(y_label)
    for lowest in list(axes.flat)[max(0, count - axes.shape[1]) : count]:
        lowest.set_xlabel(x_label)
        lowest.tick_params(labelbottom=True)


# ---- groups of marks, one for each model ----

_MODEL_MARK: Any = {
    "markersize": 5.5,
    "elinewidth": 1.1,
    "capsize": 2,
    "zorder": 3,
}


class Marks(NamedTuple):
    """One model's scores by group, NaN if it has none.

    Attributes:
        values: Shape (groups,).
        low: Lower bounds, shape (groups,); None for marks without intervals.
        high: Upper bounds.
    """

    values: ArrayLike
    low: ArrayLike | None = None
    high: ArrayLike | None = None


def draw_model_marks(
    axes: Axes,
    groups: int,
    models: Sequence[str],
    marks_of: Callable[[str], Marks],
    filled: float = 0.72,
) -> list[tuple[Any, str]]:
    """Draw the marks of all models side by side in each group; returns handles with labels.

    Args:
        axes: Groups are at 0, 1, 2, ... of the horizontal axis.
        models: From left to right within a group.
        marks_of: Returns a model's marks.
        filled: Part of the distance between two groups that is used for marks, 0 to 1.
    """
    step = filled / max(1, len(models))
    handles: list[tuple[Any, str]] = []
    for index, (model, style) in enumerate(model_styles(models).items()):
        marks = marks_of(model)
        drawn = axes.errorbar(
            np.arange(groups) + (index - (len(models) - 1) / 2) * step,
            marks.values,
            yerr=_distances(marks),
            fmt=style.marker,
            color=style.colour,
            **{**_MODEL_MARK, **style.mark, "markeredgewidth": 1.1 if style.hollow else 0.5},
        )
        handles.append((drawn, model))
    return handles


def _distances(marks: Marks) -> np.ndarray | None:
    if marks.low is None or marks.high is None:
        return None
    values = np.asarray(marks.values, dtype=float)
    below, above = values - np.asarray(marks.low, float), np.asarray(marks.high, float) - values
    # Rounding may put a value slightly outside its interval.
    distances: np.ndarray = np.clip([below, above], 0, None)
    return distances


#: Line style of the baseline of guessing.
GUESSING: Mapping[str, Any] = {"color": "#333333", "linestyle": "--", "linewidth": 1.2}
# Half the length of a baseline.
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
        frame: One row per model and group: "model", the columns of ``by``, the score and its bounds.
        by: The column, or columns, that name the group.
        groups: From left to right; a group without a model's score has no mark of it.
        score: The column with the scores.
        bounds: Pairs of columns with bounds; error bars show the widest of them. Columns that the frame lacks are
            ignored.
        filled: As in :func:`draw_model_marks`.
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
        values: One for each group.
        look: matplotlib's properties of lines.
    """
    for group, value in enumerate(values):
        axes.plot([group - _REACH, group + _REACH], [value] * 2, **look, zorder=2)
    return Line2D([], [], **look), label


def draw_series(
    axes: Axes,
    x: ArrayLike,
    values: ArrayLike,
    bounds: tuple[ArrayLike, ArrayLike],
    style: ModelStyle,
    **look: Any,
) -> Artist:
    """Draw a line through values, with their intervals where these are defined; returns the line."""
    low, high = (np.asarray(bound, dtype=float) for bound in bounds)
    known = np.isfinite(low)
    positions = np.asarray(x, dtype=float)[known]
    axes.vlines(positions, low[known], high[known], color=style.colour, linewidth=1)
    (line,) = axes.plot(
        x,
        values,
        color=style.colour,
        marker=style.marker,
        linestyle=style.stroke,
        linewidth=1.3,
        **look,
    )
    return line


def label_groups(
    axes: Axes, names: Sequence[str], score: str, lowest: float = -3, banded: bool = True
) -> None:
    """Name groups and score, percent from 0 to 100.

    Args:
        names: The groups from left to right, taken literally.
        lowest: Lower end of the vertical axis; below 0 where marks at 0 would be cut.
        banded: Whether every other group has a grey background.
    """
    axes.set_xticks(range(len(names)), names, parse_math=False)
    axes.set_xlim(-0.5, max(1, len(names)) - 0.5)
    axes.set_ylim(lowest, 104)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel(score)
    axes.grid(axis="x", visible=False)
    for index in range(0, len(names), 2) if banded else ():
        axes.axvspan(index - 0.5, index + 0.5, color="#000000", alpha=0.035, linewidth=0, zorder=0)


def wrapped(model: str) -> str:
    """Return a model's name in short lines, for narrow columns."""
    return str(model).replace("_", "\n").replace("-", "-\n", 1)


def say_empty(axes: Axes) -> None:
    axes.set_axis_off()
    axes.text(0.5, 0.5, "nothing was asked", transform=axes.transAxes, ha="center", va="center")


# ---- bars of shares side by side, each class with a colour and a mark ----

#: Width of one bar; models are at whole numbers of the axis.
BAR_WIDTH = 0.2
_CLASS_MARKERS = ("o", "^", "s", "D")
# Opacity of a bar, so that the mark on it stays visible.
_PALE = 0.4
_CLASS_MARK: Any = {**WHITE_EDGED, "elinewidth": 1.1, "clip_on": False, "zorder": 3}


def divide(axes: Axes, models: int, others: int) -> None:
    """Draw a line between the models and the other answerers after them, if there are any."""
    if others:
        axes.axvline(models - 0.5, color="#333333", linewidth=0.8, linestyle=":")


def draw_class(
    axes: Axes,
    position: tuple[int, int],
    share: pd.Series,
    bounds: tuple[pd.Series, pd.Series],
    label: str,
) -> np.ndarray:
    """Draw the bars of one class, one for each model, and return their x positions.

    Args:
        axes: Percent from 0 to 100, models at 0, 1, 2, ...
        position: Index of the class, and the number of classes (up to four).
        share: Percent by model.
        bounds: Lower and upper bounds of the shares.
    """
    index, classes = position
    low, high = bounds
    x = np.arange(len(share)) + (index - (classes - 1) / 2) * BAR_WIDTH
    axes.bar(x, share, width=BAR_WIDTH, color=PALETTE[index], alpha=_PALE, linewidth=0)
    # Mark and whisker have the colour of the class, for bars of height 0.
    axes.errorbar(
        x,
        share,
        yerr=[share - low, high - share],
        fmt=_CLASS_MARKERS[index],
        color=PALETTE[index],
        label=label,
        **_CLASS_MARK,
    )
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 25))
    axes.grid(axis="x", visible=False)
    axes.tick_params(axis="x", labelsize="small")
    return x
