"""Do models that choose well write well? One mark per model (the paper's section 5)."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.groups import say_empty
from afterimage.showing.looks import MARK_OF_PAPER, PAPER, PAPER_NOTE
from afterimage.showing.model_styles import legend_below, model_styles
from afterimage.suites.texture.tables.texture_correlation import MODELS_JOINED_BY

#: Scores of the generation task, one panel each where any model has it.
_SCORES = {"yes_no": "accepted by people, %", "agreement": "agreement with people, %"}
_CHOICE = "choose_5"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw each model's scores of the generation task over its accuracy with five options, with intervals.

    Args:
        tables: ``texture_classification``, ``texture_generation`` and ``texture_correlation``, whose correlation stands
            above each panel. Who is not in it (reference responders, the paper's models) is pale. With several prompts
            a mark is their mean, as in the correlation, and has no interval.
    """
    figure_style.apply()
    chosen = _accuracies(tables["texture_classification"])
    written = _scores(tables["texture_generation"])
    both = chosen.join(written, how="inner")
    quoted = both.index.str.endswith(MARK_OF_PAPER)
    shown = [name for name in _SCORES if both.loc[~quoted, name].notna().any()]
    figure = Figure(figsize=(1.0 + 3.7 * max(1, len(shown)), 3.9), layout="constrained")
    panels = figure.subplots(1, max(1, len(shown)), squeeze=False)[0]
    if not shown:
        say_empty(panels[0])
        return figure
    correlations = tables["texture_correlation"].set_index("score")
    entries = {}
    for axes, name in zip(panels, shown, strict=True):
        row = correlations.loc[name]
        counted = [] if pd.isna(row["over"]) else str(row["over"]).split(MODELS_JOINED_BY)
        entries |= _draw_score(axes, both[both[name].notna()], name, counted)
        axes.set_title(_told(row), fontsize="small")
    if quoted.any():
        panels[0].set_xlabel(f"{panels[0].get_xlabel()}\n{PAPER_NOTE}")
    legend_below(figure, list(entries.values()), columns=4)
    return figure


def _accuracies(frame: pd.DataFrame) -> pd.DataFrame:
    """Return accuracy with bounds, percent, of each model: prompts pooled."""
    is_model = frame["kind"].isin(("measured", PAPER)) & (frame[f"{_CHOICE}_n"] > 0)
    own = frame[is_model].groupby("model", sort=False)
    counts = own[[f"{_CHOICE}_k", f"{_CHOICE}_n"]].sum().astype(float)
    pooled = 100 * counts[f"{_CHOICE}_k"] / counts[f"{_CHOICE}_n"]
    return (
        _bounded(own, f"{_CHOICE}_")
        .assign(accuracy=pooled)
        .rename(columns=lambda name: name.removeprefix(f"{_CHOICE}_"))
    )


def _scores(frame: pd.DataFrame) -> pd.DataFrame:
    own = frame.groupby("model", sort=False)
    parts = [own[list(_SCORES)].mean(), *(_bounded(own, f"{name}_") for name in _SCORES)]
    return pd.concat(parts, axis=1)


def _bounded(own, prefix: str) -> pd.DataFrame:
    """Return the bounds of models with one prompt; means of several have none."""
    bounds = own[[f"{prefix}low", f"{prefix}high"]].first()
    return bounds.where(own.size() == 1)


def _draw_score(axes: Axes, both: pd.DataFrame, name: str, counted: Sequence[str]) -> dict:
    entries = {}
    for model, style in model_styles(list(both.index)).items():
        one = both.loc[model]
        drawn = axes.errorbar(
            one["accuracy"],
            one[name],
            xerr=_reach(one, "accuracy", "low", "high"),
            yerr=_reach(one, name, f"{name}_low", f"{name}_high"),
            fmt=style.marker,
            color=style.colour,
            **style.mark,
            markersize=6,
            elinewidth=0.9,
            alpha=1 if model in counted else 0.45,
            zorder=3 if model in counted else 2,
        )
        entries[model] = (drawn, model)
    axes.set_xlim(-3, 103)
    axes.set_ylim(-3, 103)
    axes.set_xlabel("accuracy with 5 options, %")
    axes.set_ylabel(_SCORES[name])
    return entries


def _reach(one: pd.Series, value: str, low: str, high: str) -> list[list[float]]:
    return [[max(0.0, one[value] - one[low])], [max(0.0, one[high] - one[value])]]


def _told(row: pd.Series) -> str:
    if pd.isna(row["rho"]):
        return f"no rank correlation: {row['reason']}"
    return (
        f"rank correlation {row['rho']:.2f} [{row['rho_low']:.2f}, {row['rho_high']:.2f}]\n"
        f"over {row['models']} models (pale: left out)"
    )
