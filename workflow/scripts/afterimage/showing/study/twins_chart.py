"""Public minus fresh: a panel per suite, a line per model with its interval, and what could not have been found."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.model_styles import legend_below, model_styles
from afterimage.showing.pairs import ALL_PARTS

_WIDTH, _HEAD, _LINE = 6.4, 0.8, 0.28
_GREY, _SHADE = "0.45", "0.88"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the differences; a grey bar about 0 reaches as far as the least difference that is found.

    Args:
        tables: ``twins``.
    """
    figure_style.apply()
    # Where a suite has several parts, the row over all of them is the suite's.
    rows = tables["twins"]
    whole = rows.groupby("suite")["part"].transform(lambda parts: (parts == ALL_PARTS).any())
    rows = rows[(rows["part"] == ALL_PARTS) | ~whole]
    panels = dict(iter(rows.groupby("suite", sort=False)))
    height = sum(_HEAD + _LINE * len(own) for own in panels.values())
    figure = Figure(figsize=(_WIDTH, max(1.6, height)), layout="constrained")
    if not panels:
        say_empty(figure.subplots())
        return figure
    ratios = [_HEAD + _LINE * len(own) for own in panels.values()]
    beside = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=ratios)
    styles = model_styles(list(dict.fromkeys(rows["model"])))
    for axes, (suite, own) in zip(beside[:, 0], panels.items(), strict=True):
        places = np.arange(len(own))
        axes.barh(places, 2 * own["detectable"], left=-own["detectable"], color=_SHADE, height=0.7)
        axes.axvline(0, color=_GREY, linewidth=0.8)
        for place, row in zip(places, own.to_dict(orient="records"), strict=True):
            style = styles[row["model"]]
            axes.hlines(place, row["low"], row["high"], color=style.colour, linewidth=1.2)
            axes.plot(
                row["difference"], place, marker=style.marker, color=style.colour, **style.mark
            )
        axes.set_yticks(places, own["model"], parse_math=False)
        axes.set_ylim(len(own) - 0.5, -0.5)
        axes.set_title(suite, parse_math=False)
    beside[-1, 0].set_xlabel("public minus fresh, percentage points")
    if rows["detectable"].notna().any():
        legend_below(figure, [(Patch(color=_SHADE), "too small to be found")], columns=1)
    return figure
