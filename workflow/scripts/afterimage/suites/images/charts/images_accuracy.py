"""Accuracy per set and model, with intervals, beside what a guess earns."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from afterimage.showing.group_chart import GUESSING, Baseline, Groups, group_figure, looked_up

_GROUP = ["set", "prompt"]


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per set and prompt.

    Bars reach as far as the wider of the table's two intervals on either side: by resampling images, or Wilson's, which
    is there also where an interval over one image is undefined.

    Args:
        tables: ``images``.
    """
    frame = tables["images"]
    frame = frame[frame["factor"] == "overall"]
    asked = frame.drop_duplicates(_GROUP)
    groups = list(asked[_GROUP].itertuples(index=False, name=None))
    several = asked["prompt"].nunique() > 1
    ends = (["low", "cluster_low"], ["high", "cluster_high"])
    return group_figure(
        Groups(
            [f"{name}\n{prompt}" if several else name for name, prompt in groups],
            list(frame["model"].unique()),
            looked_up(frame, _GROUP, groups, "accuracy", *ends),
            [Baseline("guessing", asked["guessing"], GUESSING)],
        )
    )
