"""Accuracy with two and with five options, and which place was chosen (the paper's table 1)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.group_chart import GUESSING, Baseline, Groups, draw_groups
from afterimage.showing.japanese_font import use_japanese_font
from afterimage.showing.model_marks import Marks
from afterimage.showing.model_styles import legend_below, model_styles
from afterimage.suites.texture.tables.answers import SIZES

HUMAN = "Human"
_PEOPLE = {"color": "#7a7a7a", "linestyle": "-", "linewidth": 1.6}


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
    entries = draw_groups(left, _accuracy(frame, measured.drop_duplicates("model"), models))
    left.set_title("Accuracy")
    _draw_places(right, measured, models)
    legend_below(figure, entries, columns=6)
    return figure


def _accuracy(frame: pd.DataFrame, measured: pd.DataFrame, models: list[str]) -> Groups:
    of_model = measured.set_index("model")

    def marks(model: str) -> Marks:
        return Marks(
            *(
                [of_model.loc[model, f"choose_{size}_{part}"] for size in SIZES]
                for part in ("accuracy", "low", "high")
            )
        )

    counts = [int(measured[f"choose_{size}_n"].max()) if len(measured) else 0 for size in SIZES]
    people = [_people(frame, size) for size in SIZES]
    baselines = [Baseline("guessing", [100 / size for size in SIZES], GUESSING)]
    if not np.isnan(people).all():
        baselines.append(Baseline(HUMAN, people, _PEOPLE))
    return Groups(
        [f"{size} 択問題 (n = {n})" for size, n in zip(SIZES, counts, strict=True)],
        models,
        marks,
        baselines,
        "正解率 (accuracy), %",
    )


def _draw_places(axes: Axes, measured: pd.DataFrame, models: list[str]) -> None:
    axes.axhline(20, **GUESSING)
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


def _people(frame: pd.DataFrame, size: int) -> float:
    """Return the mean of the people in percent; NaN while nobody has answered."""
    found = frame.loc[frame["kind"] == "human", f"choose_{size}_accuracy"].dropna()
    return float(found.iloc[0]) if len(found) else float("nan")
