"""The suite's charts, and its example pages: the paper's figures 1, 4 and 5."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.grading.readers.word_list import words_of
from afterimage.note import Note
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.chart_parts import (
    GUESSING,
    Marks,
    draw_baseline,
    draw_model_marks,
    label_groups,
    say_empty,
    wrapped,
)
from afterimage.showing.charts.example_page import Answer, Chosen, PageTexts, Verdict
from afterimage.showing.charts.figure_style import legend_below, model_styles
from afterimage.showing.charts.typefaces import use_japanese_font
from afterimage.showing.looks import MARK_OF_PAPER, PAPER, PAPER_NOTE
from afterimage.showing.tables.columns import Row
from afterimage.showing.tables.declaration import Settings
from afterimage.suites.texture.materials import glossed
from afterimage.suites.texture.scores import described, yes_no_score
from afterimage.suites.texture.tables import by_model, of_task
from afterimage.suites.texture.tables_written import MODELS_JOINED_BY, judgements, judgements_of

# Accuracy with two and with five options, and which position was chosen (the paper's table 1).

SIZES = (2, 5)
HUMAN = "Human"
_PEOPLE: dict[str, Any] = {"color": "#7a7a7a", "linestyle": "-", "linewidth": 1.6}
# Share of the distance between two groups that their models take.
_FILLED = 0.66


def draw_accuracy(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy with intervals, and the share of answers per position with five options.

    Args:
        tables: ``texture_classification``. Bars are the table's Wilson intervals. The mean of the people is drawn
            where they have answered.
    """
    figure_style.apply()
    use_japanese_font()
    frame = tables["texture_classification"]
    measured = frame[frame["kind"] == "measured"]
    measured_models = list(measured["model"].unique())
    quoted = list(frame.loc[frame["kind"] == PAPER, "model"])
    models = [*measured_models, *quoted]
    figure = Figure(figsize=(max(7.6, 5.2 + 0.32 * len(models)), 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_accuracy(left, frame, models)
    _draw_positions(right, measured, measured_models)
    if quoted:
        left.set_xlabel(PAPER_NOTE)
    entries = [
        (Line2D([], [], marker=style.marker, linestyle="", **style.mark), model)
        for model, style in model_styles(models).items()
    ]
    entries.append((Line2D([], [], **GUESSING), "uniform guessing"))
    if _people(frame, 5) is not None or _people(frame, 2) is not None:
        entries.append((Line2D([], [], **_PEOPLE), HUMAN))
    legend_below(figure, entries, columns=6)
    return figure


def _draw_accuracy(axes: Axes, frame: pd.DataFrame, models: list[str]) -> None:
    measured = frame[frame["kind"] == "measured"]
    shown = frame[frame["kind"].isin(("measured", PAPER))]
    shown = shown.drop_duplicates("model").set_index("model")
    draw_baseline(axes, [100 / size for size in SIZES], "uniform guessing", GUESSING)
    people = [_people(frame, size) for size in SIZES]
    draw_baseline(axes, [math.nan if value is None else value for value in people], HUMAN, _PEOPLE)

    def marks(model: str) -> Marks:
        parts = ("accuracy", "low", "high")
        return Marks(
            *([shown.at[model, f"choose_{size}_{part}"] for size in SIZES] for part in parts)
        )

    draw_model_marks(axes, len(SIZES), models, marks, _FILLED)
    counts = [int(measured[f"choose_{size}_n"].max()) if len(measured) else 0 for size in SIZES]
    names = [
        Note("{size} options (n = {n})", size=size, n=n)
        for size, n in zip(SIZES, counts, strict=True)
    ]
    label_groups(axes, names, "accuracy, %", lowest=0, banded=False)
    axes.set_title("Accuracy")


def _draw_positions(axes: Axes, measured: pd.DataFrame, models: list[str]) -> None:
    axes.axhline(20, **GUESSING)

    # Positions are categories: marks side by side, without a line that joins them.
    def marks(model: str) -> Marks:
        rows = measured[measured["model"] == model]
        counts = np.array([rows[f"choose_5_answer_{number}"].sum() for number in range(5)], float)
        return Marks(100 * counts / max(1, counts.sum()))

    draw_model_marks(axes, 5, models, marks, _FILLED)
    axes.set_xticks(range(5))
    axes.grid(axis="x", visible=False)
    axes.set_xlabel("option's number")
    axes.set_ylim(0, max(41, axes.get_ylim()[1]))
    axes.set_ylabel("share of answers, %")
    axes.set_title("Which place was chosen (5 options)")


def _people(frame: pd.DataFrame, size: int) -> float | None:
    means = frame.loc[frame["kind"] == "human", f"choose_{size}_accuracy"].dropna()
    return float(means.iloc[0]) if len(means) else None


# Where each word is right, how often was it chosen: one row per word, one column per model.

#: The words that are right most often; more would not be readable on a page.
MAX_WORDS = 30
# With more models, columns are narrow and names are vertical.
_FEW = 6
# A share of fewer answers is only a hint and is printed as right answers of all.
_MIN_ANSWERS = 5
# Light ones alone, so that black words can be read on all of them, and white ones where the ground is dark.
_SHADES = ListedColormap(colormaps["YlOrBr"](np.linspace(0, 0.5, 256)))


def draw_by_word(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the share of right answers with five options by right word and model, in percent.

    Args:
        tables: ``texture_words``; the ``MAX_WORDS`` commonest right words are shown.
    """
    figure_style.apply()
    use_japanese_font()
    frame = tables["texture_words"]
    frame = frame[frame["choices"] == frame["choices"].max()]
    if frame.empty:
        return _empty()
    totals = frame.groupby(["gold_word", "model"], sort=False)["total"].first().unstack()
    words = list(totals.max(axis=1).sort_values(ascending=False, kind="stable").index[:MAX_WORDS])
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
        shades,
        ax=axes,
        label=Note("accuracy, % (right/all below {fewest} answers)", fewest=_MIN_ANSWERS),
        shrink=0.7,
    )
    for row, column in np.ndindex(shares.shape):
        value, number = shares.iat[row, column], int(numbers.iat[row, column])
        axes.text(
            column,
            row,
            f"{value:.0f}" if number >= _MIN_ANSWERS else _counted(value, number),
            ha="center",
            va="center",
            fontsize="small",
            color="black",
        )
    named = models if many else [wrapped(model) for model in models]
    axes.set_xticks(range(len(models)), named, rotation=90 * many, parse_math=False)
    axes.set_yticks(
        range(len(words)),
        [
            Note("{word}, n = {n}", word=glossed(word), n=int(totals.loc[word].max()))
            for word in words
        ],
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


# Do models that choose well write well? One mark per model (the paper's section 5).

#: Scores of the generation task, one panel each where any model has it.
_SCORES = {"yes_no": "accepted by people, %", "agreement": "agreement with people, %"}
_CHOICE = "choose_5"


def draw_scatter(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw each model's scores of the generation task over its accuracy with five options, with intervals.

    Args:
        tables: ``texture_classification``, ``texture_generation`` and ``texture_correlation``, whose correlation stands
            above each panel. Models outside it (reference responders, the paper's models) are pale. With several
            prompts a mark is their mean, as in the correlation, and has no interval.
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
    entries: dict[str, tuple[Any, str]] = {}
    for axes, name in zip(panels, shown, strict=True):
        row = correlations.loc[name]
        counted = [] if pd.isna(row["over"]) else str(row["over"]).split(MODELS_JOINED_BY)
        entries |= _draw_score(axes, both[both[name].notna()], name, counted)
        axes.set_title(_correlation_title(row), fontsize="small")
    if quoted.any():
        panels[0].set_xlabel(f"{panels[0].get_xlabel()}\n{PAPER_NOTE}")
    legend_below(figure, list(entries.values()), columns=4)
    return figure


def _accuracies(frame: pd.DataFrame) -> pd.DataFrame:
    """Return accuracy with bounds, percent, of each model: prompts pooled."""
    is_model = frame["kind"].isin(("measured", PAPER)) & (frame[f"{_CHOICE}_n"] > 0)
    grouped = frame[is_model].groupby("model", sort=False)
    counts = grouped[[f"{_CHOICE}_k", f"{_CHOICE}_n"]].sum().astype(float)
    pooled = 100 * counts[f"{_CHOICE}_k"] / counts[f"{_CHOICE}_n"]
    return (
        _bounded(grouped, f"{_CHOICE}_")
        .assign(accuracy=pooled)
        .rename(columns=lambda name: name.removeprefix(f"{_CHOICE}_"))
    )


def _scores(frame: pd.DataFrame) -> pd.DataFrame:
    grouped = frame.groupby("model", sort=False)
    parts = [grouped[list(_SCORES)].mean(), *(_bounded(grouped, f"{name}_") for name in _SCORES)]
    return pd.concat(parts, axis=1)


def _bounded(grouped: pd.api.typing.DataFrameGroupBy, prefix: str) -> pd.DataFrame:
    """Return the bounds of models with one prompt; means of several have none."""
    bounds = grouped[[f"{prefix}low", f"{prefix}high"]].first()
    return bounds.where(grouped.size() == 1)


def _draw_score(
    axes: Axes, both: pd.DataFrame, name: str, counted: Sequence[str]
) -> dict[str, tuple[Any, str]]:
    entries: dict[str, tuple[Any, str]] = {}
    for model, style in model_styles(list(both.index)).items():
        row = both.loc[model]
        drawn = axes.errorbar(
            row["accuracy"],
            row[name],
            xerr=_reach(row, "accuracy", "low", "high"),
            yerr=_reach(row, name, f"{name}_low", f"{name}_high"),
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


def _reach(row: pd.Series, value: str, low: str, high: str) -> list[list[float]]:
    return [[max(0.0, row[value] - row[low])], [max(0.0, row[high] - row[value])]]


def _correlation_title(row: pd.Series) -> str:
    if pd.isna(row["rho"]):
        return Note("no rank correlation: {reason}", reason=row["reason"])
    return Note(
        "rank correlation {rho:.2f} [{rho_low:.2f}, {rho_high:.2f}]\nover {models} models "
        "(pale: left out)",
        rho=row["rho"],
        rho_low=row["rho_low"],
        rho_high=row["rho_high"],
        models=row["models"],
    )


# The paper's figures 1 and 4: people's words about objects, each model's, and which they have in common.

_VERDICTS: dict[Verdict, str] = {
    "right": "people wrote the word, too",
    "unparsed": "not three words as asked for; left out of agreement",
}


def chosen_in_common(grades: pd.DataFrame, settings: Settings) -> Chosen:
    """Return every described object with people's words and, of each model's first answer, the words one by one."""
    answers = of_task(grades, "generation")
    answers = answers[answers["repeat"] == 0]
    shown: dict[str, list[Answer]] = {}
    keys = {}
    simulated = False
    for row in answers.to_dict(orient="records"):
        people = json.loads(row["human_words"])
        keys[row["item_id"]] = "\n".join([row["object"], *map(glossed, people)])
        simulated = simulated or row["words_from"] == "simulated"
        shown.setdefault(row["item_id"], []).extend(_words(row, people))
    return Chosen(
        shown,
        keys=keys,
        texts=PageTexts(
            "object, and people's words (simulated)" if simulated else "object, and people's words",
            _VERDICTS,
            words={"right": "both", "unparsed": "invalid"},
        ),
        nothing="nothing to show: no object was described",
    )


def _words(row: Row, people: list[str]) -> list[Answer]:
    """Return the words of one answer, marked where people wrote them; an invalid one as far as it could be read."""
    if not isinstance(row["answer"], str):
        return [Answer(row["model"], row["readings"]["lenient"], "unparsed")]
    return [
        Answer(row["model"], glossed(word), "right" if word in people else None)
        for word in words_of(row["answer"])
    ]


# The paper's figure 5: objects, and the words about them that every annotator found unnatural.


def chosen_rejected(grades: pd.DataFrame, settings: Settings) -> Chosen:
    """Return the words that every annotator rejects, of models that enough annotators judged completely.

    Args:
        settings: In "texture" "judgements" (files) and "judges".
    """
    answers = of_task(grades, "generation")
    people = judgements(answers, settings)
    shown: dict[str, list[Answer]] = {}
    for model, _, group in by_model(answers):
        score = yes_no_score(
            described(group), judgements_of(model, people), settings["texture"]["judges"]
        )
        for item, words in score.rejected.items() if score.complete else ():
            shown.setdefault(item, []).extend(
                Answer(model, word, "wrong") for word in dict.fromkeys(words)
            )
    return Chosen(
        shown,
        keys=dict(zip(answers["item_id"], answers["object"], strict=True)) if shown else {},
        texts=PageTexts(
            "object",
            {"wrong": "every annotator finds the word unnatural"},
            words={},
        ),
        nothing="no word, of models whose every word was judged,\nthat every annotator finds unnatural",
    )
