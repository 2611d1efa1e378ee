"""Illusion magnitude and knowledge index of every illusion and model, at the greatest strength of the inducer."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.model_styles import ModelStyle, legend_below, model_styles


class _Panel(NamedTuple):
    title: str
    label: str
    question: str
    column: str
    limits: tuple[float, float]


_PANELS = (
    _Panel("Magnitude, actual", "B (1 = the fake's difference)", "actual", "magnitude", (-1, 1)),
    _Panel(
        "Magnitude, apparent", "B (1 = the fake's difference)", "apparent", "magnitude", (-1, 1)
    ),
    _Panel("Knowledge index", "K", "actual", "knowledge_both", (-1, 1)),
)
_ALL = "all"
_ROW_INCHES, _MODEL_INCHES = 0.12, 0.09
# Width of the strip at the left that holds what has no value, as a share of the limits.
_STRIP = 0.24


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw three panels per prompt: magnitudes for both questions, and K, with their intervals.

    Args:
        tables: ``illusion_strength``.
    """
    figure_style.apply()
    frame = tables["illusion_strength"]
    frame = frame[frame["strength"] == frame["strength"].max()]
    illusions = [name for name in dict.fromkeys(frame["illusion"]) if name != _ALL] + [_ALL]
    models, prompts = (list(dict.fromkeys(frame[name])) for name in ("model", "prompt"))
    styles = model_styles(models)
    height = 1.4 + len(illusions) * (_ROW_INCHES + _MODEL_INCHES * len(models))
    figure = Figure(figsize=(9.6, height * len(prompts)), layout="constrained")
    panels = figure.subplots(len(prompts), len(_PANELS), sharey=True, squeeze=False)
    for row, prompt in zip(panels, prompts, strict=True):
        asked = frame[frame["prompt"] == prompt]
        for axes, panel in zip(row, _PANELS, strict=True):
            _draw_panel(axes, asked[asked["question"] == panel.question], panel, illusions, styles)
            more = f" ({prompt})" if len(prompts) > 1 else ""
            axes.set_title(panel.title + more, parse_math=False)
    entries = [
        (
            Line2D([], [], color=style.colour, marker=style.marker, markersize=5, linewidth=1.2),
            model,
        )
        for model, style in styles.items()
    ]
    legend_below(figure, entries, columns=4)
    return figure


def _draw_panel(
    axes: Axes,
    frame: pd.DataFrame,
    panel: _Panel,
    illusions: list[str],
    styles: Mapping[str, ModelStyle],
) -> None:
    low, high = panel.limits
    left = low - _STRIP * (high - low)
    axes.axvspan(left, low, color="#f2f2f2", linewidth=0, zorder=0)
    axes.axvline(0, color="#888888", linewidth=0.7, zorder=1)
    step = 0.8 / max(len(styles), 1)
    for number, (model, style) in enumerate(styles.items()):
        own = frame[frame["model"] == model].set_index("illusion").reindex(illusions)
        levels = np.arange(len(illusions)) + (number - (len(styles) - 1) / 2) * step
        value = own[panel.column].to_numpy(float)
        bounds = [own[f"{panel.column}_{end}"].to_numpy(float) for end in ("low", "high")]
        axes.hlines(
            levels, *(np.clip(bound, low, high) for bound in bounds), color=style.colour, lw=1.1
        )
        known = np.isfinite(value)
        look = {"linestyle": "none", "marker": style.marker, "color": style.colour}
        axes.plot(np.clip(value, low, high), levels, markersize=4, clip_on=False, **look)
        axes.plot(
            np.full((~known).sum(), left + (low - left) * (number + 1) / (len(styles) + 1)),
            levels[~known],
            markersize=3.2,
            fillstyle="none",
            markeredgewidth=0.7,
            **look,
        )
    axes.axhline(len(illusions) - 1.5, color="#888888", linewidth=0.7)
    axes.set_yticks(range(len(illusions)), [_spelled(name) for name in illusions])
    axes.set_ylim(len(illusions) - 0.45, -0.55)
    axes.set_xlim(left, high * 1.04)
    nothing = "no PSE" if panel.column == "magnitude" else "none"
    axes.set_xticks([(left + low) / 2, -0.5, 0, 0.5, 1], [nothing, "−0.5", "0", "0.5", "1"])
    axes.set_xlabel(panel.label)
    axes.grid(axis="y", visible=False)
    axes.tick_params(labelsize="small")


def _spelled(illusion: str) -> str:
    return "all illusions" if illusion == _ALL else illusion.replace("_", " ")
