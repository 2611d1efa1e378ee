"""Charts of thresholds on probabilities beside those on readings: a line per condition, a panel per model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing.model_styles import legend_below
from afterimage.showing.study.graded_chart import LOOKS, draw_by_model
from afterimage.suites.thresholds.graded import GRADED, READ

# Share of a line that its numbers take, and inches of each; a panel has room for so many of them.
_TAKEN, _NUMBER_INCHES, _FEWEST = 0.8, 0.11, 12
_FILLS = {READ: "none", GRADED: "full"}
_WORDS = {READ: "as read", GRADED: "on probabilities"}
_NONE = "none"


def draw_beside(
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
        number: What is drawn.
        x_label: What it is.
        reason: Begin of the columns that say why there is no number, written in its place.
        log: Whether the axis is logarithmic.
    """
    frame = frame.assign(line=[" ".join(map(str, one)) for one in frame[list(condition)].values])
    lines = list(dict.fromkeys(frame["line"]))
    place = {name: at for at, name in enumerate(lines)}
    several = [shown for shown in LOOKS if shown in set(frame["shown"])]

    def drawn(axes: Axes, own: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
        first = len(_WORDS) * several.index(own["shown"].iloc[0])
        for number_of, way in enumerate(_WORDS, first):
            slot = (number_of + 0.5) / (len(_WORDS) * len(several)) - 0.5
            at = own["line"].map(place).to_numpy(float) + _TAKEN * slot
            value, low, high = (
                own[f"{number}{end}_{way}"].to_numpy(float) for end in ("", "_low", "_high")
            )
            colour = look["color"]
            known = np.isfinite(value)
            axes.hlines(at[known], low[known], high[known], color=colour, linewidth=0.9)
            axes.plot(value, at, look["marker"], color=colour, fillstyle=_FILLS[way], markersize=4)
            why = own[f"{reason}_{way}"] if reason is not None else [_NONE] * len(own)
            _say_why(axes, pd.Series(why), at, known, colour)
        return Line2D([], [], color=look["color"], marker=look["marker"], markersize=4)

    numbers = len(_WORDS) * len(several) * len(lines)
    height = 0.6 + _NUMBER_INCHES / _TAKEN * max(numbers, _FEWEST)
    figure, entries = draw_by_model(frame, drawn, x_label, "", height)
    if not entries:
        return figure
    for axes in figure.axes:
        axes.set_yticks(range(len(lines)), [name.replace("_", " ") for name in lines])
        axes.set_ylim(len(lines) - 0.4, -0.6)
        drawn_numbers = [x for line in axes.lines for x in line.get_xdata()]
        # Without any number, words alone stand in the panel.
        if log and np.isfinite(np.asarray(drawn_numbers, dtype=float)).any():
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_formatter("{x:g}")
    ways = [
        (Line2D([], [], linestyle="none", marker="o", color="#444444", fillstyle=_FILLS[way]), word)
        for way, word in _WORDS.items()
    ]
    legend_below(figure, [*entries, *ways], columns=3)
    return figure


def _say_why(
    axes: Axes, reasons: pd.Series, at: np.ndarray, known: np.ndarray, colour: str
) -> None:
    """Write at the panel's left end why a line has no number."""
    for why, height in zip(reasons.to_numpy()[~known], at[~known], strict=True):
        if isinstance(why, str) and why:
            axes.text(
                *(0.02, height, why),
                transform=axes.get_yaxis_transform(),
                color=colour,
                fontsize=5.5,
                va="center",
            )
