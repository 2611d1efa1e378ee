"""Two circles: accuracy against the gap between them, one panel per question (paper, task 2)."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.model_styles import ModelStyle, legend_below, model_styles
from afterimage.showing.references import REFERENCE

TITLES = {"overlapping": "Do the two circles overlap?", "touching": "Do the two circles touch?"}
#: Gaps up to here, in diameters, make "Yes" the right answer; they are multiples of 0.05.
_LAST_YES = {"overlapping": -0.05, "touching": 0.0}
_HALF_STEP = 0.025
# Percent: a guess between two answers.
_CHANCE = 50
_GUESSING_LINE = {"color": "#333333", "linestyle": "--", "linewidth": 1.2}
#: Ends of the axis of gaps, in diameters.
_SPAN = (-0.18, 0.53)
_ALL_PROMPTS = "all"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent over the gap in diameters, a line with Wilson's interval per model.

    Args:
        tables: ``blindtest_factors``; its factor "gap" of the two circles, prompts pooled.
    """
    figure_style.apply()
    frame = tables["blindtest_factors"]
    frame = frame[(frame["task"] == "two_circles") & (frame["factor"] == "gap")]
    # A guess is a line of its own; the right answer is the same at every gap, so that nobody else can be drawn.
    frame = frame[frame["kind"] != REFERENCE]
    styles = model_styles(list(frame["model"].unique()))
    figure = Figure(figsize=(9.6, 3.9), layout="constrained")
    panels = figure.subplots(1, len(TITLES), sharex=True, sharey=True)
    drawn: dict[str, Artist] = {}
    for axes, (question, title) in zip(panels, TITLES.items(), strict=True):
        border = _LAST_YES[question] + _HALF_STEP
        _draw_ground(axes, border)
        axes.set_title(title)
        axes.set_xlabel("gap between the circles, in diameters (negative: they overlap)")
        asked = frame[frame["subtask"] == question]
        for model, style in styles.items():
            cells = _pooled(asked[asked["model"] == model])
            if len(cells):
                drawn[model] = _draw_line(axes, cells, style, border)
    panels[0].set_ylabel("accuracy, %")
    guessing = (Line2D([], [], **_GUESSING_LINE), "uniform guessing")
    legend_below(figure, [*((line, model) for model, line in drawn.items()), guessing], columns=5)
    return figure


def _pooled(cells: pd.DataFrame) -> pd.DataFrame:
    """Return one row per gap, in order; a single prompt has no row of its own for all prompts."""
    over_all = cells[cells["prompt"] == _ALL_PROMPTS]
    chosen = over_all if len(over_all) else cells
    return chosen.assign(gap=chosen["level"].astype(float)).sort_values("gap")


def _draw_line(axes: Axes, cells: pd.DataFrame, style: ModelStyle, border: float) -> Artist:
    # Where the right answer changes, accuracy jumps: a line across would invent what is between.
    for side in (cells[cells["gap"] < border], cells[cells["gap"] > border]):
        axes.fill_between(
            side["gap"], side["low"], side["high"], color=style.colour, alpha=0.16, linewidth=0
        )
        (line,) = axes.plot(
            side["gap"],
            side["accuracy"],
            color=style.colour,
            marker=style.marker,
            linestyle=style.stroke,
            linewidth=1.4,
            markersize=5,
            markeredgecolor="white",
            markeredgewidth=0.5,
            zorder=3,
        )
    return line


def _draw_ground(axes: Axes, border: float) -> None:
    axes.set_xlim(*_SPAN)
    axes.set_ylim(-3, 112)
    axes.set_yticks(range(0, 101, 25))
    axes.axvspan(_SPAN[0], border, color="#000000", alpha=0.06, linewidth=0, zorder=0)
    axes.axhline(_CHANCE, **_GUESSING_LINE, zorder=1)
    for text, offset, side in (("right: Yes", -4, "right"), ("right: No", 4, "left")):
        axes.annotate(
            text,
            (border, 107),
            (offset, 0),
            textcoords="offset points",
            ha=side,
            va="center",
            color="#444444",
            fontsize="small",
        )
