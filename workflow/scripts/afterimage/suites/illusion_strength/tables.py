"""Tables of points of subjective equality: at every strength of the inducer, in every cell, and of people."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from afterimage.contract.adaptive import Adaptive, Level, Placed
from afterimage.note import Note
from afterimage.showing.tables.accuracy import unparsed_share
from afterimage.showing.tables.bounds import mean_bounds
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    TOO_FEW_TO_SAY,
    Cell,
    Share,
    Text,
    rounded,
)
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.pairs import pairs_table
from afterimage.showing.tables.values import OUTCOMES
from afterimage.statistics.quest_plus import Observers, equality_observers
from afterimage.suites.illusion_strength.perceiving import (
    KINDS,
    NEUTRAL_COUNTS,
    knowledge_index,
    neutral_counts,
    pooled_knowledge,
)
from afterimage.suites.illusion_strength.psychometrics import (
    ALL,
    GIVEN,
    GROUP,
    INSTEAD,
    KINDS_IN_WORDS,
    NOT_CROSSED,
    cell_counts,
    given_answers,
    spelled,
    strength_rows,
)
from afterimage.suites.illusion_strength.questions import YES_NO
from afterimage.suites.thresholds.adaptive import adaptive_thresholds, reported, signed
from afterimage.suites.thresholds.people import comparing
from afterimage.suites.thresholds.people_table import Sought, people_table

_BOUNDS = ("_low", "_high", "_bootstrap_low", "_bootstrap_high")
_COLUMNS = [
    *GROUP,
    "strength",
    "n",
    *OUTCOMES,
    "no_pse",
    *(f"{name}{end}" for name in ("slope", "pse", "magnitude") for end in ("", *_BOUNDS)),
    "location",
    "criterion",
    "c",
    "lapse",
    "replicates",
    *NEUTRAL_COUNTS,
    *(f"knowledge_{name}{end}" for name in KINDS for end in ("", "_low", "_high")),
    "illusions",
    "illusions_with_magnitude",
]
_WHOLE = [*NEUTRAL_COUNTS, "replicates", "illusions", "illusions_with_magnitude"]


# A function: a curve is fitted to all strengths at once, and rows of all illusions are made of their rows.
def strength_table_rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Fit each model's psychometric curves and count its neutral answers.

    Returns:
        One row per model, prompt, question, illusion and strength, and rows with the illusion "all". ``n`` answers,
        ``unparsed`` of them unread and in no fit, of these ``cut_off`` and ``refused``.
        Differences and magnitudes are in units of the fake's difference.
        ``no_pse`` says why ``pse`` is empty ("no answers", "flat", "inverted", "not crossed"). ``_low`` and ``_high``
        are the jackknife's bounds over replicates, ``_bootstrap_`` those of the counted-out bootstrap; on rows "all",
        of the bootstrap over illusions, ``magnitude`` being the mean over ``illusions_with_magnitude`` of
        ``illusions``. Neutral counts and K, on rows of the actual question with a strength above 0, are over that
        strength and its opposite.

    Raises:
        AfterimageError: As in :func:`psychometrics.given_answers`.
    """
    answers = given_answers(grades)
    rows: list[dict[str, Any]] = []
    columns = GROUP[:-1]
    for names, of_question in answers.groupby(columns, sort=False):
        key = dict(zip(columns, names, strict=True))
        of_question_rows: list[dict[str, Any]] = []
        for illusion, of_illusion in of_question.groupby("illusion", sort=False):
            for row in strength_rows(of_illusion, settings):
                row |= key | {"illusion": illusion}
                if key["question"] == "actual" and row["strength"] > 0:
                    counts = neutral_counts(of_illusion, row["strength"])
                    row |= counts | knowledge_index(counts, settings)
                of_question_rows.append(row)
        rows += of_question_rows
        for strength in sorted({row["strength"] for row in of_question_rows}):
            of_strength = [row for row in of_question_rows if row["strength"] == strength]
            rows.append(key | _pooled(of_strength, settings))
    frame = pd.DataFrame(rows, columns=_COLUMNS)
    frame[_WHOLE] = frame[_WHOLE].astype("Int64")
    return frame


def _pooled(rows: list[dict[str, Any]], settings: Settings) -> dict[str, Any]:
    having = [row for row in rows if np.isfinite(row["magnitude"])]
    magnitude, low, high = mean_bounds(
        [row["magnitude"] for row in having], [row["illusion"] for row in having], settings
    )
    pooled = {
        "illusion": ALL,
        "strength": rows[0]["strength"],
        "n": sum(row["n"] for row in rows),
        **{name: sum(row[name] for row in rows) for name in OUTCOMES},
        "no_pse": "",
        "magnitude": magnitude,
        "magnitude_low": low,
        "magnitude_high": high,
        "illusions": len(rows),
        "illusions_with_magnitude": len(having),
    }
    if "neutral_control_k" in rows[0]:
        pooled |= pooled_knowledge(rows, settings)
    return pooled


# ---- What readers see of the long table: the greatest strength, both questions in a row ----

