"""A score per strategy, or kind of question, and model, between the two constant answers."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import draw_baseline, draw_groups, label_groups, say_empty
from afterimage.showing.model_styles import legend_below

# Of the width of a group, how much its marks take.
_FILLED = 0.66
_LINES = {
    "always yes": {"color": "#333333", "linestyle": "--", "linewidth": 1.2},
    "always no": {"color": "#777777", "linestyle": ":", "linewidth": 1.6},
}


#: The blog's strategies, and the kinds of the extended questions, from left to right.
_BLOG = {
    "C": "C: an object of\nthe description",
    "R": "R: an object that\nis not there",
    "A": "A: one attribute\nexchanged",
    "mean": "mean",
}
_EXTENDED = {
    "colour": "colour",
    "count": "number",
    "left_of": "left of",
    "above": "above",
    "inside": "inside",
    "larger_than": "larger\nthan",
    "similar": "look-\nalike",
    "mean": "mean",
}
#: Of few models, and for each one more.
_FEW, _INCHES, _INCHES_PER_MODEL = 6, 7.2, 0.35


def pope_blog(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in the blog's C, R and A with its interval, and the mean."""
    return _drawn(tables["pope_blog"], "strategy", _BLOG)


def pope_extended(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy on attributes, relations and look-alikes with its interval, and the mean; of the first prompt."""
    frame = tables["pope_extended"]
    frame = frame[frame["prompt"] == frame["prompt"].iloc[0]] if len(frame) else frame
    return _drawn(frame, "asked_about", _EXTENDED)


def _drawn(frame: pd.DataFrame, block: str, titles: Mapping[str, str]) -> Figure:
    """Draw accuracy in percent with its interval, one group of marks per value of a column.

    Args:
        frame: The table's rows, "kind" among the columns.
        block: The column.
        titles: Its values, from left to right, and what stands below each group.
    """
    figure_style.apply()
    groups = [name for name in titles if name in set(frame[block])]
    more = frame.loc[frame["kind"] == "measured", "model"].nunique() - _FEW
    width = _INCHES + max(0, more) * _INCHES_PER_MODEL
    figure = Figure(figsize=(width, 3.9), layout="constrained")
    axes = figure.subplots()
    if not groups:
        say_empty(axes)
        return figure
    handles = draw_score(axes, frame, block, groups, "accuracy")
    label_groups(axes, [titles[name] for name in groups], "accuracy, %")
    legend_below(figure, handles, columns=6)
    return figure


def draw_score(
    axes: Axes, frame: pd.DataFrame, block: str, groups: Sequence[str], score: str
) -> list[tuple[Artist, str]]:
    """Draw a score of each model and constant answer in each group; returns handles with labels.

    Args:
        axes: Where to draw.
        frame: The table's rows, "kind" among the columns.
        block: The column that holds the group.
        groups: From left to right.
        score: The column; its bounds end in ``_low`` and ``_high``, where it has any.
    """
    measured = frame[frame["kind"] == "measured"]
    bounds = [(f"{score}_low", f"{score}_high")]
    handles = draw_groups(axes, measured, block, groups, score, bounds, _FILLED)
    references = frame[frame["kind"] == "reference"]
    for name, look in _LINES.items():
        cells = references[references["model"] == name].set_index(block).reindex(groups)
        handles.append(draw_baseline(axes, cells[score], name, look))
    return handles
