"""Accuracy on attributes, relations and look-alikes."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import label_groups, say_empty
from afterimage.showing.model_styles import legend_below
from afterimage.suites.pope.charts.groups import draw_score

_TITLES = {
    "colour": "colour",
    "count": "number",
    "left_of": "left of",
    "above": "above",
    "inside": "inside",
    "larger_than": "larger\nthan",
    "similar": "look-\nalike",
    "mean": "mean",
}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent with its interval, one group of marks per kind of question and one for the mean.

    Args:
        tables: ``pope_extended``.
    """
    figure_style.apply()
    frame = tables["pope_extended"]
    groups = [name for name in _TITLES if name in set(frame["asked_about"])]
    figure = Figure(figsize=(10.0, 3.9), layout="constrained")
    axes = figure.subplots()
    if not groups:
        say_empty(axes)
        return figure
    handles = draw_score(axes, frame, "asked_about", groups, "accuracy")
    label_groups(axes, [_TITLES[name] for name in groups], "accuracy, %")
    legend_below(figure, handles, columns=6)
    return figure
