"""POPE's ROC curves: hits over false alarms at every threshold on the probability of yes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing.study.graded_chart import draw_unit_square
from afterimage.suites.pope.tables.pope_roc import ALL


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the curves of all strategies together; of several variants and data sets the first.

    Args:
        tables: ``pope_roc_curve``.
    """
    frame = tables["pope_roc_curve"]
    if len(frame):
        first = frame.iloc[0]
        for name in ("variant", "dataset"):
            frame = frame[frame[name] == first[name]]
        whole = frame[frame["strategy"] == ALL]
        frame = whole if len(whole) else frame[frame["strategy"] == first["strategy"]]
    return draw_unit_square(frame, _curve, "false alarms", "hits")


def _curve(axes: Axes, own: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
    alarms, hits = (
        np.concatenate([[0.0], own[k].to_numpy(float) / own[n].to_numpy(float)])
        for k, n in (("false_alarm_k", "absent_n"), ("hit_k", "present_n"))
    )
    (drawn,) = axes.plot(alarms, hits, markersize=3, linewidth=1.1, **look)
    return drawn
