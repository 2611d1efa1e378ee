"""Groups of marks with intervals: one group per strategy, one mark per model."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from afterimage.showing.model_marks import Marks, draw_model_marks

# Of the width of a group, how much its marks take.
_FILLED = 0.66
_LINES = {
    "always yes": {"color": "#333333", "linestyle": "--", "linewidth": 1.2},
    "always no": {"color": "#777777", "linestyle": ":", "linewidth": 1.6},
}


def draw_marks(
    axes: Axes, frame: pd.DataFrame, block: str, groups: Sequence[str], score: str
) -> list[tuple[Artist, str]]:
    """Draw a score of each model in each group, bars as far as its interval; returns handles with labels.

    Args:
        axes: Where to draw; its horizontal axis gets one place per group.
        frame: The table's rows, "kind" among the columns.
        block: The column that holds the group.
        groups: From left to right.
        score: The column; its bounds end in ``_low`` and ``_high``, where it has any.
    """
    measured = frame[frame["kind"] == "measured"]
    models = list(measured["model"].unique())

    def marks(model: str) -> Marks:
        cells = measured[measured["model"] == model].set_index(block).reindex(groups)
        bounds = [cells.get(f"{score}_{end}") for end in ("low", "high")]
        return Marks(cells[score], *bounds)

    return draw_model_marks(axes, len(groups), models, marks, _FILLED)


def draw_baselines(
    axes: Axes, frame: pd.DataFrame, block: str, groups: Sequence[str], score: str
) -> list[tuple[Artist, str]]:
    """Draw what the constant answers score as lines across each group; returns handles with labels."""
    references = frame[frame["kind"] == "reference"]
    handles: list[tuple[Artist, str]] = []
    for name, look in _LINES.items():
        cells = references[references["model"] == name].set_index(block).reindex(groups)
        for place, value in enumerate(cells[score]):
            axes.plot([place - 0.43, place + 0.43], [value] * 2, **look, zorder=2)
        handles.append((Line2D([], [], **look), name))
    return handles


def label(axes: Axes, groups: Sequence[str], titles: Mapping[str, str], score: str) -> None:
    """Name groups and score, percent from 0 to 100."""
    axes.set_xticks(range(len(groups)), [titles.get(name, name) for name in groups])
    axes.set_xlim(-0.5, max(1, len(groups)) - 0.5)
    axes.set_ylim(-3, 105)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel(score)
    axes.grid(axis="x", visible=False)
    for place in range(0, len(groups), 2):
        axes.axvspan(place - 0.5, place + 0.5, color="#000000", alpha=0.035, linewidth=0, zorder=0)


def say_empty(axes: Axes) -> None:
    """Say that there is nothing to show."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, "nothing was asked", transform=axes.transAxes, ha="center", va="center")
