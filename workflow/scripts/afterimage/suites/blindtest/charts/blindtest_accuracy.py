"""Accuracy per task and model, between its two baselines: guessing, and one answer for everything."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import GUESSING, draw_baseline, draw_groups, label_groups
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
        GUESSING,
    ),
}
_INCHES_PER_MODEL = 0.2
_BOUNDS = (("low", "high"),)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per task and one for the mean.

    Bars are the table's intervals. The source gives no human score, so none is shown.

    Args:
        tables: ``blindtest``.
    """
    figure_style.apply()
    frame = tables["blindtest"]
    measured = frame[frame["kind"] != "reference"]
    models = measured["model"].nunique()
    tasks = [task for task in TITLES if task in set(measured["row"])]
    inches = max(1.0, 0.35 + _INCHES_PER_MODEL * models) * max(3, len(tasks))
    figure = Figure(figsize=(0.8 + inches, 4.2), layout="constrained")
    axes = figure.subplots()
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
    label_groups(axes, [TITLES[task] for task in tasks], "accuracy, %", lowest=0)
    if "recorded" in set(measured["kind"]):
        axes.set_xlabel("(recorded): on the authors' images, as the authors scored it")
    if MEAN in tasks:
        axes.axvline(tasks.index(MEAN) - 0.5, color="#333333", linewidth=0.8)
    legend_below(figure, handles, columns=6)
    return figure
