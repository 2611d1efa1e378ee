"""Accuracy per set and model, with intervals, beside what a guess earns."""

from collections.abc import Mapping
from functools import partial

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.showing import figure_style
from afterimage.showing.model_marks import Marks, draw_model_marks
from afterimage.showing.model_styles import legend_below

_GUESSING = {"color": "#333333", "linestyle": "--", "linewidth": 1.2}
_INCHES_PER_MODEL = 0.24


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in percent, one group of marks per set and prompt.

    Bars reach as far as the wider of the table's two intervals on either side: by resampling images, or Wilson's.

    Args:
        tables: ``images``.
    """
    figure_style.apply()
    frame = tables["images"]
    frame = frame[frame["factor"] == "overall"]
    groups = list(frame[["set", "prompt"]].drop_duplicates().itertuples(index=False, name=None))
    models = list(frame["model"].unique())
    inches = max(1.1, 0.35 + _INCHES_PER_MODEL * len(models)) * max(3, len(groups))
    figure = Figure(figsize=(0.8 + inches, 3.8), layout="constrained")
    axes = figure.subplots()
    cells = frame.set_index(["set", "prompt"])
    handles = draw_model_marks(axes, len(groups), models, partial(_marks, cells, groups))
    handles.append(_draw_guessing(axes, cells, groups))
    _label(axes, groups)
    legend_below(figure, handles, columns=5)
    return figure


def _marks(cells: pd.DataFrame, groups: list[tuple[str, str]], model: str) -> Marks:
    own = cells[cells["model"] == model].reindex(groups)
    # An interval over one image is undefined; Wilson's is there in any case.
    low = own[["low", "cluster_low"]].min(axis=1)
    high = own[["high", "cluster_high"]].max(axis=1)
    return Marks(own["accuracy"], low, high)


def _draw_guessing(
    axes: Axes, cells: pd.DataFrame, groups: list[tuple[str, str]]
) -> tuple[Artist, str]:
    for place, group in enumerate(groups):
        share = cells.loc[[group], "guessing"].iloc[0]
        axes.plot([place - 0.43, place + 0.43], [share] * 2, **_GUESSING, zorder=2)
    return Line2D([], [], **_GUESSING), "guessing"


def _label(axes: Axes, groups: list[tuple[str, str]]) -> None:
    several = len({prompt for _, prompt in groups}) > 1
    names = [f"{name}\n{prompt}" if several else name for name, prompt in groups]
    axes.set_xticks(range(len(groups)), names, parse_math=False)
    axes.set_xlim(-0.5, max(1, len(groups)) - 0.5)
    axes.set_ylim(-3, 103)
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel("accuracy, %")
    axes.grid(axis="x", visible=False)
