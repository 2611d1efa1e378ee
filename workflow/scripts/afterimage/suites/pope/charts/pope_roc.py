"""POPE's ROC curves: hits over false alarms at every threshold on the probability of yes."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import legend_below
from afterimage.showing.panels import panel_grid
from afterimage.showing.study.graded_chart import LOOKS
from afterimage.suites.pope.tables.pope_roc import ALL

_COLUMNS = 3


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw one panel per model, all strategies together, with a line for each thing that was shown.

    Of several variants and prompts the first one is drawn.

    Args:
        tables: ``pope_roc_curve``.
    """
    figure_style.apply()
    frame = tables["pope_roc_curve"]
    if len(frame):
        first = frame.iloc[0]
        for name in ("variant", "dataset", "prompt"):
            frame = frame[frame[name] == first[name]]
        whole = frame[frame["strategy"] == ALL]
        frame = whole if len(whole) else frame[frame["strategy"] == first["strategy"]]
    models = list(dict.fromkeys(frame["model"]))
    figure, axes_of = panel_grid(len(models), _COLUMNS, (3.2, 3.2), sharex=False)
    every = list(axes_of.flat)[: max(1, len(models))]
    if not models:
        say_empty(every[0])
        return figure
    handles = {}
    for axes, model in zip(every, models, strict=True):
        axes.plot([0, 1], [0, 1], color="#777777", linewidth=0.8, zorder=1)
        for shown, (label, look) in LOOKS.items():
            own = frame[(frame["model"] == model) & (frame["shown"] == shown)]
            if own.empty:
                continue
            alarms, hits = (
                np.concatenate([[0.0], own[k].to_numpy(float) / own[n].to_numpy(float)])
                for k, n in (("false_alarm_k", "absent_n"), ("hit_k", "present_n"))
            )
            (handles[label],) = axes.plot(alarms, hits, markersize=3, linewidth=1.1, **look)
        axes.set_title(model, parse_math=False)
        axes.set_xlabel("false alarms")
    for left in axes_of[:, 0]:
        left.set_ylabel("hits")
    legend_below(figure, [(handle, label) for label, handle in handles.items()], columns=3)
    return figure
