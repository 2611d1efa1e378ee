"""The reliability diagram of a suite: how often the likeliest option is right, over its probability."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import legend_below
from afterimage.showing.panels import panel_grid
from afterimage.showing.study.graded import BLANK, IMAGE, NOTHING

_COLUMNS = 3
#: What was shown to its words in a legend and how it is drawn.
LOOKS = {
    IMAGE: ("with the image", {"color": "#0072b2", "marker": "o", "linestyle": "-"}),
    BLANK: ("with a white image", {"color": "#d55e00", "marker": "s", "linestyle": "--"}),
    NOTHING: ("without an image", {"color": "#009e73", "marker": "^", "linestyle": ":"}),
}


def draw(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw one panel per model: share right with its interval over the mean probability of each bin.

    Of several prompts the first one is drawn.

    Args:
        tables: One named as the chart is.
        chart: ``calibration_<suite>``.
    """
    figure_style.apply()
    frame = tables[chart]
    if len(frame):
        frame = frame[frame["prompt"] == frame["prompt"].iloc[0]]
    models = list(dict.fromkeys(frame["model"]))
    figure, axes_of = panel_grid(len(models), _COLUMNS, (3.2, 3.2), sharex=False)
    every = list(axes_of.flat)[: max(1, len(models))]
    if not models:
        say_empty(every[0])
        return figure
    handles = {}
    for axes, model in zip(every, models, strict=True):
        axes.plot([0, 1], [0, 1], color="#777777", linewidth=0.8, zorder=1)
        for shown, (label, look) in LOOKS.items():
            own = frame[(frame["model"] == model) & (frame["shown"] == shown)]
            if own.empty:
                continue
            at = own["p_most"].to_numpy(float)
            value, low, high = (
                own[name].to_numpy(float) / 100
                for name in ("likeliest", "likeliest_low", "likeliest_high")
            )
            axes.vlines(at, low, high, color=look["color"], linewidth=0.9)
            (handles[label],) = axes.plot(at, value, markersize=4, linewidth=1.1, **look)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        axes.set_title(model, parse_math=False)
        axes.set_xlabel("probability of the likeliest option")
    for left in axes_of[:, 0]:
        left.set_ylabel("share right")
    legend_below(figure, [(handle, label) for label, handle in handles.items()], columns=3)
    return figure
