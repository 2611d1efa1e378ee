"""Four classes of answers per model and condition, with their intervals (paper, tables 2 to 6)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.reporting import figure_style

CLASSES = {
    "both_correct": "both correct",
    "apparent_only": "apparent only",
    "actual_only": "actual only",
    "both_wrong": "both wrong",
}
CONDITIONS = {
    "genuine": "Genuine illusion",
    "fake": "Fake illusion",
    "control_genuine": "Control of genuine",
    "control_fake": "Control of fake",
}
_BAR_WIDTH = 0.2
_INCHES_PER_MODEL = 1.05


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw shares in percent as bars with intervals: one panel per condition, one row of panels per prompt.

    Args:
        tables: ``genuine_vqa``, ``fake_vqa`` and ``control_vqa``; their rows over all stimuli are shown.
    """
    figure_style.apply()
    frame = pd.concat(tables.values())
    frame = frame[frame["subset"] == "all"]
    prompts = list(frame["prompt"].unique())
    models = list(frame["model"].unique())
    width = max(7.0, 4 * (0.9 + _INCHES_PER_MODEL * len(models)) * 0.75)
    figure = Figure(figsize=(width, 0.9 + 2.5 * len(prompts)), layout="constrained")
    panels = figure.subplots(len(prompts), len(CONDITIONS), sharey=True, squeeze=False)
    for row, prompt in zip(panels, prompts, strict=True):
        for axes, (condition, title) in zip(row, CONDITIONS.items(), strict=True):
            cells = frame[(frame["prompt"] == prompt) & (frame["condition"] == condition)]
            _draw_panel(axes, cells.set_index("model").reindex(models))
            count = cells["n"].max()
            axes.set_title(title if pd.isna(count) else f"{title} (n = {count:.0f})")
        row[0].set_ylabel("share of images, %" if len(prompts) == 1 else f"{prompt}\nshare, %")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=len(CLASSES), frameon=False
    )
    return figure


def _draw_panel(axes: Axes, cells: pd.DataFrame) -> None:
    places = np.arange(len(cells))
    for index, (name, label) in enumerate(CLASSES.items()):
        share, low, high = cells[name], cells[f"{name}_low"], cells[f"{name}_high"]
        at = places + (index - (len(CLASSES) - 1) / 2) * _BAR_WIDTH
        axes.bar(
            at,
            share,
            width=_BAR_WIDTH,
            label=label,
            color=figure_style.PALETTE[index],
            hatch=figure_style.HATCHES[index],
            edgecolor="white",
            linewidth=0.4,
        )
        axes.errorbar(
            at,
            share,
            yerr=[share - low, high - share],
            fmt="none",
            ecolor="#222222",
            elinewidth=0.8,
            capsize=1.5,
        )
    axes.set_xticks(places, [_wrapped(model) for model in cells.index])
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 25))
    axes.grid(axis="x", visible=False)
    axes.tick_params(axis="x", labelsize="small")


def _wrapped(model: str) -> str:
    return str(model).replace("_", "\n").replace("-", "-\n", 1)