_ROW = ["model", "prompt", "illusion"]


def condensed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row per model, prompt and illusion of the whole table.

    Magnitudes are printed with their interval, or say why there is none; counts are those at the greatest strength;
    ``n`` and what could not be read are of both questions and all strengths.
    """
    greatest = frame["strength"].max()
    rows = []
    for names, group in frame.groupby(_ROW, sort=False):
        row: dict[str, Any] = dict(zip(_ROW, names, strict=True))
        row |= {name: int(group[name].sum()) for name in ("n", *OUTCOMES)}
        for question in ("actual", "apparent"):
            of_question = group[group["question"] == question]
            row[f"magnitude_{question}"] = _magnitude(of_question, greatest)
        row |= _knowledge(group[(group["question"] == "actual") & (group["strength"] == greatest)])
        rows.append(row)
    # Of texts pandas would keep no cell's number.
    return pd.DataFrame(rows, dtype=object)


def estimate(value: float, low: float, high: float) -> Cell:
    """Print a number and, below, its interval."""
    if pd.isna(value):
        return Cell(NOT_AVAILABLE)
    bounds = ", ".join(rounded(bound, 2) for bound in (low, high))
    printed = rounded(value, 2)
    return printed.with_text(f"{printed}\n[{TOO_FEW_TO_SAY if pd.isna(low) else bounds}]")


def _magnitude(rows: pd.DataFrame, greatest: float) -> str:
    full = rows[rows["strength"] == greatest]
    if full.empty:
        return NOT_AVAILABLE
    row = full.iloc[0]
    printed = estimate(row["magnitude"], row["magnitude_low"], row["magnitude_high"])
    if pd.notna(row["illusions"]):
        return printed.with_text(f"{printed}\n{row['illusions_with_magnitude']}/{row['illusions']}")
    if pd.notna(row["magnitude"]):
        return printed
    return Note("no PSE:\n{reason}", reason=_reason(rows, row))


def _reason(rows: pd.DataFrame, row: Mapping[str, Any]) -> str:
    """Return why a magnitude is missing: the curve with the inducer, else the one without."""
    if _text(row["no_pse"]):
        return _text(row["no_pse"])
    without = rows[rows["strength"] == 0]
    if without.empty:
        return "strength 0 not asked"
    return Note("{reason} without inducer", reason=_text(without.iloc[0]["no_pse"]))


def _text(value: object) -> str:
    return "" if pd.isna(value) else str(value)


def _knowledge(full: pd.DataFrame) -> dict[str, Any]:
    if full.empty or pd.isna(full.iloc[0]["neutral_control_n"]):
        return {**dict.fromkeys(NEUTRAL_COUNTS, 0), "knowledge": NOT_AVAILABLE}
    row = full.iloc[0]
    bounds = (row[f"knowledge_both{end}"] for end in ("", "_low", "_high"))
    return {**{name: int(row[name]) for name in NEUTRAL_COUNTS}, "knowledge": estimate(*bounds)}


ILLUSION_STRENGTH = Table(
    "illusion_strength",
    "Illusion magnitude and knowledge index, at the full strength of the inducer",
    rows=strength_table_rows,
    csv=tuple(_COLUMNS),
    columns=(
        Text("Illusion", "illusion", spelled),
        Text("Prompt", "prompt", if_several=True),
        Text("Magnitude,\nactual", "magnitude_actual", numeric=True),
        Text("Magnitude,\napparent", "magnitude_apparent", numeric=True),
        Share("Neutral,\nno inducer", "neutral_control_k", "neutral_control_n"),
        Share("Neutral,\ncongruent", "neutral_congruent_k", "neutral_congruent_n"),
        Share("Neutral,\nconflict", "neutral_conflict_k", "neutral_conflict_n"),
        Text("K", "knowledge", numeric=True),
        *unparsed_share(end=""),
    ),
    notes=(
        "Magnitude B = mu(0) - mu(s) in units of the fake's difference, at the greatest strength s; positive where the "
        "inducer works as on people. {coverage} intervals: jackknife over the replicates of a figure; over all "
        "illusions, bootstrap over those that have a magnitude (how many of how many below; {resamples} resamples, "
        "seed {seed}). Too few to say: fewer than six illusions, or replicates that all agree.",
        "No PSE: the answers do not tell at which difference the targets look equal, with or without the inducer: flat "
        "(the slope does not differ from 0), inverted, not crossed (one half, inside the differences shown), or no "
        "answers.",
        "Neutral: answers to the actual question that the targets are the same, where they differ by "
        "the whole difference of the fake; congruent as in the fake, conflict against the inducer. "
        "K: their share with the inducer minus that without: 0 for a model that reads the image, 1 "
        "for one that says so whenever there is an inducer; {coverage} intervals from those of both "
        "shares, over all illusions with illusions as clusters (docs/statistics.md).",
        "Unparsed answers are in no curve; they count as not neutral.",
        "Image-blind baselines are omitted: no answer is right or wrong here, and guessing or a "
        "constant answer gives a flat curve, so no PSE, and K = 0.",
    ),
    readers=condensed,
    group_by="model",
)

PAIRS = pairs_table(
    "pairs_illusion_strength",
    "Models compared on the same images of the grid",
    by=("question",),
    cluster="figure",
    clusters="illusions",
)


# ---- The answers in each cell of strength and true difference ----

_CELL_ROW = ["model", "prompt", "question", "kind"]


# A function, since one grouping of some thousand small cells is a hundred times as fast as a row each.
def cell_rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Count answers per cell, as :func:`psychometrics.cell_counts` does."""
    return cell_counts(given_answers(grades))


