"""Scores of descriptions: the paper's tables IV, V and VII."""

import zlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from afterimage.grading.parsed import UNFINISHED
from afterimage.grading.readers.description import BLANK, DECLINED
from afterimage.showing.tables.bounds import UNDEFINED, statistic_bounds
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    Cell,
    Number,
    Printed,
    Row,
    Text,
    bounds_text,
    is_missing,
    rounded,
)
from afterimage.showing.tables.compute import as_frame
from afterimage.showing.tables.declaration import Best, PaperForm, Settings, Span, Table
from afterimage.showing.tables.judgement_columns import is_by_reference, with_judgements
from afterimage.showing.tables.paper_form import first_line
from afterimage.showing.tables.values import Count, Given, Group, Value, Worked, within
from afterimage.suites.illusionbench.cells import (
    COLUMNS,
    DECIMALS,
    HEADERS,
    JUDGED_BY_REFERENCE,
    REFERENCE,
    SCORE_NOTE,
    Exact,
    OverImages,
    about,
    alone_in_columns,
    as_float,
    by_model,
    cell_of,
    competes,
    counted_cell,
    mean_cell,
    models_and_people,
    per_column,
    printed,
    ratio,
    score_notes,
    spans,
    without_scores,
)
from afterimage.suites.illusionbench.names import (
    DESCRIPTIONS,
    ILLUSION,
    SEMANTIC,
    STEP_BY_STEP,
    STEP_ONE,
)

# Scores of descriptions: means, deviations, what is missing.

#: The three types of question pooled.
ALL_TYPES = "all"
TYPES = (*DESCRIPTIONS, ALL_TYPES)
TYPE_HEADERS = {
    "semantic": "Semantic Content",
    "illusion": "Visual Illusion",
    "step_by_step": "Step-by-Step",
    ALL_TYPES: "All",
}


def score_values() -> tuple[Value, ...]:
    """Return the values of a block of scores.

    Their mean, standard deviation between samples (ddof 1), how many descriptions have a score, were asked for, and
    have none; the mean of the ratings that most rounds agree on; the share, 0 to 1, of the scored descriptions about
    which all rounds agree; and the bounds of the mean, whose clusters are images.
    """
    return (
        Exact("", "score"),
        Worked(("sd",), _deviation),
        Count("n", lambda scored: scored["score"].notna()),
        *(Count("asked"), Count("missing", lambda scored: scored["score"].isna())),
        *(Exact("majority", "score_majority"), Exact("unanimous", "unanimous")),
        OverImages("score", "one", top=2.0),
    )


