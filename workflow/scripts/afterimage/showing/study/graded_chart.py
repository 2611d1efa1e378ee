"""Charts of probabilities: a panel per model, a line for each thing that was shown; the reliability diagram."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import legend_below
from afterimage.showing.panels import panel_grid
from afterimage.showing.weighted import BLANK, IMAGE, NOTHING

_COLUMNS = 3
#: What was shown to its words in a legend and how it is drawn.
LOOKS = {
    IMAGE: ("with the image", {"color": "#0072b2", "marker": "o", "linestyle": "-"}),
    BLANK: ("with a white image", {"color": "#d55e00", "marker": "s", "linestyle": "--"}),
    NOTHING: ("without an image", {"color": "#009e73", "marker": "^", "linestyle": ":"}),
}


#: Takes a panel, rows of one model and of one thing shown, and its look; draws them and returns what the legend shows.
Line = Callable[[Axes, pd.DataFrame, Mapping[str, Any]], Artist]


def draw_by_model(
    frame: pd.DataFrame, line: Line, x_label: str, y_label: str, height: float = 3.2
) -> tuple[Figure, list[tuple[Artist, str]]]:
    """Draw one panel per model with a line for each thing that was shown; of several prompts the first.

    Args:
        frame: Columns ``prompt``, ``model`` and ``shown``.
        line: Draws one of the lines.
        x_label: Below each panel.
        y_label: To the left of each row.
        height: Of a panel, inches.

    Returns:
        The figure without a legend, and the entries that one has.
    """
    figure_style.apply()
    if len(frame):
        frame = frame[frame["prompt"] == frame["prompt"].iloc[0]]
    models = list(dict.fromkeys(frame["model"]))
    figure, axes_of = panel_grid(len(models), _COLUMNS, (3.2, height), sharex=False)
    handles = {}
    for axes, model in zip(axes_of.flat, models, strict=False):
        for shown, (label, look) in LOOKS.items():
            own = frame[(frame["model"] == model) & (frame["shown"] == shown)]
            if len(own):
                handles[label] = line(axes, own, look)
        axes.set_title(model, parse_math=False)
        axes.set_xlabel(x_label)
    for left in axes_of[:, 0]:
        left.set_ylabel(y_label)
    if not models:
        say_empty(axes_of.flat[0])
    return figure, [(handle, label) for label, handle in handles.items()]


def draw_unit_square(frame: pd.DataFrame, line: Line, x_label: str, y_label: str) -> Figure:
    """Draw panels from 0 to 1 both ways with their diagonal, and a legend below; see :func:`draw_by_model`."""

    def with_diagonal(axes: Axes, own: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
        axes.plot([0, 1], [0, 1], color="#777777", linewidth=0.8, zorder=1)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        return line(axes, own, look)

    figure, entries = draw_by_model(frame, with_diagonal, x_label, y_label)
    if entries:
        legend_below(figure, entries, columns=len(LOOKS))
    return figure


def draw(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw share right with its interval over the mean probability of each bin.

    Args:
        tables: One named as the chart is.
        chart: ``calibration_<suite>``.
    """
    return draw_unit_square(
        tables[chart], _bins, "probability of the likeliest option", "share right"
    )


def _bins(axes: Axes, own: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
    at = own["p_most"].to_numpy(float)
    value, low, high = (
        own[name].to_numpy(float) / 100 for name in ("likeliest", "likeliest_low", "likeliest_high")
    )
    axes.vlines(at, low, high, color=look["color"], linewidth=0.9)
    (drawn,) = axes.plot(at, value, markersize=4, linewidth=1.1, **look)
    return drawn
