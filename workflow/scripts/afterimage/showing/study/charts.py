"""Charts of the study's own tables: probabilities, claims without an image, thinking, and twins."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import panel_grid, say_empty
from afterimage.showing.charts.figure_style import ModelStyle, legend_below, model_styles
from afterimage.showing.study.thinking import PER_ANSWERS
from afterimage.showing.study.without_image import ALL, PROBES
from afterimage.showing.tables.pairs import ALL_PARTS
from afterimage.showing.tables.weighted import BLANK, IMAGE, NOTHING

# ---- probabilities: a panel per model, a line for each kind of image; the reliability diagram ----

_COLUMNS = 3
#: What was shown to its label in a legend and its line style.
LOOKS = {
    IMAGE: ("with the image", {"color": "#0072b2", "marker": "o", "linestyle": "-"}),
    BLANK: ("with a white image", {"color": "#d55e00", "marker": "s", "linestyle": "--"}),
    NOTHING: ("without an image", {"color": "#009e73", "marker": "^", "linestyle": ":"}),
}
#: Draws the rows of one model and one kind of image on a panel in a line style, and returns the legend's handle.
Line = Callable[[Axes, pd.DataFrame, Mapping[str, Any]], Artist]


def draw_by_model(
    frame: pd.DataFrame, line: Line, x_label: str, y_label: str, height: float = 3.2
) -> tuple[Figure, list[tuple[Artist, str]]]:
    """Draw one panel per model with a line for each kind of image; only the first prompt where there are several.

    Args:
        frame: Columns ``prompt``, ``model`` and ``shown``.
        line: Draws one of the lines.
        height: Height of a panel, inches.

    Returns:
        The figure without a legend, and the legend's entries.
    """
    figure_style.apply()
    if len(frame):
        frame = frame[frame["prompt"] == frame["prompt"].iloc[0]]
    models = list(dict.fromkeys(frame["model"]))
    figure, axes_of = panel_grid(len(models), _COLUMNS, (3.2, height), sharex=False)
    handles = {}
    for axes, model in zip(axes_of.flat, models, strict=False):
        for shown, (label, look) in LOOKS.items():
            rows = frame[(frame["model"] == model) & (frame["shown"] == shown)]
            if len(rows):
                handles[label] = line(axes, rows, look)
        axes.set_title(model, parse_math=False)
        axes.set_xlabel(x_label)
    for left in axes_of[:, 0]:
        left.set_ylabel(y_label)
    if not models:
        say_empty(axes_of.flat[0])
    return figure, [(handle, label) for label, handle in handles.items()]


def draw_unit_square(frame: pd.DataFrame, line: Line, x_label: str, y_label: str) -> Figure:
    """Draw panels from 0 to 1 both ways with their diagonal, and a legend below; see :func:`draw_by_model`."""

    def with_diagonal(axes: Axes, rows: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
        axes.plot([0, 1], [0, 1], color="#777777", linewidth=0.8, zorder=1)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        return line(axes, rows, look)

    figure, entries = draw_by_model(frame, with_diagonal, x_label, y_label)
    if entries:
        legend_below(figure, entries, columns=len(LOOKS))
    return figure


def draw_calibration(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw share right with its interval over the mean probability of each bin.

    Args:
        tables: Has the table of the same name as the chart.
        chart: ``calibration_<suite>``.
    """
    return draw_unit_square(
        tables[chart], _bins, "probability of the likeliest option", "share right"
    )


