"""The data set (table I), the choice of numerals, and the values of the radar charts (figure 2)."""

import textwrap
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pandas as pd

from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    GUESSING,
    MEASURED,
    POSITION,
    REFERENCE,
    PerKind,
    answerer,
    guess,
    measured,
    most_frequent,
    without_bounds,
)
from afterimage.showing.tables.bounds import interval_note
from afterimage.showing.tables.columns import Number, Row, Share, Text, is_missing, whole
from afterimage.showing.tables.declaration import By, PaperForm, Settings, Split, Table
from afterimage.showing.tables.judgement_columns import judges_of
from afterimage.showing.tables.values import (
    Bounds,
    Count,
    Distinct,
    Given,
    Group,
    Percent,
    Worked,
    answers,
)
from afterimage.suites.illusionbench.cells import UNSEEING, about, by_model, counted_cell
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    DIFFICULTIES,
    ILLUSION,
    MULTIPLE_CHOICE,
    NUMERALS,
    QUESTIONS,
    SEMANTIC,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.tables import best_answer, share_right, with_baselines
from afterimage.suites.illusionbench.tables_descriptions import descriptions

# Table I of the paper: other data sets of illusions, its own, and below them the study's.

_KINDS = {
    "statements": "binary",
    "choices": "multiple-choice",
    "descriptions": "open-ended description",
}
_ALL_KINDS = ", ".join(_KINDS.values())
#: As printed there; the numbers stand in ``resources/published/illusionbench_plus.csv`` as well.
PRINTED = (
    ("GVIL", 16, "binary", 1600, "none", "color and size illusions and variants"),
    ("HallusionBench", 72, "binary", 1129, "none", "color and size illusions and variants"),
    ("IllusionVQA", 374, "multiple-choice", 1435, "none", "12 types, mainly classical illusions"),
    (
        *("IllusionBench+", 1051, _ALL_KINDS, 8716, "included"),
        "classical, real scene, no illusion, Ishihara, trap",
    ),
)
#: Letters of a line of words, so that the table is no wider than a page.
_LINE = 26
_COLUMNS = ("model", "images", "types", "instances", "described", "shown")
_THIS_STUDY = "This study"


