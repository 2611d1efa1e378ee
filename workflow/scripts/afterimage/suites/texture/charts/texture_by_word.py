"""Where each word is right, how often was it chosen: one row per word, one column per model."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.japanese_font import use_japanese_font
from afterimage.suites.texture.glosses import glossed

#: The words that are right most often; more would not be readable on a page.
MOST_WORDS = 30
# The names of more models stand upright below narrow columns.
_FEW = 6
# A share of fewer answers is no more than a hint: it stands there as right answers of all.
_FEWEST = 5
# Light ones alone, so that black words can be read on all of them, and white ones where the ground is dark.
_SHADES = ListedColormap(colormaps["YlOrBr"](np.linspace(0, 0.5, 256)))


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the share of right answers with five options by right word and model, in percent.

    Args:
        tables: ``texture_words``; the ``MOST_WORDS`` commonest right words are shown.
    """
    figure_style.apply()
    use_japanese_font()
    frame = tables["texture_words"]
    frame = frame[frame["choices"] == frame["choices"].max()]
    if frame.empty:
        return _empty()
    totals = frame.groupby(["gold_word", "model"], sort=False)["total"].first().unstack()
    words = list(totals.max(axis=1).sort_values(ascending=False, kind="stable").index[:MOST_WORDS])
    models = list(frame["model"].unique())
    right = frame[frame["right"]].pivot_table(index="gold_word", columns="model", values="share")
    shares = right.reindex(index=words, columns=models).fillna(0.0)
    many = len(models) > _FEW
    figure = Figure(
        figsize=(
            2.6 + (0.35 if many else 0.95) * len(models),
            (2.7 if many else 1.2) + 0.27 * max(3, len(words)),
        ),
        layout="constrained",
    )
    axes = figure.subplots()
    numbers = totals.reindex(index=words, columns=models).fillna(0)
    shades = axes.imshow(shares.where(numbers > 0), cmap=_SHADES, vmin=0, vmax=100, aspect="auto")
    figure.colorbar(
        shades, ax=axes, label=f"accuracy, % (right/all below {_FEWEST} answers)", shrink=0.7
    )
    for row, column in np.ndindex(shares.shape):
        value, number = shares.iat[row, column], int(numbers.iat[row, column])
        axes.text(
            column,
            row,
            f"{value:.0f}" if number >= _FEWEST else _counted(value, number),
            ha="center",
            va="center",
            fontsize="small",
            color="black",
        )
    named = models if many else [_wrapped(model) for model in models]
    axes.set_xticks(range(len(models)), named, rotation=90 * many, parse_math=False)
    axes.set_yticks(
        range(len(words)), [f"{glossed(word)}, n = {int(totals.loc[word].max())}" for word in words]
    )
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    axes.set_title("5 options: how often the right word was chosen")
    axes.grid(visible=False)
    return figure


def _empty() -> Figure:
    """Return a page that says that nothing has been asked yet, which is a normal state."""
    figure = Figure(figsize=(4.0, 1.2))
    figure.text(0.5, 0.5, "no answers yet", ha="center", va="center")
    return figure


def _counted(share: float, number: int) -> str:
    return f"{round(share * number / 100)}/{number}" if number else ""


def _wrapped(model: str) -> str:
    return str(model).replace("_", "\n").replace("-", "-\n", 1)
