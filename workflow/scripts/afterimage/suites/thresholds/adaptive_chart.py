"""Estimates of curves that were asked adaptively: a panel per model, a line per curve, words where there is none."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.contract.adaptive import adaptive_table
from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import ModelStyle, model_styles
from afterimage.showing.panels import panel_grid
from afterimage.suites.thresholds.adaptive import ALL


class _Sought(NamedTuple):
    """What is written below the axis, and whether that is one of doublings."""

    label: str
    doubles: bool = False


_SOUGHT = {
    "contrast": _Sought("threshold, %", doubles=True),
    "hidden_digits": _Sought("threshold, CIEDE2000", doubles=True),
    "illusion_strength": _Sought("point of equality"),
    "search": _Sought("d' per doubling of the items"),
}
_COLUMNS = 3
_LINE_INCHES, _LEAST_LINES = 0.2, 5


def draw(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw what was found of each curve with its credible interval.

    Args:
        tables: The table of what was found, of the chart's name.
        chart: ``adaptive_<suite>``.
    """
    figure_style.apply()
    frame = tables[chart]
    sought = _SOUGHT[chart.removeprefix(adaptive_table(""))]
    frame = frame[frame["curve"] != ALL]
    several = frame["prompt"].nunique() > 1
    names = [
        f"{curve} ({prompt})" if several else str(curve)
        for curve, prompt in zip(frame["curve"], frame["prompt"], strict=True)
    ]
    frame = frame.assign(line=[name.replace("_", " ") for name in names])
    lines, models = (list(dict.fromkeys(frame[name])) for name in ("line", "model"))
    height = 0.7 + _LINE_INCHES * max(len(lines), _LEAST_LINES)
    figure, axes_of = panel_grid(len(models), _COLUMNS, (3.2, height))
    if not models:
        say_empty(axes_of.flat[0])
        return figure
    every = list(axes_of.flat)[: len(models)]
    for axes, (model, style) in zip(every, model_styles(models).items(), strict=True):
        _draw_model(axes, frame[frame["model"] == model], lines, style)
        axes.set_title(model, parse_math=False)
        axes.set_xlabel(sought.label)
        axes.set_yticks(range(len(lines)), lines, parse_math=False)
        axes.set_ylim(len(lines) - 0.4, -0.6)
    if sought.doubles and np.isfinite(frame["estimate_low"].astype(float)).any():
        every[0].set_xscale("log", base=2)
        every[0].xaxis.set_major_formatter("{x:g}")
    for number, axes in enumerate(every):
        axes.tick_params(labelbottom=True, labelleft=number % _COLUMNS == 0)
    return figure


def _draw_model(axes: Axes, frame: pd.DataFrame, lines: list[str], style: ModelStyle) -> None:
    at = np.array([lines.index(line) for line in frame["line"]], dtype=float)
    value, low, high = (frame[f"estimate{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    axes.hlines(at, low, high, color=style.colour, linewidth=1.1)
    look = {"marker": style.marker, "color": style.colour, "markersize": 5}
    axes.plot(value, at, linestyle="none", **look)
    for place, why in zip(at, frame["no_estimate"].fillna(""), strict=True):
        axes.text(
            *(0.02, place, why),
            transform=axes.get_yaxis_transform(),
            color=style.colour,
            fontsize=6,
            va="center",
        )
