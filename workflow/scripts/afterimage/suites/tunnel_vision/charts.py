"""Accuracy over what is varied: one panel per prompt, one line per model."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import panel_grid, say_empty
from afterimage.showing.charts.figure_style import ModelStyle, legend_below, model_styles
from afterimage.showing.tables.baselines import GUESSING

#: Label of each task's axis.
_LEVELS = {"follow": "hops", "trace": "crossings", "same_object": "displacement, px"}
_COLUMNS = 2
_GUESS: dict[str, Any] = {"color": "#999999", "linewidth": 1}
_CONTROL: dict[str, Any] = {"linestyle": ":", "linewidth": 1, "fillstyle": "none"}
_OTHER_LINES = (
    (Line2D([], [], color="#333333", marker="o", markersize=4.5, **_CONTROL), "control"),
    (Line2D([], [], **_GUESS), GUESSING),
)


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy by level with its intervals; dotted lines are controls, the grey line is uniform guessing."""
    figure_style.apply()
    frame = tables["tunnel_vision"]
    frame = frame[frame["level"] != "all"]
    frame = frame.assign(at=pd.to_numeric(frame["level"]))
    measured = frame[frame["kind"] == "measured"]
    prompts = list(dict.fromkeys(measured["prompt"]))
    figure, axes_of = panel_grid(len(prompts), _COLUMNS, (3.0, 2.5), sharex=False)
    panels = list(axes_of.flat)[: max(1, len(prompts))]
    if not prompts:
        say_empty(panels[0])
        return figure
    styles = model_styles(list(dict.fromkeys(measured["model"])))
    handles: dict[str, Artist] = {}
    for axes, prompt in zip(panels, prompts, strict=True):
        answers = measured[measured["prompt"] == prompt]
        guessed = frame[(frame["prompt"] == prompt) & (frame["model"] == GUESSING)]
        positions = {
            level: position for position, level in enumerate(sorted(answers["at"].unique()))
        }
        axes.plot(guessed["at"].map(positions), guessed["accuracy"], **_GUESS)
        for number, (model, style) in enumerate(styles.items()):
            rows = answers[answers["model"] == model].sort_values("at")
            # Shifted, so that lines at the same height all stay visible.
            shift = 0.08 * (number - (len(styles) - 1) / 2)
            handles[model] = _draw_line(axes, rows, rows["at"].map(positions) + shift, style)
        task = answers["task"].iloc[0]
        axes.set_xticks(range(len(positions)), [str(level) for level in positions])
        axes.set_xlabel(_LEVELS[task])
        axes.set_title(prompt, parse_math=False)
    for left in axes_of[:, 0]:
        left.set_ylabel("right answers, %")
    panels[0].set_ylim(-4, 104)
    entries = [(handle, model) for model, handle in handles.items()]
    legend_below(figure, [*entries, *_OTHER_LINES], columns=4)
    return figure


def _draw_line(axes: Axes, rows: pd.DataFrame, x: pd.Series, style: ModelStyle) -> Artist:
    known = np.isfinite(rows["low"].to_numpy(float))
    axes.vlines(x[known], rows["low"][known], rows["high"][known], color=style.colour, linewidth=1)
    look: dict[str, Any] = {"color": style.colour, "marker": style.marker, "markersize": 4.5}
    axes.plot(x, rows["control"], **_CONTROL, **look)
    (line,) = axes.plot(x, rows["accuracy"], linestyle=style.stroke, linewidth=1.3, **look)
    return line
