"""Charts of thresholds: of models and people, from readings and from probabilities, and asked adaptively."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.contract.adaptive import adaptive_table
from afterimage.note import Note
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import draw_series, panel_grid, say_empty
from afterimage.showing.charts.figure_style import ModelStyle, legend_below, model_styles
from afterimage.showing.study.charts import LOOKS, draw_by_model
from afterimage.suites.thresholds.adaptive import ALL as ALL_CURVES
from afterimage.suites.thresholds.people_table import ALL
from afterimage.suites.thresholds.steps import Steps
from afterimage.suites.thresholds.tables import BOUNDED, GRADED, READ

#: Marks without a threshold are beyond the range shown, by these factors of height.
_UNDER, _OVER = 2.2, 1.7
_COLUMNS = 2
#: The look of people's band.
PEOPLE = "#666666"


class Panel(NamedTuple):
    """One panel: its title, the table's rows with their position ``x``, and the labels of the axis by position.

    ``people``, of :func:`people_of` and with ``x``, are drawn as a band.
    """

    title: str
    rows: pd.DataFrame
    ticks: Mapping[float, str]
    people: pd.DataFrame | None = None


def draw_panels(
    panels: Sequence[Panel],
    steps: Steps,
    heights: Mapping[float, str],
    y_label: str,
    x_label: str = "",
    beyond: str = "more",
) -> Figure:
    """Draw 100 / threshold on a logarithmic axis, the smallest threshold on top.

    Args:
        panels: Next to each other; without any the chart says that nothing was asked.
        steps: The differences shown.
        heights: Ticks of the axis: 100 / threshold to its label.
        y_label: Label of the axis.
        x_label: Label below each panel.
        beyond: Label of marks whose threshold is below the smallest difference.
    """
    figure_style.apply()
    figure, axes_of = panel_grid(len(panels), _COLUMNS, (3.4, 3.4), sharex=False)
    every = list(axes_of.flat)[: max(1, len(panels))]
    if not panels:
        say_empty(every[0])
        return figure
    styles = model_styles(
        list(dict.fromkeys(model for panel in panels for model in panel.rows["model"]))
    )
    reach = 100 / steps.at(1), 100 / steps.least
    handles: dict[str, Artist] = {}
    for axes, panel in zip(every, panels, strict=True):
        if panel.people is not None and len(panel.people):
            handles |= _draw_people(axes, panel.people.sort_values("x"))
        for number, (model, style) in enumerate(styles.items()):
            rows = panel.rows[panel.rows["model"] == model].sort_values("x")
            # Shifted, so that lines at the same height all stay visible.
            shift = 0.1 * (number - (len(styles) - 1) / 2) / max(len(styles) / 4, 1)
            handles[model] = _draw_line(axes, rows, style, shift, reach)
        _dress(axes, panel, {**heights, reach[1] * _OVER: beyond}, reach)
        axes.set_xlabel(x_label)
    for left in axes_of[:, 0]:
        left.set_ylabel(y_label)
    legend_below(figure, [(handle, model) for model, handle in handles.items()], columns=4)
    return figure


def _draw_line(
    axes: Axes, frame: pd.DataFrame, style: ModelStyle, shift: float, reach: tuple[float, float]
) -> Artist:
    x = frame["x"].to_numpy(float) + shift
    # The upper bound of a threshold is the lower one of a height.
    value, low, high = (
        100 / frame[f"threshold{end}"].to_numpy(float) for end in ("", "_high", "_low")
    )
    # A threshold outside the range shown has bounds, too: they say how far inside it might be.
    line = draw_series(axes, x, value, (low, high), style, markersize=5)
    is_above = frame["no_threshold"].fillna("").str.startswith("below").to_numpy(bool)
    has_none = np.isnan(value) & ~is_above
    for chosen, height in ((is_above, reach[1] * _OVER), (has_none, reach[0] / _UNDER)):
        axes.plot(
            x[chosen],
            np.full(chosen.sum(), height),
            color=style.colour,
            marker=style.marker,
            markersize=5,
            linestyle="none",
            fillstyle="none",
        )
    return line


def people_of(frame: pd.DataFrame | None, bounded: tuple[str, str, str] = BOUNDED) -> pd.DataFrame:
    """Return the rows about all people of a table of :mod:`people_table`; none where there is no table."""
    if frame is None:
        numbers = dict.fromkeys((*bounded, "people"), float)
        return pd.DataFrame(columns=["condition", "track", *numbers]).astype(numbers)
    return frame[frame["person"] == ALL]


def _draw_people(axes: Axes, rows: pd.DataFrame) -> dict[str, Artist]:
    """Draw the median of people's thresholds, and a band between their quartiles."""
    x = rows["x"].to_numpy(float)
    value, upper, lower = (100 / rows[name].to_numpy(float) for name in BOUNDED)
    band = axes.fill_between(x, lower, upper, color=PEOPLE, alpha=0.25, linewidth=0, zorder=1)
    axes.plot(x, value, color=PEOPLE, linewidth=1.2, zorder=1)
    return {people_label(rows): band}


