"""Accuracy over the true difference, a panel per model, and below what the two ways of asking say together."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.showing import figure_style
from afterimage.showing.chart_parts import say_empty
from afterimage.showing.figure_style import legend_below
from afterimage.suites.illusion_strength.perceiving import UNSEEING
from afterimage.suites.illusion_strength.questions import FORWARD, GUIDE
from afterimage.suites.illusion_strength.tables.perceive_recall import ALL

_LINES = {
    "control": ("no inducer", {"color": "#333333", "linestyle": "-", "marker": "o"}),
    "congruent": (
        "difference as the inducer",
        {"color": "#0173b2", "linestyle": "--", "marker": "^"},
    ),
    "conflict": ("difference against it", {"color": "#de8f05", "linestyle": "-.", "marker": "v"}),
}
_SHARES = {
    "pfa": ("consistent, right", "#029e73"),
    "cbw": ("consistent, wrong", "#de8f05"),
    "tfi": ("same word to both", "#cc78bc"),
    "unread_pair": ("unread", "#bbbbbb"),
}
_IN_A_ROW = 4
_PANEL_INCHES, _BAR_INCHES = 1.75, 0.24


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the curves of the first forward prompt over all illusions, and the shares of pairs with the inducer.

    Images with an aid are left to the tables.

    Args:
        tables: ``perceive_recall`` and ``perceive_recall_dose``.
    """
    figure_style.apply()
    dose, shares = (
        frame[frame[GUIDE] == "no"]
        for frame in (tables["perceive_recall_dose"], tables["perceive_recall"])
    )
    prompts = [name for name in dict.fromkeys(dose["prompt"]) if name in FORWARD]
    prompt = (prompts or [*dict.fromkeys(dose["prompt"]), ""])[0]
    dose = dose[(dose["prompt"] == prompt) & (dose["illusion"] == ALL)]
    models = [name for name in dict.fromkeys(dose["model"]) if name not in UNSEEING]
    rows = max(1, math.ceil(len(models) / _IN_A_ROW))
    bars = 0.9 + _BAR_INCHES * max(1, len(models))
    figure = Figure(figsize=(7.2, 0.9 + rows * _PANEL_INCHES + bars), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=[rows * _PANEL_INCHES + 0.3, bars])
    if not models:
        say_empty(above.subplots())
        return figure
    panels = above.subplots(rows, min(_IN_A_ROW, len(models)), sharey=True, squeeze=False).flat
    for axes, model in zip(panels, models, strict=False):
        _draw_dose(axes, dose[dose["model"] == model], model)
    for axes in [*panels][len(models) :]:
        axes.set_visible(False)
    above.supylabel("right, %", fontsize="small")
    above.supxlabel("true difference (1 = the fake's)", fontsize="small")
    own = shares[(shares["prompt"] == prompt) & (shares["illusion"] == ALL)]
    _draw_shares(below.subplots(), own[own["inducer"] == "both"].set_index("model"), models)
    legend_below(figure, _entries(), columns=4)
    return figure


def _draw_dose(axes: Axes, dose: pd.DataFrame, model: str) -> None:
    equal = dose[dose["kind"] == "equal"]
    for kind, (_, look) in _LINES.items():
        own = dose[dose["kind"] == kind]
        if kind != "control":
            own = pd.concat([equal, own])
        counts = own.groupby("difference")[["right_k", "n"]].sum()
        axes.plot(
            counts.index, 100 * counts["right_k"] / counts["n"], markersize=3.5, lw=1.2, **look
        )
    axes.set_title(model, fontsize="small", parse_math=False)
    axes.set_xlim(-0.05, 1.05)
    axes.set_ylim(-4, 104)
    axes.set_yticks([0, 50, 100])
    axes.tick_params(labelsize="small")


def _draw_shares(axes: Axes, shares: pd.DataFrame, models: Sequence[str]) -> None:
    left = pd.Series(0.0, index=models)
    for name, (_, colour) in _SHARES.items():
        widths = shares[name].reindex(models).astype(float).fillna(0)
        axes.barh(range(len(models)), widths, left=left, color=colour, height=0.7)
        left += widths
    axes.set_yticks(range(len(models)), models, fontsize="small")
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    axes.set_ylim(len(models) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel(
        "both ways of asking about an image with the inducer, % of pairs", fontsize="small"
    )
    axes.grid(axis="y", visible=False)


def _entries() -> list[tuple[Artist, str]]:
    lines = [
        (Line2D([], [], markersize=4, lw=1.2, **look), label) for label, look in _LINES.values()
    ]
    return [*lines, *((Patch(color=colour), label) for label, colour in _SHARES.values())]
