"""A score per strategy and model, between the two constant answers."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from afterimage.showing.groups import draw_baseline, draw_groups

# Of the width of a group, how much its marks take.
_FILLED = 0.66
_LINES = {
    "always yes": {"color": "#333333", "linestyle": "--", "linewidth": 1.2},
    "always no": {"color": "#777777", "linestyle": ":", "linewidth": 1.6},
}


def draw_score(
    axes: Axes, frame: pd.DataFrame, block: str, groups: Sequence[str], score: str
) -> list[tuple[Artist, str]]:
    """Draw a score of each model and constant answer in each group; returns handles with labels.

    Args:
        axes: Where to draw.
        frame: The table's rows, "kind" among the columns.
        block: The column that holds the group.
        groups: From left to right.
        score: The column; its bounds end in ``_low`` and ``_high``, where it has any.
    """
    measured = frame[frame["kind"] == "measured"]
    bounds = [(f"{score}_low", f"{score}_high")]
    handles = draw_groups(axes, measured, block, groups, score, bounds, _FILLED)
    references = frame[frame["kind"] == "reference"]
    for name, look in _LINES.items():
        cells = references[references["model"] == name].set_index(block).reindex(groups)
        handles.append(draw_baseline(axes, cells[score], name, look))
    return handles
