"""Four classes of answers per model and condition, with their intervals (paper, tables 2 to 6), and example pages."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.items.wording import headed_question
from afterimage.note import Note
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.cards import Card, Picture, Words
from afterimage.showing.charts.chart_parts import divide, draw_class, wrapped
from afterimage.showing.charts.example_page import question_text
from afterimage.showing.charts.figure_style import legend_below
from afterimage.showing.looks import MARK_OF_PAPER, PAPER, PAPER_NOTE
from afterimage.suites.illusions.names import QUESTIONS

CLASSES = {
    "both_correct": "both correct",
    "apparent_only": "apparent only",
    "actual_only": "actual only",
    "both_wrong": "both wrong",
}
CONDITIONS = {
    "genuine": "Genuine illusion",
    "fake": "Fake illusion",
    "control_genuine": "Control of genuine",
    "control_fake": "Control of fake",
}
#: Width per model: of few models, with panels two by two, and of more, with panels below each other.
_INCHES_PER_MODEL, _NARROW_INCHES_PER_MODEL = 0.95, 0.5
_FEW = 6


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw shares in percent as bars with intervals: one panel per condition, four panels per prompt.

    Args:
        tables: ``genuine_vqa``, ``fake_vqa`` and ``control_vqa``; of the paper's illusions, the rows over
            all variants are shown. The paper's models come after the study's.
    """
    figure_style.apply()
    frame = pd.concat(tables.values())
    # Without further variants, all of them are the paper's two.
    every = "scaled" if frame["subset"].eq("scaled").any() else "all"
    quoted = frame[frame["kind"] == PAPER]
    frame = frame[(frame["subset"] == every) & (frame["kind"] == "measured")]
    prompts = list(frame["prompt"].unique())
    study_models, quoted_models = list(frame["model"].unique()), list(quoted["model"].unique())
    models = [*study_models, *quoted_models]
    many = len(models) > _FEW
    columns, inches = (1, _NARROW_INCHES_PER_MODEL) if many else (2, _INCHES_PER_MODEL)
    figure = Figure(
        figsize=(
            max(7.0, 0.8 + columns * inches * len(models)),
            (2.5 if many else 0.6) + 2.3 * 4 / columns * len(prompts),
        ),
        layout="constrained",
    )
    panels = figure.subplots(
        4 // columns * len(prompts), columns, sharex=many, sharey=True, squeeze=False
    )
    for number, prompt in enumerate(prompts):
        four = panels.ravel()[4 * number : 4 * number + 4]
        for axes, (condition, title) in zip(four, CONDITIONS.items(), strict=True):
            cells, printed = (
                rows[(rows["prompt"] == prompt) & (rows["condition"] == condition)]
                for rows in (frame, quoted)
            )
            _draw_panel(axes, pd.concat([cells, printed]).set_index("model").reindex(models))
            divide(axes, len(study_models), len(quoted_models))
            _name(axes, models, many)
            label = title
            if len(prompts) > 1:
                label = Note("{condition}, {prompt}", condition=title, prompt=prompt)
            axes.set_title(Note("{condition} (n = {n:.0f})", condition=label, n=cells["n"].max()))
    for axes in panels[:, 0]:
        axes.set_ylabel("share of images, %")
    if quoted_models:
        panels[-1, 0].set_xlabel(PAPER_NOTE, fontsize="small")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    legend_below(figure, list(zip(handles, labels, strict=True)), columns=len(CLASSES))
    return figure


def _draw_panel(axes: Axes, cells: pd.DataFrame) -> None:
    for index, (name, label) in enumerate(CLASSES.items()):
        bounds = (cells[f"{name}_low"], cells[f"{name}_high"])
        draw_class(axes, (index, len(CLASSES)), cells[name], bounds, label)


def _name(axes: Axes, models: Sequence[str], many: bool) -> None:
    if many:
        names = [
            str(model).replace(MARK_OF_PAPER, MARK_OF_PAPER.replace(" ", "\n")) for model in models
        ]
        axes.set_xticks(range(len(models)), names, rotation=90)
    else:
        axes.set_xticks(range(len(models)), [wrapped(model) for model in models])


# ---- Example pages ----

Items = Sequence[Mapping[str, Any]]
#: The paper's example; a study without it shows its first illusion.
_EXAMPLE = "ebbinghaus"
_SHOWN = {"genuine": "genuine illusion", "fake": "fake illusion"}


def question(items: Items) -> list[Card]:
    """Return table 1: variant A genuine and fake side by side, its two questions, their options and right answers."""
    chosen = [item for item in _first_prompt(items) if item["factors"]["variant"] == "A"]
    figures = [item["figure"] for item in chosen]
    if not chosen:
        return []
    figure = _EXAMPLE if _EXAMPLE in figures else figures[0]
    by_question = {
        (item["factors"]["condition"], item["question"]): item
        for item in chosen
        if item["figure"] == figure
    }
    conditions = [name for name in _SHOWN if all((name, kind) in by_question for kind in QUESTIONS)]
    if not conditions:
        return []
    pictures = [
        Picture(by_question[name, "actual"]["item_id"], _SHOWN[name]) for name in conditions
    ]
    words = [Words("illusion", (figure.replace("_", " "),) * len(conditions), translated=True)]
    for name in QUESTIONS:
        about = [by_question[condition, name] for condition in conditions]
        words += [
            Words(
                f"question ({name})",
                tuple(
                    headed_question(question_text(item)) or question_text(item) for item in about
                ),
            ),
            Words(f"options ({name})", tuple("\n".join(_options(item).values()) for item in about)),
            Words(f"right answer ({name})", tuple(_options(item)[item["key"]] for item in about)),
        ]
    return [Card("", tuple(pictures), tuple(words))]


def illusions(items: Items) -> list[Card]:
    """Return appendix E: the illusions that count, in the paper's order, each with its first genuine image."""
    first: dict[str, str] = {}
    for item in _first_prompt(items):
        if item["factors"]["condition"] == "genuine":
            first.setdefault(item["figure"], item["item_id"])
    pictures = tuple(
        Picture(item, Note("{n}. {figure}", n=number, figure=figure.replace("_", " ")))
        for number, (figure, item) in enumerate(first.items(), start=1)
    )
    return [Card("", pictures)] if pictures else []


def _first_prompt(items: Items) -> Items:
    return [item for item in items if item["prompt"] == items[0]["prompt"]]


def _options(item: Mapping[str, Any]) -> dict[str, str]:
    return {option["option_id"]: option["text"] for option in item["options"]}