def people_label(rows: pd.DataFrame) -> str:
    """Return the legend's label of the band of these rows."""
    numbers = sorted({*rows["people"].astype(int)})
    several = (
        Note("{least} to {most}", least=numbers[0], most=numbers[-1])
        if len(numbers) > 1
        else f"{numbers[0]}"
    )
    return f"people (n = {several}): median, quartiles"


def _dress(
    axes: Axes, panel: Panel, heights: Mapping[float, str], reach: tuple[float, float]
) -> None:
    under, over = reach[0] / _UNDER, reach[1] * _OVER
    axes.set_yscale("log")
    axes.set_xticks([*panel.ticks], [*panel.ticks.values()])
    axes.set_yticks([under, *heights], ["none", *heights.values()])
    axes.minorticks_off()
    axes.set_ylim(under / 1.4, over * 1.3)
    for low, high in ((under / 1.4, reach[0]), (reach[1], over * 1.3)):
        axes.axhspan(low, high, color="#f2f2f2", linewidth=0, zorder=0)
    axes.set_title(panel.title, parse_math=False)


# Share of a line's height that its numbers take, inches of each, and the fewest for which a panel has room.
_TAKEN, _NUMBER_INCHES, _FEWEST = 0.8, 0.11, 12
_FILLS: Mapping[str, Literal["none", "full"]] = {READ: "none", GRADED: "full"}
_WORDS = {READ: "as read", GRADED: "on probabilities"}
_NONE = "none"