def descriptions(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers to the three types of question, with what the judge said as columns."""
    return with_judgements(grades[grades["question"].isin(DESCRIPTIONS)]).assign(one=1.0)


def scored_models(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[Mapping[str, Any], pd.DataFrame]]:
    """Group descriptions by model; the heading of reference responders says where a reference judge scored them."""
    for names, group in by_model(descriptions)(grades, settings):
        if names["group"] == REFERENCE and group["readings"].map(is_by_reference).any():
            names = {**names, "group": JUDGED_BY_REFERENCE}
        yield names, group


def of_type(scored: pd.DataFrame, kind: str) -> pd.Series:
    """Tell which descriptions are of a type, or of any."""
    return scored["question"].isin(DESCRIPTIONS if kind == ALL_TYPES else (kind,))


def _deviation(group: Group) -> tuple[float]:
    scores = group.answers["score"].dropna()
    return (float(scores.std(ddof=1)) if len(scores) > 1 else float("nan"),)


# Scores of descriptions by type of question, and by category and difficulty too: the paper's tables IV and VII.
#
# One row per model: ``group``, ``model``, and for each type and "all" (all scores pooled) the columns of
# :func:`score_values`. In detail four rows per model, one for each ``question_type`` (a type, or "all"), and
# these columns for each category, difficulty and all.

_DESCRIPTIONS_HEADERS = {
    "semantic": "Semantic Content\nDescription",
    "illusion": "Visual Illusion\nDescription",
    "step_by_step": "Step-by-Step\nQuestioning",
    ALL_TYPES: "All",
}
_BEST = Best({_DESCRIPTIONS_HEADERS[kind]: kind for kind in TYPES}, among=competes)
_BY_TYPE = Table(
    "illusionbench_description",
    "IllusionBench+: scores of descriptions (the paper's table IV)",
    rows=(scored_models,),
    csv=(
        *("group", "model"),
        *(
            value
            for kind in TYPES
            for value in within(f"{kind}_", partial(of_type, kind=kind), score_values())
        ),
    ),
    columns=(
        Text("VLMs", "model"),
        *(mean_cell(_DESCRIPTIONS_HEADERS[kind], kind, deviation=True) for kind in TYPES),
        Number("All, by\nmajority", f"{ALL_TYPES}_majority", decimals=DECIMALS),
        Number("Unanimous", f"{ALL_TYPES}_unanimous", decimals=DECIMALS),
    ),
    notes=(
        score_notes,
        "Mean \u00b1 standard deviation between samples. All: the scores of all three types pooled. Descriptions "
        "without a score (blank, refused, too few rounds) leave the mean and are counted in the CSV.",
        "Unanimous: share of the scored descriptions about which all rounds of the judge agree; by majority: the mean "
        "over all types if the rating of most rounds counts.",
        *about(*DESCRIPTIONS),
    ),
    empty=(without_scores,),
    best=_BEST,
    group_by="group",
    paper=PaperForm(
        "Scores of descriptions by type of question, mean \u00b1 standard deviation between samples (table IV of Zhang "
        "et al.).",
        (
            Text("VLMs", "model"),
            *(
                first_line(mean_cell(_DESCRIPTIONS_HEADERS[kind], kind, deviation=True))
                for kind in TYPES
            ),
        ),
        models_and_people,
        SCORE_NOTE,
        best=_BEST,
        group_by="group",
        spans=(Span("", 1), Span("Open-ended Question Type", len(DESCRIPTIONS)), Span("", 1)),
    ),
)


def _types(
    scored: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    for kind in TYPES:
        yield {"question_type": kind}, scored[of_type(scored, kind)]


_IN_DETAIL = Table(
    "illusionbench_description_detail",
    "IllusionBench+: scores of descriptions in detail (the paper's table VII)",
    rows=(scored_models, _types),
    csv=("group", "model", "question_type", *per_column(score_values())),
    columns=(
        Text("VLMs", "model"),
        Text("Question Type", "question_type", words=TYPE_HEADERS),
        *(mean_cell(HEADERS[column], column) for column in COLUMNS),
    ),
    notes=(
        score_notes,
        "All: the scores of all three types pooled.",
        *about(*DESCRIPTIONS),
    ),
    empty=(without_scores,),
    group_by="group",
    spans=spans(names=2),
    paper=PaperForm(
        "Scores of descriptions by type of question, category and difficulty (table VII of Zhang et al.).",
        (
            Text("VLMs", "model"),
            Text("Question Type", "question_type", words=TYPE_HEADERS),
            *alone_in_columns(mean_cell),
        ),
        models_and_people,
        SCORE_NOTE,
        named_once=True,
        group_by="group",
        spans=spans(names=2),
    ),
)

#: By name.
TABLES = {table.name: table for table in (_BY_TYPE, _IN_DETAIL)}


# Descriptions with and without the first step, by how well the illusion was described: the paper's table V.
#
# One row per model: ``group``, ``model``, ``flagged_memory_k`` (second steps whose first step was left blank or
# refused), and for each bin ``_n`` (images with all three scores), ``_semantic`` and ``_step_by_step`` (means over
# these images), ``_change`` (percent, with ``_change_low`` and ``_change_high``).

#: Bins of the score of the illusion description, lower edge included, upper excluded but for the last.
BINS = {"high": (1.33, 2.0), "mid": (0.67, 1.33), "low": (0.0, 0.67)}
_STEP_BY_STEP_HEADERS = {"high": "[1.33, 2]", "mid": "[0.67, 1.33)", "low": "[0, 0.67)"}
#: Means of fifths never fall on an edge, but they come from sums of floats.
_TOLERANCE = 1e-9
_PARTS = ("n", "semantic", "step_by_step", "change", "change_low", "change_high")
_CSV: tuple[str | Value, ...] = (
    *("group", "model", Given("flagged_memory_k")),
    *(
        Given(f"{name}_{part}", "whole" if part == "n" else "number")
        for name in BINS
        for part in _PARTS
    ),
)


def bin_of(score: float) -> str:
    """Return the bin of a score of an illusion description, 0 to 2."""
    return next(name for name, (low, _) in BINS.items() if score >= low - _TOLERANCE)


def relative_change(semantic: float, step_by_step: float) -> Fraction | None:
    """Return by how many percent the second mean exceeds the first; None if that is 0 or one is missing.

    Of the means as they are printed, as in the paper, so that a reader can work it out again.
    """
    if np.isnan(semantic) or np.isnan(step_by_step) or not printed(semantic):
        return None
    return 100 * (printed(step_by_step) / printed(semantic) - 1)


# A function, since it averages an image's three scores side by side and counts memories among all answers.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    rows = []
    for names, group in scored_models(grades, settings):
        triples = _triples(group)
        flagged = _flagged_memories(grades[grades["model"] == names["model"]])
        row = {**names, "flagged_memory_k": flagged}
        for name in BINS:
            chosen = triples[triples["bin"] == name]
            row |= _cell(name, chosen, settings, f"step_by_step/{names['model']}/{name}")
        rows.append(row)
    return as_frame(rows, _CSV)


def _triples(scored: pd.DataFrame) -> pd.DataFrame:
    """Return the three scores of each image and repeat that has all of them, with its bin."""
    wide = scored.pivot_table(
        index=["stimulus_id", "repeat"], columns="question", values="score", aggfunc="first"
    )
    wide = wide.reindex(columns=list(DESCRIPTIONS)).dropna()
    return wide.assign(bin=[bin_of(score) for score in wide[ILLUSION]]).reset_index()


def _flagged_memories(answers: pd.DataFrame) -> int:
    """Count second steps whose first step was left blank or refused; it stays in their memory as it is.

    Reasoning that was cut off leaves it blank.
    """
    first = answers[answers["question"] == _first_step(answers)]
    without_words = [parsed.reason for parsed in (BLANK, DECLINED, UNFINISHED)]
    flagged = first[first["reason"].isin(without_words)]
    # Every repeat of the second step remembers the first answer.
    remembered = set(flagged[flagged["repeat"] == 0]["stimulus_id"])
    steps = answers[answers["question"] == STEP_BY_STEP]
    return int(steps["stimulus_id"].isin(remembered).sum())


def _first_step(answers: pd.DataFrame) -> str:
    return STEP_ONE if (answers["question"] == STEP_ONE).any() else ILLUSION


def _cell(name: str, chosen: pd.DataFrame, settings: Settings, identity: str) -> dict[str, object]:
    semantic, step = (
        as_float(ratio(chosen[kind], len(chosen))) for kind in (SEMANTIC, STEP_BY_STEP)
    )
    change = relative_change(semantic, step)
    low, high = UNDEFINED
    if change is not None:
        scores, images = chosen[[SEMANTIC, STEP_BY_STEP]].to_numpy(), chosen["stimulus_id"].tolist()
        seed = [settings["seed"], zlib.crc32(identity.encode())]
        bounds = statistic_bounds(scores, images, _changes, settings, seed)
        low, high = float(bounds.low[0]), float(bounds.high[0])
    return {
        f"{name}_n": len(chosen),
        f"{name}_semantic": semantic,
        f"{name}_step_by_step": step,
        f"{name}_change": as_float(change),
        f"{name}_change_low": low,
        f"{name}_change_high": high,
    }


def _changes(sums: np.ndarray) -> np.ndarray:
    semantic, step = sums[:, :1], sums[:, 1:]
    ratio = np.divide(step, semantic, out=np.full(semantic.shape, np.nan), where=semantic > 0)
    change: np.ndarray = 100.0 * (ratio - 1.0)
    return change


def printed_change(percent: Real) -> str:
    """Print a relative change as the paper does: ``(↑2.7%)``, ``(↓8.0%)``."""
    # Changes come with four decimals, so that halves of a tenth are halves.
    exact = percent if isinstance(percent, Fraction) else Fraction(rounded(percent, DECIMALS))
    return f"({'↑' if exact >= 0 else '↓'}{rounded(abs(exact), 1)}%)"


def _changed(name: str, row: Row) -> str:
    value, change = row[f"{name}_step_by_step"], row[f"{name}_change"]
    if is_missing(value):
        return NOT_AVAILABLE
    if is_missing(change):
        return rounded(value, DECIMALS)
    interval = bounds_text(row, f"{name}_change_low", f"{name}_change_high", 1, optional=True)
    printed = rounded(value, DECIMALS)
    text = f"{printed}\n{printed_change(change)}{interval}"
    return printed.with_text(text).styled(1, "rise" if change >= 0 else "fall")


def _change(name: str, row: Row) -> str:
    change = row[f"{name}_change"]
    if is_missing(change):
        return ""
    return Cell(printed_change(change), {0: "rise" if change >= 0 else "fall"})


def change_cell(header: str, name: str) -> Printed:
    """Print a bin's change in percent alone, in the paper's colours."""
    return Printed(header, partial(_change, name), numeric=False)


#: A bin's step-by-step mean, and below its change in percent, in the paper's colours, with its interval.
changed_cell = partial(cell_of, _changed)


ILLUSIONBENCH_STEP_BY_STEP = Table(
    "illusionbench_step_by_step",
    "IllusionBench+: descriptions with and without the first step (the paper's table V)",
    rows=_rows,
    csv=_CSV,
    columns=(
        Text("VLMs", "model"),
        *(
            cell
            for name in BINS
            for cell in (
                counted_cell(
                    f"Semantic\n{_STEP_BY_STEP_HEADERS[name]}", f"{name}_semantic", f"{name}_n"
                ),
                changed_cell(f"Step-by-Step\n{_STEP_BY_STEP_HEADERS[name]}", name),
            )
        ),
    ),
    notes=(
        score_notes,
        "Images are binned by the model's own score for the illusion description; means over the images of a bin that "
        "have all three scores. In parentheses the change from the semantic to the step-by-step mean, below it its "
        "{coverage} interval, percentile bootstrap over images ({resamples} resamples, seed {seed}).",
        "Small bins carry little weight: look at n. Second steps whose first step was blank or refused are counted in "
        "the CSV.",
        *about(*DESCRIPTIONS, bounded=False),
    ),
    empty=(without_scores, "no model has scores of all three descriptions of an image"),
    group_by="group",
    spans=(Span("", 1), *(Span("Illusion Preciseness", 2) for _ in BINS)),
    paper=PaperForm(
        "Scores of semantic descriptions without and with the first step, by how well illusions were described "
        "(table V of Zhang et al.).",
        (
            Text("VLMs", "model"),
            *(
                column
                for name in BINS
                for column in (
                    Number(
                        f"Semantic\n{_STEP_BY_STEP_HEADERS[name]}",
                        f"{name}_semantic",
                        decimals=DECIMALS,
                    ),
                    Number(
                        f"Step-by-Step\n{_STEP_BY_STEP_HEADERS[name]}",
                        f"{name}_step_by_step",
                        decimals=DECIMALS,
                    ),
                    change_cell("Change", name),
                )
            ),
        ),
        models_and_people,
        f"{SCORE_NOTE} Red: better with the first step, green: worse.",
        group_by="group",
        spans=(Span("", 1), *(Span("Illusion Preciseness", 3) for _ in BINS)),
    ),
)
