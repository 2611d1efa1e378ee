"""F1 and the share of yes per strategy and model: the two numbers by which POPE tells seeing from affirming."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.groups import label_groups, say_empty
from afterimage.showing.model_styles import legend_below
from afterimage.suites.pope.charts.groups import draw_score

_STRATEGIES = ("random", "popular", "adversarial")
_PANELS = (("f1", "F1 score, %"), ("yes_ratio", "answered yes, %"))
# Half of the keys are yes.
_HALF = {"color": "#333333", "linestyle": "-", "linewidth": 0.9}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw both scores with their intervals, and what the constant answers score.

    Always no has no F1 and therefore no line there. Of several prompts the first one is drawn.

    Args:
        tables: ``pope``.
    """
    figure_style.apply()
    frame = tables["pope"]
    frame = frame[frame["prompt"] == frame["prompt"].iloc[0]] if len(frame) else frame
    groups = [name for name in _STRATEGIES if name in set(frame["strategy"])]
    figure = Figure(figsize=(7.2, 3.7), layout="constrained")
    handles = []
    for axes, (score, title) in zip(figure.subplots(1, 2), _PANELS, strict=True):
        if not groups:
            say_empty(axes)
            continue
        handles = draw_score(axes, frame, "strategy", groups, score)
        # Beside each other, words on an axis would run into the other panel.
        label_groups(axes, groups, "")
        axes.set_title(title)
        if score == "yes_ratio":
            axes.axhline(50, **_HALF, zorder=1)
            handles = [*handles, (Line2D([], [], **_HALF), "half of the keys are yes")]
    legend_below(figure, handles, columns=4)
    return figure
