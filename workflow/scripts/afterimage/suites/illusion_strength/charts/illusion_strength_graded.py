"""Points of subjective equality at the greatest strength of the inducer, as read and on probabilities."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.suites.thresholds.charts import draw_beside


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the points of the question what is, or of the only one that was asked.

    Args:
        tables: ``illusion_strength_graded``.
    """
    frame = tables["illusion_strength_graded"]
    frame = frame[frame["strength"] == frame["strength"].max()]
    if len(frame):
        frame = frame[frame["question"] == min(frame["question"])]
    label = "PSE (1 = the fake's difference)"
    return draw_beside(frame, ("illusion",), "pse", label, "no_pse")
