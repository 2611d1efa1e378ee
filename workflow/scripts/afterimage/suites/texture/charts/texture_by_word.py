"""Where each word is right, how often was it chosen: one row per word, one column per model."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.japanese_font import use_japanese_font
from afterimage.suites.texture.glosses import glossed

#: The words that are right most often; more would not be readable on a page.
MOST_WORDS = 30
# The names of more models stand upright below narrow columns.
_FEW = 6
# From so many answers on, a share is drawn in its full colour.
_FULL_STRENGTH = 5


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
    # A share of one or two answers is no more than a hint: the fewer, the paler.
    strength = (numbers / _FULL_STRENGTH).clip(upper=1)
    axes.imshow(
        shares, cmap="cividis", vmin=0, vmax=100, aspect="auto", alpha=strength.to_numpy(float)
    )
    shades = ScalarMappable(Normalize(0, 100), "cividis")
    figure.colorbar(shades, ax=axes, label="accuracy, % (paler: fewer than 5 answers)", shrink=0.7)
    for row, column in np.ndindex(shares.shape):
        value = shares.iat[row, column]
        axes.text(
            column,
            row,
            f"{value:.0f}"
            if strength.iat[row, column] == 1
            else _counted(value, numbers.iat[row, column]),
            ha="center",
            va="center",
            fontsize="x-small",
            color="white" if value <= 55 and strength.iat[row, column] > 0.6 else "black",
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


def _counted(share: float, number: float) -> str:
    return f"{round(share * number / 100)}/{number:.0f}" if number else ""


def _wrapped(model: str) -> str:
    return str(model).replace("_", "\n").replace("-", "-\n", 1)
