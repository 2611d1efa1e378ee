"""Bars of shares next to each other, each class with a colour and a mark that carries its interval."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from afterimage.showing.figure_style import PALETTE

#: Of bars of one model, which stand at whole numbers of the axis.
WIDTH = 0.2
_MARKERS = ("o", "^", "s", "D")
# Of a bar, so that what lies on it is seen.
_PALE = 0.4
_MARK: Any = {
    "markersize": 4.5,
    "markeredgecolor": "white",
    "markeredgewidth": 0.4,
    "elinewidth": 1.1,
    "clip_on": False,
    "zorder": 3,
}


def divide(axes: Axes, models: int, others: int) -> None:
    """Set models apart from those that stand behind them; one line between, none where nobody stands there."""
    if others:
        axes.axvline(models - 0.5, color="#333333", linewidth=0.8, linestyle=":")


def draw_class(
    axes: Axes,
    place: tuple[int, int],
    share: pd.Series,
    bounds: tuple[pd.Series, pd.Series],
    label: str,
) -> np.ndarray:
    """Draw the bars of one class, one for each model, and return where they stand.

    Args:
        axes: Percent from 0 to 100, models at 0, 1, 2, ...
        place: Which class it is, and of how many (up to four).
        share: Percent by model.
        bounds: Lower and upper bounds of the shares.
        label: For the legend.
    """
    index, classes = place
    low, high = bounds
    at = np.arange(len(share)) + (index - (classes - 1) / 2) * WIDTH
    axes.bar(at, share, width=WIDTH, color=PALETTE[index], alpha=_PALE, linewidth=0)
    # In the colour of its class: of a bar of nothing, mark and whisker tell whose they are.
    axes.errorbar(
        at,
        share,
        yerr=[share - low, high - share],
        fmt=_MARKERS[index],
        color=PALETTE[index],
        label=label,
        **_MARK,
    )
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 25))
    axes.grid(axis="x", visible=False)
    axes.tick_params(axis="x", labelsize="small")
    return at
