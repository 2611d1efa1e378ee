"""Right answers about usual and altered numbers, familiar and plain, and how often the usual number is named."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.note import Note
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import divide, draw_class
from afterimage.showing.charts.figure_style import legend_below
from afterimage.showing.looks import PAPER, PAPER_NOTE
from afterimage.suites.counting_bias.tables import ALL, ALTERED
from afterimage.suites.counting_bias.tasks import FAMILIAR

#: Of each bar: whether the image is familiar, its alteration, its label.
_CELLS = (
    (True, "0", "familiar, as usual"),
    (True, ALTERED, "familiar, one more or less"),
    (False, "0", "twin, as usual"),
    (False, ALTERED, "twin, one more or less"),
)
_INCHES_PER_MODEL, _INCHES_PER_ROW = 0.95, 2.5


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw right answers in percent as bars, a panel per task and prompt; a line marks the rate of the usual number."""
    figure_style.apply()
    frame = tables["counting_bias"]
    frame = frame[frame["kind"].isin(("measured", PAPER)) & (frame["task"] != ALL)]
    panels = list(frame[["task", "prompt"]].drop_duplicates().itertuples(index=False, name=None))
    models = list(frame["model"].unique())
    others = frame.loc[frame["kind"] == PAPER, "model"].nunique()
    rows = max(1, -(-len(panels) // 2))
    figure = Figure(
        figsize=(max(7.0, 0.8 + 2 * _INCHES_PER_MODEL * len(models)), 0.7 + _INCHES_PER_ROW * rows),
        layout="constrained",
    )
    axes = figure.subplots(rows, 2, sharey=True, squeeze=False)
    for shown, panel in zip(panels, axes.flat, strict=False):
        task, prompt = shown
        cells = frame[(frame["task"] == task) & (frame["prompt"] == prompt)]
        _draw_panel(panel, cells, models)
        divide(panel, len(models) - others, others)
        several = len({name for _, name in panels}) > 1
        panel.set_title(f"{task}, {prompt}" if several else task.capitalize())
    for unused in list(axes.flat)[len(panels) :]:
        unused.set_axis_off()
    for panel in axes[:, 0]:
        panel.set_ylabel("share of answers, %")
    if others:
        axes[-1, 0].set_xlabel(PAPER_NOTE, fontsize="small")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    legend_below(figure, list(zip(handles, labels, strict=True)), columns=3)
    return figure


def _draw_panel(axes: Axes, cells: pd.DataFrame, models: list[str]) -> None:
    usual_label = "the usual number, though wrong"
    for index, (familiar, alteration, label) in enumerate(_CELLS):
        chosen = (cells["context"] == FAMILIAR) == familiar
        rows = cells[chosen & (cells["alteration"].astype(str) == alteration)]
        rows = rows.set_index("model").reindex(models)
        bounds = (rows["low"], rows["high"])
        x = draw_class(
            axes,
            (index, len(_CELLS)),
            rows["accuracy"],
            bounds,
            Note("right: {label}", label=label),
        )
        if alteration == ALTERED:
            axes.plot(
                x,
                rows["bias_rate"],
                linestyle="",
                marker="_",
                markersize=13,
                markeredgewidth=2.4,
                color="#b2182b",
                label=usual_label,
                clip_on=False,
                zorder=4,
            )
            usual_label = "_again"
    names = [str(model).replace("_", "\n").replace("-", "-\n", 1) for model in models]
    axes.set_xticks(range(len(models)), names)
