"""What models say of images that were not shown: a panel for each way of asking, a bar for each model."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.study.claims import ALL, PROBES

_STANCES = {
    "claims": ("claims to see", "#de8f05"),
    "hedges": ("hedges", "#f0e442"),
    "denies": ("says that nothing is there", "#0173b2"),
    "unread": ("unread", "#bbbbbb"),
}
# The two may lie on each other.
_RIGHT: dict[str, tuple[str, dict[str, Any]]] = {
    "accuracy_image": (
        "right with the image",
        {"marker": "o", "markersize": 7, "markerfacecolor": "white"},
    ),
    "accuracy": ("right without it", {"marker": "D", "markersize": 3.5}),
}
_MARK: dict[str, Any] = {"color": "black", "linestyle": "none", "clip_on": False, "zorder": 3}
_BAR_INCHES = 0.24


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the stances over all suites and all types of answers, with the interval of the claims.

    Args:
        tables: ``claims``.
    """
    figure_style.apply()
    rows = tables["claims"]
    suites = list(dict.fromkeys(rows["suite"]))
    shown = rows[(rows["suite"] == (suites or [ALL])[-1]) & (rows["answer_type"] == ALL)]
    models = list(dict.fromkeys(shown["model"]))
    probes = [name for name in PROBES if name in set(shown["probe"])]
    figure = Figure(figsize=(7.2, 1.3 + _BAR_INCHES * max(1, len(models))), layout="constrained")
    if not models:
        say_empty(figure.subplots())
        return figure
    panels = figure.subplots(1, len(probes), sharey=True, squeeze=False)[0]
    for axes, probe in zip(panels, probes, strict=True):
        own = shown[shown["probe"] == probe].set_index("model").reindex(models)
        _draw_bars(axes, own)
        axes.set_title(PROBES[probe], fontsize="small")
    panels[0].set_yticks(range(len(models)), models, fontsize="small")
    for label in panels[0].get_yticklabels():
        label.set_parse_math(False)
    panels[0].set_ylim(len(models) - 0.5, -0.5)
    entries = [
        *(Patch(color=colour, label=label) for label, colour in _STANCES.values()),
        *(Line2D([], [], label=label, **(_MARK | look)) for label, look in _RIGHT.values()),
    ]
    figure.legend(handles=entries, loc="outside lower center", ncols=3, fontsize="small")
    return figure


def _draw_bars(axes: Axes, own: pd.DataFrame) -> None:
    """Draw one way of asking: stances as parts of a bar, accuracies as marks on it; models without rows have none."""
    places, left = range(len(own)), pd.Series(0.0, index=own.index)
    for name, (_, colour) in _STANCES.items():
        widths = (100 * own[f"{name}_k"] / own["n"]).fillna(0)
        axes.barh(places, widths, left=left, color=colour, height=0.7)
        left += widths
    axes.hlines(places, own["claims_low"], own["claims_high"], color="black", lw=1)
    for name, (_, look) in _RIGHT.items():
        axes.plot(own[name], places, **(_MARK | look))
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 50, 100])
    axes.set_xlabel("% of answers", fontsize="small")
    axes.tick_params(labelsize="small")
    axes.grid(axis="y", visible=False)
