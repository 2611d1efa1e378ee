"""Two circles: accuracy against the gap between them, one panel per model (paper, task 2)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.showing import figure_style
from afterimage.showing.groups import GUESSING, say_empty
from afterimage.showing.model_styles import ModelStyle, legend_below, series_styles
from afterimage.showing.panels import label_outer, panel_grid
from afterimage.showing.references import REFERENCE

TITLES = {"overlapping": "Do the two circles overlap?", "touching": "Do the two circles touch?"}
#: Gaps up to here, in diameters, make "Yes" the right answer; they are multiples of 0.05.
_LAST_YES = {"overlapping": -0.05, "touching": 0.0}
_HALF_STEP = 0.025
# Percent: a guess between two answers.
_CHANCE = 50
#: Ends of the axis of gaps, in diameters.
_SPAN = (-0.18, 0.53)
_ALL_PROMPTS = "all"
_COLUMNS = 4
_GREY = {"color": "#000000", "linewidth": 0}
_ONE, _BOTH = 0.07, 0.135
_GROUNDS = (
    (Patch(alpha=_BOTH, **_GREY), '"Yes" is right to both questions'),
    (Patch(alpha=_ONE, **_GREY), '"Yes" is right to "touch" alone'),
)
# So that marks at the same height are all seen.
_APART = {"overlapping": -0.006, "touching": 0.006}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent over the gap in diameters, a line with Wilson's interval per question.

    Args:
        tables: ``blindtest_factors``; its factor "gap" of the two circles, prompts pooled.
    """
    figure_style.apply()
    frame = tables["blindtest_factors"]
    frame = frame[(frame["task"] == "two_circles") & (frame["factor"] == "gap")]
    # A guess is a line of its own; the right answer is the same at every gap, so that nobody else can be drawn.
    frame = frame[frame["kind"] != REFERENCE]
    models = list(frame["model"].unique())
    figure, panels = panel_grid(len(models), _COLUMNS, (2.0, 1.9))
    if not models:
        say_empty(panels.flat[0])
        return figure
    styles = series_styles(list(TITLES.values()))
    drawn: dict[str, Artist] = {}
    for axes, model in zip(panels.flat, models, strict=False):
        _draw_ground(axes)
        axes.set_title(model, parse_math=False, fontsize="small")
        for question, title in TITLES.items():
            cells = frame[(frame["model"] == model) & (frame["subtask"] == question)]
            if len(cells):
                drawn[title] = _draw_line(axes, _pooled(cells), styles[title], question)
    label_outer(panels, len(models), "gap, in diameters", "accuracy, %")
    # Column by column: questions, grounds, the guess.
    others = (*_GROUNDS, (Line2D([], [], **GUESSING), "uniform guessing"))
    legend_below(figure, [*((line, title) for title, line in drawn.items()), *others], columns=3)
    return figure


def _pooled(cells: pd.DataFrame) -> pd.DataFrame:
    """Return one row per gap, in order; a single prompt has no row of its own for all prompts."""
    over_all = cells[cells["prompt"] == _ALL_PROMPTS]
    chosen = over_all if len(over_all) else cells
    return chosen.assign(gap=chosen["level"].astype(float)).sort_values("gap")


def _draw_line(axes: Axes, cells: pd.DataFrame, style: ModelStyle, question: str) -> Artist:
    # Where the right answer changes, accuracy jumps: a line across would invent what is between.
    border = _LAST_YES[question] + _HALF_STEP
    for side in (cells[cells["gap"] < border], cells[cells["gap"] > border]):
        known = np.isfinite(side["low"])
        at = side["gap"] + _APART[question]
        axes.vlines(
            at[known],
            side["low"][known],
            side["high"][known],
            color=style.colour,
            linewidth=1,
        )
        (line,) = axes.plot(
            at,
            side["accuracy"],
            color=style.colour,
            marker=style.marker,
            linestyle=style.stroke,
            linewidth=1.3,
            markersize=4.5,
            markeredgecolor="white",
            markeredgewidth=0.4,
            zorder=3,
        )
    return line


def _draw_ground(axes: Axes) -> None:
    """Shade where "Yes" is right: of both questions darker, of one lighter."""
    axes.set_xlim(*_SPAN)
    axes.set_ylim(-4, 104)
    axes.set_yticks(range(0, 101, 25))
    for last in _LAST_YES.values():
        axes.axvspan(_SPAN[0], last + _HALF_STEP, alpha=_ONE, zorder=0, **_GREY)
    axes.axhline(_CHANCE, **GUESSING, zorder=1)
