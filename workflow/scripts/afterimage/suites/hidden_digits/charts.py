"""Thresholds of hidden digits, sharp and blurred: one panel per axis, one line per model."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.suites.hidden_digits.design import BLURS, STEPS
from afterimage.suites.thresholds.charts import Panel, draw_panels, draw_read_and_graded, people_of

_TITLES = {"red_green": "red and green", "light": "light"}


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw thresholds, the smallest on top; open marks above and below are for thresholds outside the range shown."""
    frame = tables["hidden_digits"]
    frame = frame[frame["kind"] == "measured"]
    frame = frame.assign(x=frame["blur"].map(BLURS.index))
    several = frame["prompt"].nunique() > 1
    people = people_of(tables.get("hidden_digits_people"))
    axis_blur = people["condition"].str.split(expand=True).reindex(columns=[0, 1])
    people = people.assign(panel=axis_blur[0], x=axis_blur[1].map(BLURS.index))
    panels = [
        Panel(
            f"{_TITLES[axis]} ({prompt})" if several else _TITLES[axis],
            rows,
            {index: BLURS[index] for index in sorted(rows["x"].unique())},
            people[people["panel"] == axis],
        )
        for (prompt, axis), rows in frame.groupby(["prompt", "axis"], sort=False)
    ]
    shown = [STEPS.at(level / STEPS.count) for level in range(1, STEPS.count + 1)]
    heights = {100 / difference: f"{difference:g}" for difference in shown}
    return draw_panels(panels, STEPS, heights, "threshold (CIEDE2000)", beyond="less")


def draw_graded(tables: Mapping[str, pd.DataFrame]) -> Figure:
    frame, label = tables["hidden_digits_graded"], "threshold (CIEDE2000)"
    return draw_read_and_graded(frame, ("condition",), "threshold", label, "no_threshold", True)
