"""F1 and the share of yes per strategy and model: the two numbers by which POPE tells seeing from affirming."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing.group_chart import group_figure
from afterimage.suites.pope.charts.groups import groups_of
from afterimage.suites.pope.names import STRATEGIES

# Half of the keys are yes.
_HALF = {"color": "#333333", "linestyle": "-", "linewidth": 0.9}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw both scores with their intervals, and what the constant answers score.

    Always no has no F1 and therefore no line there. Of several prompts the first one is drawn.

    Args:
        tables: ``pope``.
    """
    frame = tables["pope"]
    frame = frame[frame["prompt"] == frame["prompt"].iloc[0]] if len(frame) else frame
    titles = {name: name for name in STRATEGIES}
    figure = group_figure(
        groups_of(frame, "strategy", titles, "f1", "F1 score, %"),
        groups_of(frame, "strategy", titles, "yes_ratio", "answered yes, %"),
    )
    figure.axes[1].axhline(50, **_HALF, zorder=1)
    return figure
