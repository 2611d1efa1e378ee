"""Accuracy per task and model, between its two baselines: guessing, and one answer for everything."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing.group_chart import GUESSING, Baseline, Groups, group_figure, looked_up

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
    "uniform guessing": ("uniform guessing", GUESSING),
}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per task and one for the mean.

    Bars reach as far as the wider of the table's two intervals on either side: clustered over base
    figures, or Wilson's. The source gives no human score, so none is shown.

    Args:
        tables: ``blindtest``.
    """
    frame = tables["blindtest"]
    measured, references = (frame[frame["kind"] == kind] for kind in ("measured", "reference"))
    tasks = [task for task in TITLES if task in set(measured["row"])]
    ends = (["low", "cluster_low"], ["high", "cluster_high"])
    baselines = [
        Baseline(
            label,
            references[references["model"] == name].set_index("row").reindex(tasks)["accuracy"],
            look,
        )
        for name, (label, look) in BASELINES.items()
    ]
    figure = group_figure(
        Groups(
            [TITLES[task] for task in tasks],
            list(measured["model"].unique()),
            looked_up(measured, "row", tasks, "accuracy", *ends),
            baselines,
        )
    )
    if MEAN in tasks:
        figure.axes[0].axvline(tasks.index(MEAN) - 0.5, color="#333333", linewidth=0.8)
    return figure
