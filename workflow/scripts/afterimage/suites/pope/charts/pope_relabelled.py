"""F1 by POPE's own labels and by the corrected ones: one line per model, and whether lines cross."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import ModelStyle, legend_below, model_styles

_SIDES = (("", "POPE"), ("_relabelled", "corrected"))
#: Lines stand beside each other, so that their intervals do not hide one another.
_SPREAD = 0.16


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw a panel per strategy and one for their mean, each model with intervals at both ends.

    Of several prompts the first one is drawn.

    Args:
        tables: ``pope_relabelled``.
    """
    figure_style.apply()
    frame = tables["pope_relabelled"]
    frame = frame[frame["kind"] == "measured"]
    frame = frame[frame["prompt"] == frame["prompt"].iloc[0]] if len(frame) else frame
    strategies = list(dict.fromkeys(frame["strategy"]))
    figure = Figure(figsize=(7.2, 3.7), layout="constrained")
    panels = figure.subplots(1, max(1, len(strategies)), sharey=True, squeeze=False)[0]
    if not strategies:
        say_empty(panels[0])
        return figure
    models = list(dict.fromkeys(frame["model"]))
    styles = model_styles(models)
    for axes, strategy in zip(panels, strategies, strict=True):
        own = frame[frame["strategy"] == strategy].set_index("model")
        for number, model in enumerate(models):
            aside = _SPREAD * (number / max(1, len(models) - 1) - 0.5)
            if model in own.index:
                _draw_model(axes, own.loc[model], aside, styles[model])
        axes.set_xticks([0, 1], [name for _, name in _SIDES])
        axes.set_xlim(-0.35, 1.35)
        axes.set_title(strategy)
    panels[0].set_ylabel("F1, %")
    handles = [(Line2D([], [], **_look(styles[model])), model) for model in models]
    legend_below(figure, handles, columns=4)
    return figure


def _draw_model(axes: Axes, row: pd.Series, aside: float, style: ModelStyle) -> None:
    ends = [row[f"f1{end}"] for end, _ in _SIDES]
    axes.plot([aside, 1 + aside], ends, **_look(style))
    for place, (end, _) in enumerate(_SIDES):
        bounds = [row[f"f1{end}_{side}"] for side in ("low", "high")]
        axes.plot([place + aside] * 2, bounds, color=style.colour, linewidth=1, alpha=0.6)


def _look(style: ModelStyle) -> dict[str, Any]:
    look = {"color": style.colour, "marker": style.marker, "linestyle": style.stroke}
    return {**look, "markersize": 5, "linewidth": 1.3}
