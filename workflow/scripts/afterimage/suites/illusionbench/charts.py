"""The paper's figure 2, numbers of images and radar charts, and its example pages, figures 3 and 5 to 7."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.projections.polar import PolarAxes

from afterimage.note import Note
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.cards import Card, CardQuestion, Picture, by_hash
from afterimage.showing.charts.example_page import question_text
from afterimage.showing.charts.figure_style import legend_below, model_styles
from afterimage.showing.looks import PAPER, PAPER_NOTE
from afterimage.showing.tables.baselines import GUESSING, MEASURED, REFERENCE
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    DIFFICULTIES,
    ILLUSION,
    MULTIPLE_CHOICE,
    TRUE_FALSE,
)

# How many images of each category and difficulty there are: the paper's figure 4.

#: Light to dark, as the ratings rise; they differ in print without colour, too.
_SHADES = ("#bfd7ea", "#5b9bd5", "#1f4e79")


def draw_data(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw a bar for each category, divided by difficulty, with the number of its questions."""
    figure_style.apply()
    frame = tables["illusionbench_data"].set_index("category").drop(index="total")[::-1]
    figure = Figure(figsize=(6.0, 2.6), layout="constrained")
    axes = figure.subplots()
    start = pd.Series(0, frame.index)
    for difficulty, shade in zip(DIFFICULTIES, _SHADES, strict=True):
        counts = frame[f"images_{difficulty}"]
        axes.barh(frame.index, counts, left=start, color=shade, label=difficulty)
        start = start + counts
    names = [name.replace("_", " ") for name in frame.index]
    axes.set_yticks(range(len(frame)), names)
    longest = max(int(frame["images"].max()), 1)
    for row, (images, instances) in enumerate(
        zip(frame["images"], frame["instances"], strict=True)
    ):
        axes.text(
            images + longest / 50,
            row,
            Note("{images} images, {instances} questions", images=images, instances=instances),
            va="center",
        )
    axes.set_xlim(0, 1.75 * longest)
    axes.grid(False)
    axes.set_xlabel("images")
    axes.legend(title="difficulty", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure


# Radar charts of perception and description by category: the paper's figure 2.

_TITLES = {"perception": "Perception: accuracy", "description": "Description: mean score"}
_FULL = {"perception": 1.0, "description": 2.0}
_GUESSING_LINE = {"color": "#333333", "linestyle": "--"}
_EMPTY = "no answer has a score"
#: Style of a line that another one covers along a whole series: a pale band, on which the other shows.
_BAND = {"linestyle": "-", "linewidth": 7.0, "alpha": 0.35}
#: From the first line to the last, in points: where lines coincide, the earlier one shows on both sides.
_LINE_WIDTHS, _MARKER_SIZES = (4.0, 1.2), (9.0, 4.0)


def draw_radar(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw both charts; each axis is one series in one category. An axis without any value is left out.

    Of the responders that do not see the image, only guessing has a line. The paper's models have charts of their own
    below.
    """
    figure_style.apply()
    frame = tables["illusionbench_radar"]
    is_quoted = frame["kind"] == PAPER
    lines = [
        (rows, charts)
        for rows in (frame[~is_quoted], frame[is_quoted])
        if (charts := _charts(rows))
    ]
    if not lines:
        return _empty()
    across = max(len(charts) for _, charts in lines)
    figure = Figure(figsize=(4.5 * across, 5.2 * len(lines)), layout="constrained")
    panels = figure.subplots(len(lines), across, subplot_kw={"projection": "polar"}, squeeze=False)
    handles: dict[str, Artist] = {}
    bands = {name: upper for rows, _ in lines for name, upper in _covered(rows).items()}
    for (rows, charts), row_of_panels in zip(lines, panels, strict=True):
        for axes, chart in zip(row_of_panels, charts, strict=False):
            handles |= _draw_chart(axes, rows[rows["chart"] == chart], chart, _models(rows), bands)
            if rows["kind"].eq(PAPER).all():
                axes.set_title(
                    f"{_TITLES[chart]}\n{PAPER_NOTE}", loc="center", fontsize="small", pad=14
                )
        for unused in row_of_panels[len(charts) :]:
            unused.set_axis_off()
    labels = {
        name: Note("{name} (band below {other}, alike in part)", name=name, other=upper)
        for name, upper in bands.items()
    }
    ordered = [
        (handles[name], labels.get(name, name))
        for name in (*_models(frame), GUESSING)
        if name in handles
    ]
    legend_below(figure, ordered, columns=2 * across)
    return figure


def _models(frame: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys(frame.loc[frame["kind"] != REFERENCE, "model"]))


def _covered(frame: pd.DataFrame) -> dict[str, str]:
    """Return each model whose line is covered, and the next model with the same values along a whole series."""
    measured = frame[frame["kind"] == MEASURED].dropna(subset="value")
    lines = {
        model: {series: list(part["value"]) for series, part in rows.groupby("series")}
        for model, rows in measured.groupby("model", sort=False)
    }
    covered: dict[str, str] = {}
    for first, second in combinations(lines, 2):
        shared = lines[first].keys() & lines[second].keys()
        if any(lines[first][series] == lines[second][series] for series in shared):
            covered.setdefault(first, second)
    return covered


def _charts(frame: pd.DataFrame) -> list[str]:
    """Return the charts in which a model has a score."""
    known = frame[frame["value"].notna() & (frame["kind"] != REFERENCE)]
    return [name for name in _TITLES if name in set(known["chart"])]


def _empty() -> Figure:
    figure = Figure(figsize=(4.0, 1.2))
    figure.text(0.5, 0.5, _EMPTY, ha="center", va="center")
    return figure


def _title(frame: pd.DataFrame, chart: str) -> str:
    """Return the title of a chart, with the judges of its values."""
    judges = sorted(set(frame["judge"].dropna()) - {""})
    return "\n".join(
        [
            _TITLES[chart],
            *(Note("judge: {name}", name=name) for name in judges),
        ]
    )


def _draw_chart(
    axes: PolarAxes,
    frame: pd.DataFrame,
    chart: str,
    models: list[str],
    bands: Mapping[str, str],
) -> dict[str, Artist]:
    frame = frame.assign(label=frame["series"] + " " + frame["axis"])
    of_models = frame[frame["kind"] != REFERENCE]
    known = set(of_models.loc[of_models["value"].notna(), "label"])
    labels = [label for label in dict.fromkeys(frame["label"]) if label in known]
    angles = np.linspace(0, 2 * np.pi, len(labels), endpoint=False)
    axes.set_theta_offset(np.pi / 2)
    axes.set_theta_direction(-1)
    axes.set_ylim(0, _FULL[chart])
    axes.set_yticks(np.linspace(0, _FULL[chart], 5)[1:])
    axes.tick_params(axis="y", labelsize="x-small")
    axes.set_xticks(angles, labels)
    axes.tick_params(axis="x", pad=8)
    axes.set_title(_title(of_models, chart), loc="center", pad=14)
    lines = {
        model: {"color": style.colour, "marker": style.marker, "linestyle": style.stroke}
        for model, style in model_styles(models).items()
    }
    handles: dict[str, Artist] = {}
    drawn = {**lines, GUESSING: _GUESSING_LINE}
    widths = np.linspace(*_LINE_WIDTHS, len(drawn))
    sizes = np.linspace(*_MARKER_SIZES, len(drawn))
    for (name, style), width, size in zip(drawn.items(), widths, sizes, strict=True):
        rows = frame[frame["model"] == name]
        values = rows.set_index("label")["value"].reindex(labels)
        if values.isna().all():
            continue
        (handles[name],) = axes.plot(
            np.append(angles, angles[0]),
            np.append(values, values.iloc[0]),
            **{**style, "linewidth": width, **(_BAND if name in bands else {})},
            markersize=size,
            markeredgecolor="white",
            clip_on=False,
        )
    return handles


# ---- Example pages ----

Items = Sequence[Mapping[str, Any]]
#: Images of each category in figure 3, spread over the difficulties.
_OF_CATEGORY = 6
#: The category of the image in figure 5: the paper's, or the first of these that the set has.
_FIRST = ("real_scene", "classical", "trap", "ishihara", "no_illusion")
#: The categories of figures 6 and 7, and the number of images of each.
_DESCRIBED_OF, _DESCRIBED_EACH = ("real_scene", "trap"), 2
_PARTS = {TRUE_FALSE: "true-or-false questions", MULTIPLE_CHOICE: "multiple-choice questions"}
_DESCRIBED = {
    "semantic": "description: semantic content",
    "illusion": "description: visual illusion",
    "step_by_step": "description: step by step",
}


def categories(items: Items) -> list[Card]:
    """Return figure 3: a line of images per category, from easy to hard."""
    cards = []
    for category in CATEGORIES:
        by_image = {
            item["stimulus_id"]: item for item in items if item["factors"]["category"] == category
        }
        pictures = tuple(
            Picture(by_image[name]["item_id"], by_image[name]["factors"]["difficulty"])
            for name in _over_difficulties(by_image)
        )
        if pictures:
            cards.append(Card(category.replace("_", " "), pictures))
    return cards


def image(items: Items) -> list[Card]:
    """Return figure 5: an image with every statement, question and description, and what was answered."""
    present = [name for name in _FIRST if any(_is_of(item, name) for item in items)]
    if not present:
        return []
    by_image: dict[str, list[Mapping[str, Any]]] = {}
    for item in items:
        if _is_of(item, present[0]) and item["factors"].get("shuffle_round", "0") == "0":
            by_image.setdefault(item["stimulus_id"], []).append(item)
    # Images with the most kinds of question come first.
    ranked = sorted(
        by_hash(by_image), key=lambda name: -len({item["question"] for item in by_image[name]})
    )
    chosen = by_image[ranked[0]]
    return [_card(chosen[0], tuple(_question_cards(chosen)))]


def descriptions(items: Items) -> list[Card]:
    """Return figures 6 and 7: two images each, real scenes and traps, with all that was written about the illusion."""
    cards = []
    for category in _DESCRIBED_OF:
        by_image = {
            item["stimulus_id"]: item
            for item in items
            if item["question"] == ILLUSION and _is_of(item, category)
        }
        for name in by_hash(by_image)[:_DESCRIBED_EACH]:
            item = by_image[name]
            question = CardQuestion(
                item["item_id"], question_text(item), item["key"], described=True
            )
            cards.append(_card(item, (question,)))
    return cards


def _card(item: Mapping[str, Any], questions: tuple[CardQuestion, ...]) -> Card:
    category, difficulty = (item["factors"][name] for name in ("category", "difficulty"))
    picture = Picture(item["item_id"], Note("difficulty: {difficulty}", difficulty=difficulty))
    return Card(category.replace("_", " "), (picture,), questions=questions)


def _is_of(item: Mapping[str, Any], category: str) -> bool:
    return bool(item["factors"]["category"] == category)


def _over_difficulties(by_image: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return some of the images, as many of each difficulty as possible, from easy to hard."""
    waiting = {
        name: [
            image for image in by_hash(by_image) if by_image[image]["factors"]["difficulty"] == name
        ]
        for name in DIFFICULTIES
    }
    turns = [stimulus_id for rank in range(_OF_CATEGORY) for stimulus_id in _rank(waiting, rank)]
    chosen = turns[:_OF_CATEGORY]
    return sorted(
        chosen,
        key=lambda stimulus_id: DIFFICULTIES.index(by_image[stimulus_id]["factors"]["difficulty"]),
    )


def _rank(waiting: Mapping[str, Sequence[str]], rank: int) -> list[str]:
    return [names[rank] for names in waiting.values() if rank < len(names)]


def _question_cards(items: Items) -> Iterator[CardQuestion]:
    for kind in (TRUE_FALSE, MULTIPLE_CHOICE):
        for item in items:
            if item["question"] == kind:
                text = item["factors"]["asked"]
                yield CardQuestion(item["item_id"], text, item["key"], _PARTS[kind])
    golden_shown = False
    for kind in DESCRIPTIONS:
        for item in items:
            if item["question"] == kind:
                # The golden description is the same for all three.
                key = "" if golden_shown else item["key"]
                golden_shown = True
                yield CardQuestion(
                    item["item_id"], question_text(item), key, _DESCRIBED[kind], True
                )