def draw_read_and_graded(
    frame: pd.DataFrame,
    condition: Sequence[str],
    number: str,
    x_label: str,
    reason: str | None = None,
    log: bool = False,
) -> Figure:
    """Draw a number with its interval for each condition: hollow as read, filled on probabilities.

    Args:
        frame: Columns ``prompt``, ``model``, ``shown``, those of ``condition``, and ``<number>_read`` and
            ``<number>_graded`` with their bounds.
        condition: Columns that name a line.
        number: Stem of the columns that are drawn.
        x_label: Label of the number.
        reason: Stem of the columns that say why there is no number, which is then written.
        log: Whether the axis is logarithmic.
    """
    names = [" ".join(map(str, values)) for values in frame[list(condition)].values]
    frame = frame.assign(line=names)
    lines = list(dict.fromkeys(frame["line"]))
    line_index = {name: index for index, name in enumerate(lines)}
    several = [shown for shown in LOOKS if shown in set(frame["shown"])]

    def drawn(axes: Axes, rows: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
        first = len(_WORDS) * several.index(rows["shown"].iloc[0])
        for number_of, way in enumerate(_WORDS, first):
            slot = (number_of + 0.5) / (len(_WORDS) * len(several)) - 0.5
            y = rows["line"].map(line_index).to_numpy(float) + _TAKEN * slot
            value, low, high = (
                rows[f"{number}{end}_{way}"].to_numpy(float) for end in ("", "_low", "_high")
            )
            colour = look["color"]
            known = np.isfinite(value)
            axes.hlines(y[known], low[known], high[known], color=colour, linewidth=0.9)
            axes.plot(value, y, look["marker"], color=colour, fillstyle=_FILLS[way], markersize=4)
            why = rows[f"{reason}_{way}"] if reason is not None else [_NONE] * len(rows)
            _say_why(axes, pd.Series(why), y, known, colour)
        return Line2D([], [], color=look["color"], marker=look["marker"], markersize=4)

    numbers = len(_WORDS) * len(several) * len(lines)
    height = 0.6 + _NUMBER_INCHES / _TAKEN * max(numbers, _FEWEST)
    figure, entries = draw_by_model(frame, drawn, x_label, "", height)
    if not entries:
        return figure
    for axes in figure.axes:
        axes.set_yticks(range(len(lines)), [name.replace("_", " ") for name in lines])
        axes.set_ylim(len(lines) - 0.4, -0.6)
        drawn_numbers = [np.asarray(line.get_xdata(), dtype=float) for line in axes.lines]
        # Without any number, the panel has only words.
        if log and any(np.isfinite(drawn).any() for drawn in drawn_numbers):
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_formatter("{x:g}")
    ways = [
        (Line2D([], [], linestyle="none", marker="o", color="#444444", fillstyle=_FILLS[way]), word)
        for way, word in _WORDS.items()
    ]
    legend_below(figure, [*entries, *ways], columns=3)
    return figure


def _say_why(axes: Axes, reasons: pd.Series, y: np.ndarray, known: np.ndarray, colour: str) -> None:
    """Write at the panel's left edge why a line has no number."""
    for why, height in zip(reasons.to_numpy()[~known], y[~known], strict=True):
        if isinstance(why, str) and why:
            axes.text(
                *(0.02, height, why),
                transform=axes.get_yaxis_transform(),
                color=colour,
                fontsize=5.5,
                va="center",
            )


# ---- Asked adaptively: a panel per model, a line per curve, words where there is no estimate ----


class _Sought(NamedTuple):
    """How a suite's curves are labelled.

    Attributes:
        label: Label of the axis.
        doubles: Whether that is an axis of doublings.
        people: The number in people's table; empty if people were asked for another one.
        curve: Template of a curve's name, from people's condition and track.
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
_ENDS = ("value", "low", "high")
_MODELS_IN_A_ROW = 3
_CURVE_INCHES, _MIN_CURVES = 0.2, 5


def draw_adaptive(tables: Mapping[str, pd.DataFrame], chart: str) -> Figure:
    """Draw the estimate of each curve with its credible interval.

    Args:
        tables: The table of estimates, by the chart's name, and people's, where there are any.
        chart: ``adaptive_<suite>``.
    """
    figure_style.apply()
    frame = tables[chart]
    suite = chart.removeprefix(adaptive_table(""))
    sought = _SOUGHT[suite]
    people = _people_by_curve(tables.get(f"{suite}_people"), sought)
    frame = frame[frame["curve"] != ALL_CURVES]
    several = frame["prompt"].nunique() > 1
    names = [
        f"{curve} ({prompt})" if several else str(curve)
        for curve, prompt in zip(frame["curve"], frame["prompt"], strict=True)
    ]
    frame = frame.assign(line=[name.replace("_", " ") for name in names])
    lines, models = (list(dict.fromkeys(frame[name])) for name in ("line", "model"))
    height = 0.7 + _CURVE_INCHES * max(len(lines), _MIN_CURVES)
    figure, axes_of = panel_grid(len(models), _MODELS_IN_A_ROW, (3.2, height))
    if not models:
        say_empty(axes_of.flat[0])
        return figure
    every = list(axes_of.flat)[: len(models)]
    for axes, (model, style) in zip(every, model_styles(models).items(), strict=True):
        rows = frame[frame["model"] == model]
        _draw_model(axes, rows, lines, style)
        _draw_across(axes, rows, lines, people)
        axes.set_title(model, parse_math=False)
        axes.set_xlabel(sought.label)
        axes.set_yticks(range(len(lines)), lines, parse_math=False)
        axes.set_ylim(len(lines) - 0.4, -0.6)
    if sought.doubles and np.isfinite(frame["estimate_low"].astype(float)).any():
        every[0].set_xscale("log", base=2)
        every[0].xaxis.set_major_formatter("{x:g}")
    for number, axes in enumerate(every):
        axes.tick_params(labelbottom=True, labelleft=number % _MODELS_IN_A_ROW == 0)
    if len(people):
        band = Patch(color=PEOPLE, alpha=0.25, linewidth=0)
        figure.legend([band], [people_label(people)], loc="outside lower center")
    return figure


def _people_by_curve(frame: pd.DataFrame | None, sought: _Sought) -> pd.DataFrame:
    """Return the median and quartiles of all people for each curve."""
    names = [f"{sought.people}{end}" for end in ("", "_low", "_high")]
    rows = people_of(frame if sought.people else None)
    curves = [sought.curve.format(**row) for row in rows.to_dict("records")]
    numbers = {name: rows.get(column, ()) for name, column in zip(_ENDS, names, strict=True)}
    return pd.DataFrame({"curve": curves, "people": rows["people"], **numbers})


def _draw_across(axes: Axes, frame: pd.DataFrame, lines: list[str], people: pd.DataFrame) -> None:
    """Draw a band between people's quartiles, and their median, across the lines of their curves."""
    for line, curve in zip(frame["line"], frame["curve"].astype(str), strict=True):
        for row in people[people["curve"] == curve].to_dict("records"):
            y = lines.index(line)
            left, right = row["low"], row["high"]
            axes.fill_betweenx(
                [y - 0.35, y + 0.35], left, right, color=PEOPLE, alpha=0.25, linewidth=0, zorder=1
            )
            axes.vlines(row["value"], y - 0.35, y + 0.35, color=PEOPLE, linewidth=1.2, zorder=1)


def _draw_model(axes: Axes, frame: pd.DataFrame, lines: list[str], style: ModelStyle) -> None:
    ys = np.array([lines.index(line) for line in frame["line"]], dtype=float)
    value, low, high = (frame[f"estimate{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    axes.hlines(ys, low, high, color=style.colour, linewidth=1.1)
    look: dict[str, Any] = {"marker": style.marker, "color": style.colour, "markersize": 5}
    axes.plot(value, ys, linestyle="none", **look)
    for y, why in zip(ys, frame["no_estimate"].astype(object).fillna(""), strict=True):
        axes.text(
            *(0.02, y, why),
            transform=axes.get_yaxis_transform(),
            color=style.colour,
            fontsize=6,
            va="center",
        )
