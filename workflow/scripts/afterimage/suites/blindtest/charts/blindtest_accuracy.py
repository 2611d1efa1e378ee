"""Accuracy per task and model, between its two baselines: guessing, and one answer for everything."""

from collections.abc import Mapping
from functools import partial

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.model_marks import Marks, draw_model_marks
from afterimage.showing.model_styles import legend_below

TITLES = {
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
#: Rows of reference in the table, with their words and lines; the thin one shows on the thick one.
BASELINES = {
    "always the same answer": (
        "always the same answer, the best one",
        {"color": "#b4b4b4", "linestyle": "-", "linewidth": 4.5, "solid_capstyle": "butt"},
    ),
    "uniform guessing": (
        "uniform guessing",
        {"color": "#333333", "linestyle": "--", "linewidth": 1.2},
    ),
}
_INCHES_PER_MODEL = 0.2


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per task and one for the mean.

    Bars reach as far as the wider of the table's two intervals on either side: clustered over base
    figures, or Wilson's. The source gives no human score, so none is shown.

    Args:
        tables: ``blindtest``.
    """
    figure_style.apply()
    frame = tables["blindtest"]
    measured = frame[frame["kind"] == "measured"]
    models = list(measured["model"].unique())
    tasks = [task for task in TITLES if task in set(measured["row"])]
    inches = max(1.0, 0.35 + _INCHES_PER_MODEL * len(models)) * max(3, len(tasks))
    figure = Figure(figsize=(0.8 + inches, 4.2), layout="constrained")
    axes = figure.subplots()
    handles = _draw_baselines(axes, frame[frame["kind"] == "reference"], tasks)
    marks = partial(_marks, measured, tasks)
    handles = draw_model_marks(axes, len(tasks), models, marks) + handles
    _label(axes, tasks)
    legend_below(figure, handles, columns=6)
    return figure


def _marks(measured: pd.DataFrame, tasks: list[str], model: str) -> Marks:
    cells = measured[measured["model"] == model].set_index("row").reindex(tasks)
    low = cells[["low", "cluster_low"]].min(axis=1)
    high = cells[["high", "cluster_high"]].max(axis=1)
    return Marks(cells["accuracy"], low, high)


def _draw_baselines(
    axes: Axes, references: pd.DataFrame, tasks: list[str]
) -> list[tuple[Artist, str]]:
    handles: list[tuple[Artist, str]] = []
    for name, (label, look) in BASELINES.items():
        cells = references[references["model"] == name].set_index("row").reindex(tasks)
        for place, accuracy in enumerate(cells["accuracy"]):
            axes.plot([place - 0.43, place + 0.43], [accuracy] * 2, **look, zorder=2)
        handles.append((Line2D([], [], **look), label))
    return handles


def _label(axes: Axes, tasks: list[str]) -> None:
    axes.set_xticks(range(len(tasks)), [TITLES[task] for task in tasks])
    axes.set_xlim(-0.5, max(1, len(tasks)) - 0.5)
    axes.set_ylim(0, 103)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel("accuracy, %")
    axes.grid(axis="x", visible=False)
    for place in range(0, len(tasks), 2):
        axes.axvspan(place - 0.5, place + 0.5, color="#000000", alpha=0.035, linewidth=0, zorder=0)
    if MEAN in tasks:
        axes.axvline(tasks.index(MEAN) - 0.5, color="#333333", linewidth=0.8)