def _bins(axes: Axes, rows: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
    x = rows["p_most"].to_numpy(float)
    value, low, high = (
        rows[name].to_numpy(float) / 100
        for name in ("likeliest", "likeliest_low", "likeliest_high")
    )
    axes.vlines(x, low, high, color=look["color"], linewidth=0.9)
    (drawn,) = axes.plot(x, value, markersize=4, linewidth=1.1, **look)
    return drawn


# ---- claims: a panel for each way of asking, a bar for each model ----

_STANCES = {
    "claims": ("claims to see", "#de8f05"),
    "hedges": ("hedges", "#f0e442"),
    "denies": ("says that nothing is there", "#0173b2"),
    "unread": ("unread", "#bbbbbb"),
}
# Of two marks that may overlap, the larger is hollow.
_RIGHT: dict[str, tuple[str, dict[str, Any]]] = {
    "accuracy_image": (
        "right with the image",
        {"marker": "o", "markersize": 7, "markerfacecolor": "white"},
    ),
    "accuracy": ("right without it", {"marker": "D", "markersize": 3.5}),
}
_MARK: dict[str, Any] = {"color": "black", "linestyle": "none", "clip_on": False, "zorder": 3}
_BAR_INCHES = 0.24


def draw_claims(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the stances over all suites and all types of answers, with the interval of the claims."""
    figure_style.apply()
    rows = tables["claims"]
    suites = list(dict.fromkeys(rows["suite"]))
    shown = rows[(rows["suite"] == (suites or [ALL])[-1]) & (rows["answer_type"] == ALL)]
    models = list(dict.fromkeys(shown["model"]))
    probes = [name for name in PROBES if name in set(shown["probe"])]
    figure = Figure(figsize=(7.2, 1.3 + _BAR_INCHES * max(1, len(models))), layout="constrained")
    if not models:
        say_empty(figure.subplots())
        return figure
    panels = figure.subplots(1, len(probes), sharey=True, squeeze=False)[0]
    for axes, probe in zip(panels, probes, strict=True):
        probe_rows = shown[shown["probe"] == probe].set_index("model").reindex(models)
        _draw_stances(axes, probe_rows)
        axes.set_title(PROBES[probe], fontsize="small")
    panels[0].set_yticks(range(len(models)), models, fontsize="small")
    for label in panels[0].get_yticklabels():
        label.set_parse_math(False)
    panels[0].set_ylim(len(models) - 0.5, -0.5)
    entries = [
        *(Patch(color=colour, label=label) for label, colour in _STANCES.values()),
        *(Line2D([], [], label=label, **(_MARK | look)) for label, look in _RIGHT.values()),
    ]
    figure.legend(handles=entries, loc="outside lower center", ncols=3, fontsize="small")
    return figure


def _draw_stances(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw one way of asking: stances as parts of a bar, accuracies as marks on it; nothing for models without rows."""
    positions, left = range(len(rows)), pd.Series(0.0, index=rows.index)
    for name, (_, colour) in _STANCES.items():
        widths = (100 * rows[f"{name}_k"] / rows["n"]).fillna(0)
        axes.barh(positions, widths, left=left, color=colour, height=0.7)
        left += widths
    axes.hlines(positions, rows["claims_low"], rows["claims_high"], color="black", lw=1)
    for name, (_, look) in _RIGHT.items():
        axes.plot(rows[name], positions, **(_MARK | look))
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 50, 100])
    axes.set_xlabel("% of answers", fontsize="small")
    axes.tick_params(labelsize="small")
    axes.grid(axis="y", visible=False)


# ---- thinking: share right over the tokens of reasoning and over the cost, a line for each family ----

_THINKING_INCHES = (3.6, 2.7)
#: Column to the label of its axis.
_THINKING_AXES = {
    "reasoning_tokens": "tokens of reasoning per answer",
    "cost": f"cost of {PER_ANSWERS:,} answers",
}