def _with_this_study(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the printed rows and, below them, that of the images that were asked about."""
    by_category = {row["category"]: row for row in frame.to_dict(orient="records")}
    total = by_category.pop("total")
    shown = [name for name, row in by_category.items() if row["images"]]
    this_study = (
        *(_THIS_STUDY, total["images"], _types(total), total["instances"]),
        "included" if total["goldens"] else "none",
        ", ".join(shown).replace("_", " ").replace("ishihara", "Ishihara"),
    )
    rows = pd.DataFrame([*PRINTED, this_study], columns=_COLUMNS)
    return rows.assign(kind=REFERENCE)


def _types(row: Mapping[str, Any]) -> str:
    return ", ".join(word for column, word in _KINDS.items() if row[column])


def _in_lines(words: str) -> str:
    return textwrap.fill(words, _LINE, break_on_hyphens=False)


FORM = PaperForm(
    "Data sets of visual illusions (table I of Zhang et al.).",
    (
        Text("Dataset", "model"),
        whole("Base images", "images"),
        Text("Question type", "types", _in_lines),
        whole("Instances", "instances"),
        Text("Text description", "described"),
        Text("Image type", "shown", _in_lines),
    ),
    _with_this_study,
    "Others as printed there; instances of HallusionBench include more than visual illusions.",
)


# What the data hold: the paper's table I (its own row) and the numbers of figure 4, of whatever set was asked about.
#
# A row per category and one of all: ``category``, ``images``, of these ``images_easy``, ``images_neutral`` and
# ``images_hard``; ``instances`` (questions, each once, however many answers it has), of these ``statements``
# (true or false), ``choices`` (each question once, in whatever orders its options were shown) and ``descriptions``.
# Of the statements ``false_k`` are false, ``false_share`` percent (paper, section III: 57 %); ``goldens`` images have
# a golden description, of ``golden_words`` words on average (53.21), separated by white space.

_ALL = "total"
#: Where the difficulty of an image comes from, by the source of the data.
_RATED = {
    "drawn": "by how much the figure differs (percent, of plates CIEDE2000); nobody has rated them",
    "folder": "as the folder's images.csv says",
    "release": "as people rated them (paper, section III)",
}


def _instances(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return each question once; people's rows and other orders of the same options do not count again."""
    items = grades[grades["question"].isin(QUESTIONS)].dropna(subset="item_id")
    if "shuffle_round" in items:
        items = items[items["shuffle_round"].fillna("0") == "0"]
    return items.drop_duplicates("item_id")


def _images_of(difficulty: str) -> Distinct:
    return Distinct(
        f"images_{difficulty}",
        lambda answers: answers["stimulus_id"].where(answers["difficulty"] == difficulty),
    )


def _golden_words(group: Group) -> tuple[float]:
    """Return how many words a golden description has on average, each image's once."""
    described = group.answers[group.answers["question"].isin(DESCRIPTIONS)]
    words = described.drop_duplicates("stimulus_id")["key"].str.split().str.len()
    return (float(words.mean()),)


def _difficulty_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    yield f"Easy, neutral and hard are images, {_RATED[settings['illusionbench']['source']]}."


ILLUSIONBENCH_DATA = Table(
    "illusionbench_data",
    "IllusionBench+: images and questions",
    of=_instances,
    rows=(By("category", levels=CATEGORIES, total=_ALL),),
    csv=(
        "category",
        Distinct("images", "stimulus_id"),
        *map(_images_of, DIFFICULTIES),
        Count("instances"),
        Count("statements", ("question", TRUE_FALSE)),
        Count("choices", ("question", MULTIPLE_CHOICE)),
        Count("descriptions", lambda own: own["question"].isin(DESCRIPTIONS)),
        Count("false_k", lambda own: (own["question"] == TRUE_FALSE) & (own["key"] == "False")),
        Percent("false_share", "false_k", "statements"),
        Distinct(
            "goldens", lambda own: own["stimulus_id"].where(own["question"].isin(DESCRIPTIONS))
        ),
        Worked(("golden_words",), _golden_words),
    ),
    columns=(
        Text("Category", "category", lambda name: name.replace("_", " ")),
        whole("Images", "images"),
        *(whole(name.capitalize(), f"images_{name}") for name in DIFFICULTIES),
        whole("Instances", "instances"),
        whole("Statements", "statements"),
        whole("Choices", "choices"),
        whole("Descriptions", "descriptions"),
        Share("False\nstatements", "false_k", "statements", value="false_share"),
        Number("Words of golden\ndescriptions", "golden_words", decimals=2),
    ),
    notes=(
        "Instances: questions, each once.",
        _difficulty_note,
        *about(*QUESTIONS, bounded=False),
    ),
    paper=FORM,
)


# The chosen numerals: whether a model prefers a position, and chooses the same option in another order.
#
# An extra analysis; the paper shuffles options once. With ``shuffle_rounds`` above 1 every question was asked in
# several orders, all of which count here.
#
# Four rows per model and per responder that does not see the image: ``group``, ``model``, ``numeral``, ``n`` (answers
# to multiple-choice questions, in all orders of options), ``chosen_k`` and ``chosen`` (percent of n), ``key_n``
# (questions with this key), ``right_k`` and ``accuracy`` (percent of these, with bounds ``low`` and ``high``),
# ``orders_n`` (of options, per question), ``questions_n`` and ``same_k`` (questions, and those of which every order got
# the same option; empty with one order), ``answer`` (the numeral of the best position).


def _multiple_choice(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades[grades["question"] == MULTIPLE_CHOICE]


def _answerers(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[Mapping[str, Any], pd.DataFrame]]:
    """Group the answers by model; a guess and the numeral that is the key most often come last."""
    yield from by_model(_multiple_choice)(grades, settings)
    items = _multiple_choice(grades, settings).drop_duplicates("item_id")
    if guess(items) is not None:
        unseeing = {"kind": REFERENCE, "group": UNSEEING}
        yield {**unseeing, "model": GUESSING}, items
        best, _ = most_frequent(items["key"])
        yield {**unseeing, "model": POSITION, "answer": best}, items.assign(answer=best)


def _guessed(among: str | None, group: Group) -> tuple[float]:
    """Return how often a guess is expected to choose a row's numeral, in percent, of all questions or of some."""
    counted = group.answers if among is None else group.answers[group.answers[among]]
    chances = [
        list(offered).count(group.row["numeral"]) / len(offered) for offered in counted["offered"]
    ]
    return (100 * sum(chances) / len(chances) if chances else float("nan"),)


def _share(name: str, k: str, n: str = "n", among: str | None = None) -> PerKind:
    expected = Worked((name,), partial(_guessed, among))
    shares = dict.fromkeys((MEASURED, POSITION), Percent(name, k, n))
    return PerKind({**shares, GUESSING: expected})


def _numerals(
    group: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    consistency = _consistency(group)
    for numeral in NUMERALS:
        chosen, keyed = group["answer"] == numeral, group["key"] == numeral
        yield (
            {"numeral": numeral, **consistency},
            group.assign(chosen=chosen, keyed=keyed, right=chosen & keyed),
        )


def _consistency(group: pd.DataFrame) -> dict[str, object]:
    """Return how often a question got the same option in every order of its options."""
    if group.empty:
        return {"orders_n": 0, "questions_n": 0, "same_k": pd.NA}
    orders = int(group["shuffle_round"].nunique())
    question = group["item_id"].str.replace(r"/shuffle_\d+$", "", regex=True)
    options = [
        _option(answer, order)
        for answer, order in zip(group["answer"], group["permutation"], strict=True)
    ]
    chosen = pd.Series(options, index=group.index).groupby([question, group["repeat"]])
    same = int(((chosen.nunique(dropna=False) == 1) & chosen.count().eq(chosen.size())).sum())
    return {
        "orders_n": orders,
        "questions_n": chosen.ngroups,
        "same_k": same if orders > 1 else pd.NA,
    }


def _option(answer: object, permutation: str) -> str | None:
    """Return the option, as its index in the annotations, that an answer's numeral stood for."""
    return permutation.split()[NUMERALS.index(answer)] if answer in NUMERALS else None


def _same(row: Row) -> int:
    return 0 if is_missing(row["same_k"]) else int(row["same_k"])


def _in_every_order(row: Row) -> int:
    return 0 if is_missing(row["same_k"]) else int(row["questions_n"])


ILLUSIONBENCH_NUMERALS = Table(
    "illusionbench_numerals",
    "IllusionBench+: which numerals are chosen in multiple-choice questions",
    rows=(_answerers, _numerals),
    csv=(
        *("group", "model", "numeral"),
        answers(),
        *measured(Count("chosen_k", "chosen"), also=(POSITION,)),
        *(_share("chosen", "chosen_k"), Count("key_n", "keyed")),
        *measured(Count("right_k", "right"), also=(POSITION,)),
        _share("accuracy", "right_k", "key_n", "keyed"),
        *measured(Bounds("low", "high", "right", among=lambda group: group["keyed"])),
        *("orders_n", "questions_n"),
        *measured(Given("same_k")),
        "answer",
    ),
    columns=(
        Text("VLMs", "model"),
        Text("Numeral", "numeral"),
        Share("Chosen", "chosen_k", "n", value="chosen"),
        without_bounds(Share("Right", "right_k", "key_n", "low", "high"), "accuracy"),
        Share("Same option", _same, _in_every_order),
    ),
    notes=(
        "Chosen: percent of all answers, as read by the parser; unread answers chose none. Right: "
        "percent of the questions whose right option had this numeral.",
        interval_note("images"),
        "Without looking: a guess among the options, and the one numeral that is right most often.",
        "Same option: questions to which the same option was the answer in every order of the options, out of all; "
        "asked in one order only, there are none (config: shuffle_rounds).",
        *about(MULTIPLE_CHOICE, bounded=False),
    ),
    group_by="group",
)


# The values of the radar charts: the paper's figure 2.
#
# One row per axis of a chart: ``kind``, ``group``, ``model``, ``chart`` (perception or description), ``series`` (T/F,
# Mul, Sem, Illu), ``axis`` (P1 to P5, D1 to D5), ``category``, ``value`` (accuracy 0 to 1, or mean score 0 to 2;
# empty without answers), ``n``, ``judge`` (who judged any of them, a reference judge marked as one; empty without),
# and of responders that do not see the image the best ``answer`` or position of the axis.


def _scores_of(question: str) -> Split:
    """Group the scored descriptions of one type by model."""

    def scored(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
        described = descriptions(grades, settings)
        known = described[described["question"] == question].dropna(subset=["score"])
        return known.assign(right=known["score"])

    return by_model(scored)


#: Chart, letter of its axes, name of a series, and whose answers it shows, in the paper's order.
_SERIES = (
    ("perception", "P", "T/F", with_baselines(TRUE_FALSE)),
    ("perception", "P", "Mul", with_baselines(MULTIPLE_CHOICE)),
    ("description", "D", "Sem", _scores_of(SEMANTIC)),
    ("description", "D", "Illu", _scores_of(ILLUSION)),
)


def _axes(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    for chart, letter, series, split in _SERIES:
        for names, group in split(grades, settings):
            for number, category in enumerate(CATEGORIES, start=1):
                axis = {"axis": f"{letter}{number}", "category": category}
                chosen = group[group["category"] == category]
                of_chart = {"chart": chart, "series": series}
                yield {"kind": MEASURED, **names, **of_chart, **axis}, chosen


def _judge(group: Group) -> tuple[str | None]:
    """Return who judged; baselines bring no readings."""
    judged = group.answers
    return ((judges_of(judged) if "readings" in judged else "") or None,)


ILLUSIONBENCH_RADAR = Table(
    "illusionbench_radar",
    "IllusionBench+: the values of the radar charts (the paper's figure 2)",
    rows=(_axes,),
    csv=(
        *("kind", "group", "model", "chart", "series", "axis", "category"),
        *(share_right("value"), answers(), Worked(("judge",), _judge, "text"), best_answer()),
    ),
    columns=(
        answerer("VLMs"),
        Text("Chart", "chart"),
        Text("Series", "series"),
        Text("Axis", "axis"),
        counted_cell("Value", "value", "n"),
    ),
    notes=(
        "P1 to P5, D1 to D5: classical, real scene, no illusion, Ishihara, trap. T/F and Mul: accuracy from 0 to 1. "
        "Sem and Illu: mean score from 0 to 2, empty without a judge.",
        BASELINE_NOTE,
        *about(TRUE_FALSE, MULTIPLE_CHOICE, *DESCRIPTIONS, bounded=False),
    ),
    group_by="group",
)
