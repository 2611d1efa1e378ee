"""Illusion magnitude and knowledge index of every illusion and model, at the greatest strength of the inducer."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.showing import figure_style
from afterimage.showing.figure_style import ModelStyle, legend_below, model_styles
from afterimage.suites.illusion_strength.people import MAGNITUDE, SOUGHT
from afterimage.suites.thresholds.charts import PEOPLE, people_label, people_of


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
        tables: ``illusion_strength`` and, where people have answered, ``illusion_strength_people``.
    """
    figure_style.apply()
    people = people_of(tables.get("illusion_strength_people"), SOUGHT.bounded)
    people = people[people["track"] == MAGNITUDE]
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
            if panel.column == "magnitude" and panel.question == "apparent":
                _draw_people(axes, people, illusions, panel.limits)
    entries: list[tuple[Artist, str]] = [
        (
            Line2D([], [], color=style.colour, marker=style.marker, markersize=5, linewidth=1.2),
            model,
        )
        for model, style in styles.items()
    ]
    if len(people):
        entries.append((Patch(color=PEOPLE, alpha=0.25), people_label(people)))
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


def _draw_people(
    axes: Axes, people: pd.DataFrame, illusions: list[str], limits: tuple[float, float]
) -> None:
    """Draw the band between people's quartiles and their median in the rows of their illusions."""
    for _, row in people[people["condition"].isin(illusions)].iterrows():
        at = illusions.index(row["condition"])
        value, low, high = np.clip([row[name] for name in SOUGHT.bounded], *limits)
        look = {"color": PEOPLE, "linewidth": 0, "alpha": 0.25, "zorder": 1}
        axes.fill_betweenx([at - 0.45, at + 0.45], low, high, **look)
        axes.vlines(value, at - 0.45, at + 0.45, color=PEOPLE, linewidth=1.2, zorder=1)


def _spelled(illusion: str) -> str:
    return "all illusions" if illusion == _ALL else illusion.replace("_", " ")
