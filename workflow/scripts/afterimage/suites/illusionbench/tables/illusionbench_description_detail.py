"""Scores of descriptions by type of question, category and difficulty: the paper's table VII."""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.cells import MeanCell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, in_column, spans
from afterimage.suites.illusionbench.tables.grouping import as_frame, ordered_models
from afterimage.suites.illusionbench.tables.intervals import Bounds, ratio_bounds
from afterimage.suites.illusionbench.tables.notes import notes, score_notes
from afterimage.suites.illusionbench.tables.scores import (
    TYPE_HEADERS,
    TYPES,
    countable,
    descriptions,
    of_type,
    summary,
)

_UNDEFINED = Bounds(float("nan"), float("nan"))


def rows_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Sum up the scores per model, type of question and column.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed" and ``illusionbench``.

    Returns:
        Four rows per model: ``group``, ``model``, ``question_type`` (a type, or "all": all scores pooled), and for each
        column the mean, ``_sd``, ``_n``, ``_asked``, ``_missing``, ``_majority``, ``_unanimous``, ``_low``, ``_high``.
    """
    scored = descriptions(grades)
    models = ordered_models(grades, settings)
    rows = [
        {"group": heading, "model": model, "question_type": kind}
        for heading, model in models
        for kind in TYPES
    ]
    for column in COLUMNS:
        in_it = scored[in_column(scored, column)]
        bounds = {
            kind: ratio_bounds(
                countable(of_type(in_it, kind)),
                [model for _, model in models],
                "model",
                "score",
                "one",
                settings,
                f"detail/{kind}/{column}",
            )
            for kind in TYPES
        }
        for row in rows:
            own = of_type(in_it, row["question_type"])
            low, high = bounds[row["question_type"]].get(row["model"], _UNDEFINED)
            row |= summary(own[own["model"] == row["model"]]).cells(column)
            row |= {f"{column}_low": low, f"{column}_high": high}
    return as_frame(rows)


def _notes(grades: pd.DataFrame, settings: Settings) -> tuple[str, ...]:
    own = [
        *score_notes(grades, DESCRIPTIONS, settings),
        "All: the scores of all three types pooled.",
    ]
    return notes(grades, DESCRIPTIONS, settings, own)


TABLE = Table(
    "illusionbench_description_detail",
    "IllusionBench+: scores of descriptions in detail (the paper's table VII)",
    rows=rows_of,
    columns=(
        Text("VLMs", "model"),
        Text("Question Type", "question_type", words=TYPE_HEADERS),
        *(MeanCell(HEADERS[column], column) for column in COLUMNS),
    ),
    notes=(_notes,),
    group_by="group",
    spans=spans(names=2),
)