def _condensed_cells(cells: pd.DataFrame) -> pd.DataFrame:
    inducer, true = cells["strength"], cells["difference"]
    first, second = cells["first"], cells["second"]
    counts = cells.assign(
        inducer=first.where(inducer > 0, second).where(inducer != 0, 0),
        against=second.where(inducer > 0, first).where(inducer != 0, 0),
        inducer_n=cells["n"].where(inducer != 0, 0),
        true=first.where(true > 0, second).where(true != 0, 0),
        true_n=cells["n"].where(true != 0, 0),
    )
    kept = [
        "inducer",
        "against",
        "inducer_n",
        "true",
        "true_n",
        "neutral",
        "unparsed",
        *INSTEAD,
        "n",
    ]
    rows = counts.groupby(_CELL_ROW, sort=False)[kept].sum().reset_index()
    order = {kind: index for index, kind in enumerate(KINDS_IN_WORDS)}
    groups = dict.fromkeys(zip(rows["model"], rows["prompt"], rows["question"], strict=True))
    group_index = {names: index for index, names in enumerate(groups)}
    rank = [
        (group_index[model, prompt, question], order[kind])
        for model, prompt, question, kind in rows[_CELL_ROW].itertuples(index=False, name=None)
    ]
    return rows.iloc[sorted(range(len(rows)), key=rank.__getitem__)].reset_index(drop=True)


ILLUSION_STRENGTH_CELLS = Table(
    "illusion_strength_cells",
    "What is answered where inducer and true difference agree, conflict or are absent",
    rows=cell_rows,
    csv=(*GROUP, "strength", "difference", "realised", "kind", "replicates", *GIVEN, *INSTEAD, "n"),
    columns=(
        Text("Question", "question"),
        Text("Prompt", "prompt", if_several=True),
        Text("Image", "kind", KINDS_IN_WORDS),
        Share("As the\ninducer makes\nit appear", "inducer", "inducer_n"),
        Share("Opposite", "against", "inducer_n"),
        Share("As it is\nin the image", "true", "true_n"),
        Share("The same", "neutral", "n"),
        *unparsed_share(end=""),
    ),
    notes=(
        "Over all illusions, strengths and differences of the kind. Without an inducer no answer is as it makes "
        "appear; without a difference, no direction is as in the image. With an agreeing difference the first and the "
        "third column are the same answers, with an opposed one the second and the third.",
        "Image-blind baselines are omitted: guessing gives every offered answer equally often, a "
        "constant answer only one.",
        "The CSV has the counts of every cell.",
    ),
    readers=_condensed_cells,
    group_by="model",
)


# ---- Of people ----

#: The track without an inducer, by its strength; and the shift of the point of equality by the inducer.
NO_INDUCER, MAGNITUDE = "0", "magnitude"

SOUGHT = Sought(
    "pse",
    "Point of\nequality",
    "Point of equality: the true difference, as a fraction of the fake figure's, at which each target appears to have "
    "more equally often; magnitude: that without the inducer minus that with it, positive where the inducer works as "
    "on people.",
    comparing,
    limits=(-1, 1),
    beyond=("below -1", "above 1"),
    compared=(NO_INDUCER, MAGNITUDE),
)

ILLUSION_STRENGTH_PEOPLE = people_table(
    "illusion_strength_people",
    "Illusion strength for people",
    "illusion_strength",
    ("Illusion", "Strength of\nthe inducer"),
    SOUGHT,
    ("Right: answers that agree with the true difference, which an inducer hides.",),
)


# ---- Asked adaptively: a curve per illusion, question and strength; none for yes or no ----


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if item["prompt"] in YES_NO:
        return None
    curve = f"{item['figure']} {item['question']} {item['strength']}"
    options = (item["first"], item["neutral"], item["second"])
    return Placed(curve, round(float(item["realised"]), 3), tuple(filter(None, options)))


def _observers(levels: Sequence[Level], answers: int) -> Observers:
    return equality_observers(signed(levels), forced=answers == len(("first", "second")))


ADAPTIVE = Adaptive(
    _placed,
    _observers,
    # Differences are shown up to the fake's own, either way.
    partial(reported, limits=SOUGHT.limits, beyond=(NOT_CROSSED, NOT_CROSSED)),
    "Point of\nequality",
    "Point of equality: the true difference, as a fraction of the fake figure's, at which first and second are named "
    "equally often; curves by illusion, question and strength of the inducer.",
)
ADAPTIVE_TABLE = adaptive_thresholds("Illusion strength", ADAPTIVE)
