"""Accuracy with two and with five options, and which place was chosen (the paper's table 1)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.japanese_font import use_japanese_font
from afterimage.showing.model_styles import legend_below, model_styles

SIZES = (2, 5)
HUMAN = "Human"
_GUESSING = {"color": "#333333", "linestyle": "--", "linewidth": 1.2}
_PEOPLE = {"color": "#7a7a7a", "linestyle": "-", "linewidth": 1.6}
# Of the distance of two groups, what their models share.
_FILLED = 0.66


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy with intervals, and the share of answers per place with five options.

    Args:
        tables: ``texture_classification``. Bars are the table's Wilson intervals. The mean of the people is drawn
            where they have answered.
    """
    figure_style.apply()
    use_japanese_font()
    frame = tables["texture_classification"]
    measured = frame[frame["kind"] == "measured"]
    models = list(measured["model"].unique())
    figure = Figure(figsize=(max(7.6, 5.2 + 0.32 * len(models)), 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_accuracy(left, frame, models)
    _draw_places(right, measured, models)
    entries = [
        (Line2D([], [], color=style.colour, marker=style.marker, linestyle=style.stroke), model)
        for model, style in model_styles(models).items()
    ]
    entries.append((Line2D([], [], **_GUESSING), "guessing"))
    if _people(frame, 5) is not None or _people(frame, 2) is not None:
        entries.append((Line2D([], [], **_PEOPLE), HUMAN))
    legend_below(figure, entries, columns=6)
    return figure


def _draw_accuracy(axes: Axes, frame: pd.DataFrame, models: list[str]) -> None:
    measured = frame[frame["kind"] == "measured"].drop_duplicates("model").set_index("model")
    step = _FILLED / max(1, len(models))
    for place, size in enumerate(SIZES):
        axes.plot([place - 0.42, place + 0.42], [100 / size] * 2, **_GUESSING)
        people = _people(frame, size)
        if people is not None:
            axes.plot([place - 0.42, place + 0.42], [people] * 2, **_PEOPLE)
        for number, (model, style) in enumerate(model_styles(models).items()):
            cells = measured.loc[
                model, [f"choose_{size}_{part}" for part in ("accuracy", "low", "high")]
            ]
            value, low, high = (float(cell) for cell in cells)
            axes.errorbar(
                place + (number - (len(models) - 1) / 2) * step,
                value,
                yerr=[[value - low], [high - value]],
                fmt=style.marker,
                color=style.colour,
                markersize=6,
                markeredgecolor="white",
                markeredgewidth=0.5,
                elinewidth=1.2,
                capsize=2,
                zorder=3,
            )
    counts = [int(measured[f"choose_{size}_n"].max()) if len(measured) else 0 for size in SIZES]
    labels = [f"{size} 択問題 (n = {n})" for size, n in zip(SIZES, counts, strict=True)]
    axes.set_xticks(range(len(SIZES)), labels)
    axes.set_xlim(-0.5, len(SIZES) - 0.5)
    axes.set_ylim(0, 103)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel("正解率 (accuracy), %")
    axes.set_title("Accuracy")
    axes.grid(axis="x", visible=False)


def _draw_places(axes: Axes, measured: pd.DataFrame, models: list[str]) -> None:
    axes.axhline(20, **_GUESSING)
    for model, style in model_styles(models).items():
        counts = [
            measured.loc[measured["model"] == model, f"choose_5_answer_{number}"].sum()
            for number in range(5)
        ]
        shares = 100 * np.array(counts, dtype=float) / max(1, sum(counts))
        axes.plot(
            range(5),
            shares,
            color=style.colour,
            marker=style.marker,
            linestyle=style.stroke,
            markersize=5,
            markeredgecolor="white",
            markeredgewidth=0.5,
        )
    axes.set_xticks(range(5))
    axes.set_xlabel("option's number")
    axes.set_ylim(0, max(41, axes.get_ylim()[1]))
    axes.set_ylabel("share of answers, %")
    axes.set_title("Which place was chosen (5 択問題)")


def _people(frame: pd.DataFrame, size: int) -> float | None:
    found = frame.loc[frame["kind"] == "human", f"choose_{size}_accuracy"].dropna()
    return float(found.iloc[0]) if len(found) else None
