"""The suite's charts, each under its name, and its example page: images with all that is asked about them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from afterimage.note import Note
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.cards import Card, CardQuestion, Picture, by_hash
from afterimage.showing.charts.chart_parts import (
    draw_baseline,
    draw_groups,
    label_groups,
    say_empty,
)
from afterimage.showing.charts.example_page import question_text
from afterimage.showing.charts.figure_style import ModelStyle, legend_below, model_styles
from afterimage.showing.charts.typefaces import can_print
from afterimage.suites.pope.names import BLOG, EXTENDED, POPE, STRATEGIES

# A score per strategy, or kind of question, and model, between the two constant answers.

# Share of a group's width that its marks take.
_FILLED = 0.66
_LINES = {
    "always yes": {"color": "#333333", "linestyle": "--", "linewidth": 1.2},
    "always no": {"color": "#777777", "linestyle": ":", "linewidth": 1.6},
}


#: The blog's strategies, and the kinds of the extended questions, from left to right.
_BLOG = {
    "C": "C: an object of\nthe description",
    "R": "R: an object that\nis not there",
    "A": "A: one attribute\nexchanged",
    "mean": "mean",
}
_EXTENDED = {
    "colour": "colour",
    "count": "number",
    "left_of": "left of",
    "above": "above",
    "inside": "inside",
    "larger_than": "larger\nthan",
    "similar": "look-\nalike",
    "mean": "mean",
}
#: Width for few models, and for each further one.
_FEW, _INCHES, _INCHES_PER_MODEL = 6, 7.2, 0.35


def pope_blog(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy in the blog's C, R and A with its interval, and the mean."""
    return _draw_accuracy(tables["pope_blog"], "strategy", _BLOG)


