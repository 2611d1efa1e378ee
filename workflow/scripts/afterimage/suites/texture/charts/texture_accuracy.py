"""Accuracy with two and with five options, and which place was chosen (the paper's table 1)."""

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.groups import GUESSING, draw_baseline, label_groups
from afterimage.showing.japanese_font import use_japanese_font
from afterimage.showing.looks import PAPER, PAPER_NOTE
from afterimage.showing.model_marks import Marks, draw_model_marks
from afterimage.showing.model_styles import legend_below, model_styles

SIZES = (2, 5)
HUMAN = "Human"
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
    own = list(measured["model"].unique())
    others = list(frame.loc[frame["kind"] == PAPER, "model"])
    models = [*own, *others]
    figure = Figure(figsize=(max(7.6, 5.2 + 0.32 * len(models)), 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_accuracy(left, frame, models)
    _draw_places(right, measured, own)
    if others:
        left.set_xlabel(PAPER_NOTE)
    entries = [
        (Line2D([], [], marker=style.marker, linestyle="", **style.mark), model)
        for model, style in model_styles(models).items()
    ]
    entries.append((Line2D([], [], **GUESSING), "uniform guessing"))
    if _people(frame, 5) is not None or _people(frame, 2) is not None:
        entries.append((Line2D([], [], **_PEOPLE), HUMAN))
    legend_below(figure, entries, columns=6)
    return figure


def _draw_accuracy(axes: Axes, frame: pd.DataFrame, models: list[str]) -> None:
    measured = frame[frame["kind"] == "measured"]
    shown = frame[frame["kind"].isin(("measured", PAPER))]
    shown = shown.drop_duplicates("model").set_index("model")
    draw_baseline(axes, [100 / size for size in SIZES], "uniform guessing", GUESSING)
    people = [_people(frame, size) for size in SIZES]
    draw_baseline(axes, [math.nan if value is None else value for value in people], HUMAN, _PEOPLE)

    def marks(model: str) -> Marks:
        parts = ("accuracy", "low", "high")
        return Marks(
            *([shown.at[model, f"choose_{size}_{part}"] for size in SIZES] for part in parts)
        )

    draw_model_marks(axes, len(SIZES), models, marks, _FILLED)
    counts = [int(measured[f"choose_{size}_n"].max()) if len(measured) else 0 for size in SIZES]
    names = [f"{size} options (n = {n})" for size, n in zip(SIZES, counts, strict=True)]
    label_groups(axes, names, "accuracy, %", lowest=0, banded=False)
    axes.set_title("Accuracy")


def _draw_places(axes: Axes, measured: pd.DataFrame, models: list[str]) -> None:
    axes.axhline(20, **GUESSING)

    # Places are categories: marks side by side, and no line that would lead from one to the next.
    def marks(model: str) -> Marks:
        own = measured[measured["model"] == model]
        counts = np.array([own[f"choose_5_answer_{number}"].sum() for number in range(5)], float)
        return Marks(100 * counts / max(1, counts.sum()))

    draw_model_marks(axes, 5, models, marks, _FILLED)
    axes.set_xticks(range(5))
    axes.grid(axis="x", visible=False)
    axes.set_xlabel("option's number")
    axes.set_ylim(0, max(41, axes.get_ylim()[1]))
    axes.set_ylabel("share of answers, %")
    axes.set_title("Which place was chosen (5 options)")


def _people(frame: pd.DataFrame, size: int) -> float | None:
    found = frame.loc[frame["kind"] == "human", f"choose_{size}_accuracy"].dropna()
    return float(found.iloc[0]) if len(found) else None
