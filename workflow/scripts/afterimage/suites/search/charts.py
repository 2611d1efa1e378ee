"""Sensitivity over the number of items: one panel per model, one line per condition."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import (
    WHITE_EDGED,
    draw_series,
    label_outer,
    panel_grid,
    say_empty,
)
from afterimage.showing.charts.figure_style import legend_below, series_styles
from afterimage.suites.search.tables import SOUGHT
from afterimage.suites.thresholds.charts import (
    PEOPLE,
    draw_read_and_graded,
    people_label,
    people_of,
)

_COLUMNS = 4
#: Limits of the axis that every chart includes, and the margin beyond the data.
_LIMITS, _ROOM = (-1.6, 4.4), 0.2
_FAINT = 0.18


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw d' over the number of items with intervals by the jackknife."""
    figure_style.apply()
    frame = tables["search"]
    frame = frame[(frame["kind"] == "measured") & frame["d_prime"].notna()]
    frame = frame.assign(items=pd.to_numeric(frame["set_size"], errors="coerce"))
    panels = list(frame[["model", "prompt"]].drop_duplicates().itertuples(index=False, name=None))
    people = people_of(tables.get("search_people"), SOUGHT.bounded)
    people = people.assign(items=people["track"].astype(float)).sort_values("items")
    several = frame["prompt"].nunique() > 1
    figure, axes = panel_grid(len(panels), _COLUMNS, (2.0, 2.5))
    handles: dict[str, Artist] = {}
    for index, (model, prompt) in enumerate(panels):
        rows = frame[(frame["model"] == model) & (frame["prompt"] == prompt)]
        panel = axes.flat[index]
        handles |= _draw_panel(panel, rows, people)
        panel.set_title(f"{model} ({prompt})" if several else model, parse_math=False)
    drawn = frame[["d_prime", "d_prime_low", "d_prime_high"]].to_numpy(float)
    drawn = drawn[np.isfinite(drawn)]
    if len(panels):
        axes.flat[0].set_ylim(
            min(_LIMITS[0], drawn.min() - _ROOM), max(_LIMITS[1], drawn.max() + _ROOM)
        )
    label_outer(axes, len(panels), "items on the image", "d'")
    if not panels:
        say_empty(axes.flat[0])
        return figure
    if len(people):
        handles[people_label(people)] = Patch(color=PEOPLE, alpha=_FAINT)
    legend_below(figure, [(handle, name) for name, handle in handles.items()], columns=4)
    return figure


def _draw_panel(axes: Axes, frame: pd.DataFrame, people: pd.DataFrame) -> dict[str, Artist]:
    conditions = list(dict.fromkeys(frame["condition"]))
    styles = series_styles(conditions)
    drawn: dict[str, Artist] = {}
    for number, condition in enumerate(conditions):
        rows, style = frame[frame["condition"] == condition].sort_values("items"), styles[condition]
        measured = people[people["condition"] == condition]
        band = (measured["items"], measured["d_prime_low"], measured["d_prime_high"])
        axes.fill_between(*band, color=style.colour, alpha=_FAINT, linewidth=0, zorder=0)
        axes.plot(
            measured["items"], measured["d_prime"], color=style.colour, linewidth=0.8, alpha=0.6
        )
        # Shifted, so that lines at the same height all stay visible.
        x = rows["items"] * 2 ** (0.07 * (number - (len(conditions) - 1) / 2))
        bounds = rows["d_prime_low"], rows["d_prime_high"]
        drawn[condition] = draw_series(axes, x, rows["d_prime"], bounds, style, **WHITE_EDGED)
    axes.axhline(0, color="#333333", linestyle="--", linewidth=1)
    axes.set_xscale("log", base=2)
    sizes = sorted(frame["items"].astype(int).unique())
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    return drawn


def draw_graded(tables: Mapping[str, pd.DataFrame]) -> Figure:
    return draw_read_and_graded(tables["search_graded"], ("condition", "set_size"), "d_prime", "d'")
