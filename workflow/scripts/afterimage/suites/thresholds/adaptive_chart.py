"""Estimates of curves that were asked adaptively: a panel per model, a line per curve, words where there is none."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from afterimage.contract.adaptive import adaptive_table
from afterimage.showing import figure_style
from afterimage.showing.chart_parts import panel_grid, say_empty
from afterimage.showing.figure_style import ModelStyle, model_styles
from afterimage.suites.thresholds.adaptive import ALL
from afterimage.suites.thresholds.charts import PEOPLE, people_label, people_of


class _Sought(NamedTuple):
    """What a suite's curves are about.

    Attributes:
        label: What is written below the axis.
        doubles: Whether that is an axis of doublings.
        people: The number in people's table; empty where they were asked for another one.
        curve: The name of the curve that people's conditions and tracks are about.
    """

    label: str
    doubles: bool = False
    people: str = ""
    curve: str = "{condition}"


_SOUGHT = {
    "contrast": _Sought("threshold, %", True, "threshold"),
    "hidden_digits": _Sought("threshold, CIEDE2000", True, "threshold"),
    # People are asked how it looks.
    "illusion_strength": _Sought("point of equality", False, "pse", "{condition} apparent {track}"),
    "search": _Sought("d' per doubling of the items"),
}
_BOUNDS = ("value", "low", "high")
_COLUMNS = 3
_LINE_INCHES, _LEAST_LINES = 0.2, 5


def draw(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw what was found of each curve with its credible interval.

    Args:
        tables: The table of what was found, of the chart's name, and where people have answered theirs.
        chart: ``adaptive_<suite>``.
    """
    figure_style.apply()
    frame = tables[chart]
    suite = chart.removeprefix(adaptive_table(""))
    sought = _SOUGHT[suite]
    people = _people_by_curve(tables.get(f"{suite}_people"), sought)
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
        own = frame[frame["model"] == model]
        _draw_model(axes, own, lines, style)
        _draw_people(axes, own, lines, people)
        axes.set_title(model, parse_math=False)
        axes.set_xlabel(sought.label)
        axes.set_yticks(range(len(lines)), lines, parse_math=False)
        axes.set_ylim(len(lines) - 0.4, -0.6)
    if sought.doubles and np.isfinite(frame["estimate_low"].astype(float)).any():
        every[0].set_xscale("log", base=2)
        every[0].xaxis.set_major_formatter("{x:g}")
    for number, axes in enumerate(every):
        axes.tick_params(labelbottom=True, labelleft=number % _COLUMNS == 0)
    if len(people):
        band = Patch(color=PEOPLE, alpha=0.25, linewidth=0)
        figure.legend([band], [people_label(people)], loc="outside lower center")
    return figure


def _people_by_curve(frame: pd.DataFrame | None, sought: _Sought) -> pd.DataFrame:
    """Return the median and quartiles of all people, with the curve that they are about."""
    names = [f"{sought.people}{end}" for end in ("", "_low", "_high")]
    rows = people_of(frame if sought.people else None)
    curves = [sought.curve.format(**row) for row in rows.to_dict("records")]
    numbers = {name: rows.get(own, ()) for name, own in zip(_BOUNDS, names, strict=True)}
    return pd.DataFrame({"curve": curves, "people": rows["people"], **numbers})


def _draw_people(axes: Axes, frame: pd.DataFrame, lines: list[str], people: pd.DataFrame) -> None:
    """Draw a band between people's quartiles, and their median, across the lines of their curves."""
    for line, curve in zip(frame["line"], frame["curve"].astype(str), strict=True):
        for row in people[people["curve"] == curve].to_dict("records"):
            at = lines.index(line)
            left, right = row["low"], row["high"]
            axes.fill_betweenx(
                [at - 0.35, at + 0.35], left, right, color=PEOPLE, alpha=0.25, linewidth=0, zorder=1
            )
            axes.vlines(row["value"], at - 0.35, at + 0.35, color=PEOPLE, linewidth=1.2, zorder=1)


def _draw_model(axes: Axes, frame: pd.DataFrame, lines: list[str], style: ModelStyle) -> None:
    at = np.array([lines.index(line) for line in frame["line"]], dtype=float)
    value, low, high = (frame[f"estimate{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    axes.hlines(at, low, high, color=style.colour, linewidth=1.1)
    look: dict[str, Any] = {"marker": style.marker, "color": style.colour, "markersize": 5}
    axes.plot(value, at, linestyle="none", **look)
    for place, why in zip(at, frame["no_estimate"].astype(object).fillna(""), strict=True):
        axes.text(
            *(0.02, place, why),
            transform=axes.get_yaxis_transform(),
            color=style.colour,
            fontsize=6,
            va="center",
        )
