"""Accuracy in the blog's C, R and A, between the two constant answers."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import label_groups, say_empty
from afterimage.showing.model_styles import legend_below
from afterimage.suites.pope.charts.groups import draw_score

_TITLES = {
    "C": "C: an object of\nthe description",
    "R": "R: an object that\nis not there",
    "A": "A: one attribute\nexchanged",
    "mean": "mean",
}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent with its interval, one group of marks per strategy and one for the mean.

    Args:
        tables: ``pope_blog``.
    """
    figure_style.apply()
    frame = tables["pope_blog"]
    groups = [name for name in _TITLES if name in set(frame["strategy"])]
    figure = Figure(figsize=(7.2, 3.9), layout="constrained")
    axes = figure.subplots()
    if not groups:
        say_empty(axes)
        return figure
    handles = draw_score(axes, frame, "strategy", groups, "accuracy")
    label_groups(axes, [_TITLES[name] for name in groups], "accuracy, %")
    legend_below(figure, handles, columns=6)
    return figure
