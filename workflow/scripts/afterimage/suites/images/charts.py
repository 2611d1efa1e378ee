"""Accuracy per set and model, with intervals, beside what a guess earns."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import GUESSING, draw_baseline, draw_groups, label_groups
from afterimage.showing.charts.figure_style import legend_below

_INCHES_PER_MODEL = 0.24
_BOUNDS = (("low", "high"),)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per set and prompt; bars are the table's intervals."""
    figure_style.apply()
    frame = tables["images"]
    frame = frame[(frame["factor"] == "overall") & (frame["kind"] == "measured")]
    by = ["set", "prompt"]
    groups = list(frame[by].drop_duplicates().itertuples(index=False, name=None))
    models = frame["model"].nunique()
    inches = max(1.1, 0.35 + _INCHES_PER_MODEL * models) * max(3, len(groups))
    figure = Figure(figsize=(0.8 + inches, 3.8), layout="constrained")
    axes = figure.subplots()
    handles = draw_groups(axes, frame, by, groups, "accuracy", _BOUNDS)
    guessing = frame.drop_duplicates(by).set_index(by)["guessing"].reindex(groups)
    handles.append(draw_baseline(axes, guessing, "uniform guessing", GUESSING))
    several = len({prompt for _, prompt in groups}) > 1
    names = [f"{name}\n{prompt}" if several else name for name, prompt in groups]
    label_groups(axes, names, "accuracy, %", banded=False)
    legend_below(figure, handles, columns=5)
    return figure
