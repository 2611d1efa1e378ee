"""What thinking brings: share right over the tokens of reasoning and over the cost, a line for each family."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import ModelStyle, legend_below, model_styles
from afterimage.showing.study.thinking import PER_ANSWERS

_INCHES = (3.6, 2.7)
#: Column to what the horizontal axis is called.
_AXES = {
    "reasoning_tokens": "tokens of reasoning per answer",
    "cost": f"cost of {PER_ANSWERS:,} answers",
}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw two panels for each suite, over tokens of reasoning and over cost.

    Args:
        tables: ``thinking``.
    """
    figure_style.apply()
    rows = tables["thinking"].dropna(subset=["accuracy"])
    rows = rows.drop_duplicates(["suite", "model"])
    suites = list(dict.fromkeys(rows["suite"]))
    width, height = _INCHES
    figure = Figure(
        figsize=(len(_AXES) * width, 0.9 + height * max(1, len(suites))), layout="constrained"
    )
    if not suites:
        say_empty(figure.subplots())
        return figure
    panels = figure.subplots(len(suites), len(_AXES), sharey="row", squeeze=False)
    styles = model_styles(list(dict.fromkeys(rows["family"])))
    handles: dict[str, Artist] = {}
    for suite, beside in zip(suites, panels, strict=True):
        own = rows[rows["suite"] == suite]
        for column, axes in zip(_AXES, beside, strict=True):
            _draw_panel(axes, own, column, styles, handles)
            axes.set_title(suite, parse_math=False)
        beside[0].set_ylabel("% right")
    legend_below(figure, [(handle, label) for label, handle in handles.items()], columns=3)
    return figure


def _draw_panel(
    axes: Axes,
    own: pd.DataFrame,
    column: str,
    styles: Mapping[str, ModelStyle],
    handles: dict[str, Artist],
) -> None:
    known = own[own[column].notna()]
    for family, efforts in known.groupby("family", sort=False):
        style = styles[str(family)]
        line = efforts.sort_values(column)
        at, right = line[column].to_numpy(float), line["accuracy"].to_numpy(float)
        axes.vlines(at, line["low"], line["high"], color=style.colour, linewidth=0.9)
        (handles[str(family)],) = axes.plot(
            at,
            right,
            color=style.colour,
            marker=style.marker,
            linestyle=style.stroke,
            markersize=5,
            linewidth=1.1,
            markerfacecolor=style.mark["markerfacecolor"],
            markeredgecolor=style.mark["markeredgecolor"],
        )
        for x, y, effort in zip(at, right, line["effort"], strict=True):
            axes.annotate(
                str(effort),
                (x, y),
                (4, 4),
                textcoords="offset points",
                fontsize="x-small",
                parse_math=False,
            )
    label = _AXES[column]
    if column == "cost":
        money = [name for name in dict.fromkeys(known["currency"].dropna()) if name]
        label += f" ({', '.join(money)})" if money else ""
    missing = [str(name) for name in own["model"][own[column].isna()]]
    if missing:
        label += (
            f"\nnot counted: {', '.join(missing)}"
            if column != "cost"
            else f"\nno cost: {', '.join(missing)}"
        )
    axes.set_xlabel(label, parse_math=False)
    highest = np.nanmax([*known[column], 0.0])
    axes.set_xlim(-0.04 * (highest or 1), 1.15 * (highest or 1))
    axes.set_ylim(-3, 103)