def pope_extended(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw accuracy on attributes, relations and look-alikes with its interval, and the mean; of the first prompt."""
    return _draw_accuracy(_of_first_prompt(tables["pope_extended"]), "asked_about", _EXTENDED)


def _of_first_prompt(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["prompt"] == frame["prompt"].iloc[0]] if len(frame) else frame


def _draw_accuracy(frame: pd.DataFrame, block: str, titles: Mapping[str, str]) -> Figure:
    """Draw accuracy in percent with its interval, one group of marks per value of a column.

    Args:
        frame: The table's rows, "kind" among the columns.
        block: The column.
        titles: Its values, from left to right, to the label below each group.
    """
    figure_style.apply()
    groups = [name for name in titles if name in set(frame[block])]
    extra = frame.loc[frame["kind"] == "measured", "model"].nunique() - _FEW
    width = _INCHES + max(0, extra) * _INCHES_PER_MODEL
    figure = Figure(figsize=(width, 3.9), layout="constrained")
    axes = figure.subplots()
    if not groups:
        say_empty(axes)
        return figure
    handles = draw_score(axes, frame, block, groups, "accuracy")
    label_groups(axes, [titles[name] for name in groups], "accuracy, %")
    legend_below(figure, handles, columns=6)
    return figure


def draw_score(
    axes: Axes, frame: pd.DataFrame, block: str, groups: Sequence[str], score: str
) -> list[tuple[Artist, str]]:
    """Draw a score of each model and constant answer in each group; returns handles with labels.

    Args:
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


# F1 and the share of yes per strategy and model: the two numbers by which POPE tells seeing from affirming.

_PANELS = (("f1", "F1 score, %"), ("yes_ratio", "answered yes, %"))
# Half of the keys are yes.
_HALF: dict[str, Any] = {"color": "#333333", "linestyle": "-", "linewidth": 0.9}


def pope(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw both scores with their intervals, and what the constant answers score.

    Always no has no F1 and therefore no line there. Of several prompts the first one is drawn.
    """
    figure_style.apply()
    frame = _of_first_prompt(tables["pope"])
    groups = [name for name in STRATEGIES if name in set(frame["strategy"])]
    figure = Figure(figsize=(7.2, 3.7), layout="constrained")
    handles = []
    for axes, (score, title) in zip(figure.subplots(1, 2), _PANELS, strict=True):
        if not groups:
            say_empty(axes)
            continue
        handles = draw_score(axes, frame, "strategy", groups, score)
        # Beside each other, words on an axis would run into the other panel.
        label_groups(axes, groups, "")
        axes.set_title(title)
        if score == "yes_ratio":
            axes.axhline(50, **_HALF, zorder=1)
            handles = [*handles, (Line2D([], [], **_HALF), "half of the keys are yes")]
    legend_below(figure, handles, columns=4)
    return figure


# F1 by POPE's own labels and by the corrected ones: one line per model, and whether lines cross.

_SIDES = (("", "POPE"), ("_relabelled", "corrected"))
#: Lines are shifted, so that their intervals do not hide one another.
_SPREAD = 0.16


def pope_relabelled(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw a panel per strategy and one for their mean, each model with intervals at both ends.

    Of several prompts the first one is drawn.
    """
    figure_style.apply()
    frame = tables["pope_relabelled"]
    frame = _of_first_prompt(frame[frame["kind"] == "measured"])
    strategies = list(dict.fromkeys(frame["strategy"]))
    figure = Figure(figsize=(7.2, 3.7), layout="constrained")
    panels = figure.subplots(1, max(1, len(strategies)), sharey=True, squeeze=False)[0]
    if not strategies:
        say_empty(panels[0])
        return figure
    models = list(dict.fromkeys(frame["model"]))
    styles = model_styles(models)
    for axes, strategy in zip(panels, strategies, strict=True):
        rows = frame[frame["strategy"] == strategy].set_index("model")
        for number, model in enumerate(models):
            offset = _SPREAD * (number / max(1, len(models) - 1) - 0.5)
            if model in rows.index:
                _draw_model(axes, rows.loc[model], offset, styles[model])
        axes.set_xticks([0, 1], [name for _, name in _SIDES])
        axes.set_xlim(-0.35, 1.35)
        axes.set_title(strategy)
    panels[0].set_ylabel("F1, %")
    handles = [(Line2D([], [], **_look(styles[model])), model) for model in models]
    legend_below(figure, handles, columns=4)
    return figure


def _draw_model(axes: Axes, row: pd.Series, offset: float, style: ModelStyle) -> None:
    values = [row[f"f1{suffix}"] for suffix, _ in _SIDES]
    axes.plot([offset, 1 + offset], values, **_look(style))
    for x, (suffix, _) in enumerate(_SIDES):
        bounds = [row[f"f1{suffix}_{side}"] for side in ("low", "high")]
        axes.plot([x + offset] * 2, bounds, color=style.colour, linewidth=1, alpha=0.6)


def _look(style: ModelStyle) -> dict[str, Any]:
    look = {"color": style.colour, "marker": style.marker, "linestyle": style.stroke}
    return {**look, "markersize": 5, "linewidth": 1.3}


# ---- Example pages ----

Items = Sequence[Mapping[str, Any]]
#: Images of each variant, and what it is called.
_IMAGES = {POPE: 2, BLOG: 1, EXTENDED: 1}
_NAMES = {POPE: "POPE", BLOG: "POPE-C, -R and -A", EXTENDED: "attributes and relations"}
#: What the questions of a part ask about.
_PARTS = {
    "random": "random: an object that is not there",
    "popular": "popular: one that many images have, and this one has not",
    "adversarial": "adversarial: one that is often seen with an object that is there",
    "C": "C: an object of the description",
    "R": "R: an object that is not there",
    "A": "A: an object with another attribute",
}
_PRESENT = "objects that are there, asked about with every strategy"


def cards(items: Items) -> list[Card]:
    """Return a card for each of the images with the most questions, whatever the answers."""
    chosen = []
    for variant, count in _IMAGES.items():
        of_variant = [item for item in items if item["factors"]["variant"] == variant]
        of_variant = [item for item in of_variant if item["prompt"] == of_variant[0]["prompt"]]
        by_image: dict[str, list[Mapping[str, Any]]] = {}
        for item in of_variant:
            by_image.setdefault(item["stimulus_id"], []).append(item)
        ranked = sorted(
            by_hash(by_image), key=lambda name: -len(list(_question_cards(by_image[name])))
        )
        chosen += [_card(_NAMES[variant], by_image[name]) for name in ranked[:count]]
    return chosen


def _card(variant: str, items: Items) -> Card:
    image = items[0]["factors"]["image_id"]
    picture = Picture(
        items[0]["item_id"],
        Note("image {image}", image=image),
    )
    return Card(variant, (picture,), questions=tuple(_question_cards(items)))


def _question_cards(items: Items) -> Iterator[CardQuestion]:
    """Yield the questions about an image, first those that all strategies share, each once."""
    shared = items[0]["factors"]["variant"] == POPE
    seen: set[str] = set()
    if shared:
        for item in items:
            text = _wording(item)
            if item["key"] == "yes" and text not in seen:
                seen.add(text)
                yield CardQuestion(item["item_id"], text, "yes", _PRESENT)
    for item in items:
        strategy = item["factors"]["strategy"]
        if not shared or item["key"] != "yes":
            part = _PARTS.get(strategy, strategy.replace("_", " "))
            yield CardQuestion(item["item_id"], _wording(item), item["key"], part)


def _wording(item: Mapping[str, Any]) -> str:
    """Return the question; of a Chinese one also what it asks about, or that alone where no typeface can print it."""
    text = question_text(item)
    if text.isascii():
        return text
    named = (item["factors"].get(name, "") for name in ("attributes", "object"))
    about = " ".join(filter(None, named))
    return f"{text}\n({about})" if can_print(text) else f"{about} (asked in Chinese)"
