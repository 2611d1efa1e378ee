"""Charts of contrast sensitivity over spatial frequency: a panel per prompt that asks for a side, a line per model."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from afterimage.note import Note
from afterimage.suites.contrast.design import STEPS
from afterimage.suites.thresholds.charts import Panel, draw_panels, draw_read_and_graded, people_of

_UNFITTED = "yes or no"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw sensitivity on logarithmic axes; open marks above and below have no threshold within what was shown."""
    frame = tables["contrast"]
    frame = frame[(frame["kind"] == "measured") & (frame["no_threshold"] != _UNFITTED)]
    frame = frame.assign(x=np.log2(frame["frequency_cycles"].astype(float)))
    people = people_of(tables.get("contrast_people"))
    people = people.assign(x=np.log2(people["condition"].astype(float)))
    panels = [
        Panel(
            Note("prompt {prompt}", prompt=prompt),
            rows,
            {
                np.log2(cycles): f"{cycles:g}"
                for cycles in sorted(rows["frequency_cycles"].astype(int))
            },
            people,
        )
        for prompt, rows in frame.groupby("prompt", sort=False)
    ]
    heights = {value: f"{value:g}" for value in (2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)}
    label = "sensitivity (100 / threshold in %)"
    return draw_panels(panels, STEPS, heights, label, "cycles per image width")


def draw_graded(tables: Mapping[str, pd.DataFrame]) -> Figure:
    frame = tables["contrast_graded"]
    cycles = frame["frequency_cycles"].astype(str) + " cycles"
    return draw_read_and_graded(
        frame.assign(cycles=cycles), ("cycles",), "threshold", "threshold, %", "no_threshold", True
    )