def draw_thinking(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw two panels for each suite, over tokens of reasoning and over cost."""
    figure_style.apply()
    rows = tables["thinking"].dropna(subset=["accuracy"])
    rows = rows.drop_duplicates(["suite", "model"])
    suites = list(dict.fromkeys(rows["suite"]))
    width, height = _THINKING_INCHES
    figure = Figure(
        figsize=(len(_THINKING_AXES) * width, 0.9 + height * max(1, len(suites))),
        layout="constrained",
    )
    if not suites:
        say_empty(figure.subplots())
        return figure
    panels = figure.subplots(len(suites), len(_THINKING_AXES), sharey="row", squeeze=False)
    styles = model_styles(list(dict.fromkeys(rows["family"])))
    handles: dict[str, Artist] = {}
    for suite, row_axes in zip(suites, panels, strict=True):
        suite_rows = rows[rows["suite"] == suite]
        for column, axes in zip(_THINKING_AXES, row_axes, strict=True):
            _draw_efforts(axes, suite_rows, column, styles, handles)
            axes.set_title(suite, parse_math=False)
        row_axes[0].set_ylabel("% right")
    legend_below(figure, [(handle, label) for label, handle in handles.items()], columns=3)
    return figure


def _draw_efforts(
    axes: Axes,
    rows: pd.DataFrame,
    column: str,
    styles: Mapping[str, ModelStyle],
    handles: dict[str, Artist],
) -> None:
    known = rows[rows[column].notna()]
    for family, efforts in known.groupby("family", sort=False):
        style = styles[str(family)]
        line = efforts.sort_values(column)
        xs, right = line[column].to_numpy(float), line["accuracy"].to_numpy(float)
        axes.vlines(xs, line["low"], line["high"], color=style.colour, linewidth=0.9)
        (handles[str(family)],) = axes.plot(
            xs,
            right,
            color=style.colour,
            marker=style.marker,
            linestyle=style.stroke,
            markersize=5,
            linewidth=1.1,
            markerfacecolor=style.mark["markerfacecolor"],
            markeredgecolor=style.mark["markeredgecolor"],
        )
        for x, y, effort in zip(xs, right, line["effort"], strict=True):
            axes.annotate(
                str(effort),
                (x, y),
                (4, 4),
                textcoords="offset points",
                fontsize="x-small",
                parse_math=False,
            )
    label = _THINKING_AXES[column]
    if column == "cost":
        money = [name for name in dict.fromkeys(known["currency"].dropna()) if name]
        label += f" ({', '.join(money)})" if money else ""
    missing = [str(name) for name in rows["model"][rows[column].isna()]]
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


# ---- twins: a panel per suite, a line per model with its interval, and differences too small to be found ----

_TWINS_WIDTH, _TWINS_HEAD, _TWINS_LINE = 6.4, 0.8, 0.28
_GREY, _SHADE = "0.45", "0.88"


def draw_twins(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the differences; a grey bar around 0 ends at the smallest detectable difference."""
    figure_style.apply()
    # Where a suite has several parts, the row over all of them is the suite's.
    rows = tables["twins"]
    whole = rows.groupby("suite")["part"].transform(lambda parts: (parts == ALL_PARTS).any())
    rows = rows[(rows["part"] == ALL_PARTS) | ~whole]
    panels = dict(iter(rows.groupby("suite", sort=False)))
    height = sum(_TWINS_HEAD + _TWINS_LINE * len(suite_rows) for suite_rows in panels.values())
    figure = Figure(figsize=(_TWINS_WIDTH, max(1.6, height)), layout="constrained")
    if not panels:
        say_empty(figure.subplots())
        return figure
    ratios = [_TWINS_HEAD + _TWINS_LINE * len(suite_rows) for suite_rows in panels.values()]
    grid = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=ratios)
    styles = model_styles(list(dict.fromkeys(rows["model"])))
    for axes, (suite, suite_rows) in zip(grid[:, 0], panels.items(), strict=True):
        positions = np.arange(len(suite_rows))
        axes.barh(
            positions,
            2 * suite_rows["detectable"],
            left=-suite_rows["detectable"],
            color=_SHADE,
            height=0.7,
        )
        axes.axvline(0, color=_GREY, linewidth=0.8)
        for position, row in zip(positions, suite_rows.to_dict(orient="records"), strict=True):
            style = styles[row["model"]]
            axes.hlines(position, row["low"], row["high"], color=style.colour, linewidth=1.2)
            axes.plot(
                row["difference"], position, marker=style.marker, color=style.colour, **style.mark
            )
        axes.set_yticks(positions, suite_rows["model"], parse_math=False)
        axes.set_ylim(len(suite_rows) - 0.5, -0.5)
        axes.set_title(suite, parse_math=False)
    grid[-1, 0].set_xlabel("public minus fresh, percentage points")
    if rows["detectable"].notna().any():
        legend_below(figure, [(Patch(color=_SHADE), "too small to be found")], columns=1)
    return figure
