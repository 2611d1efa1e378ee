"""Scores of descriptions by type of question, category and difficulty: the paper's table VII.

Four rows per model: ``group``, ``model``, ``question_type`` (a type, or "all": all scores pooled), and for each column
those of :data:`scores.PARTS`, ``_low`` and ``_high``.
"""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.cells import MeanCell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, spans
from afterimage.suites.illusionbench.tables.grouping import as_frame, ordered_models
from afterimage.suites.illusionbench.tables.notes import about, score_notes
from afterimage.suites.illusionbench.tables.scores import (
    PARTS,
    RATIO,
    TYPE_HEADERS,
    by_type,
    descriptions,
    summary,
)
from afterimage.suites.illusionbench.tables.wide import block_names, by_column, wide_rows

_CSV = ("group", "model", "question_type", *block_names(COLUMNS, PARTS))


def detail_rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Sum up the scores per model, type of question and column.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed" and ``illusionbench``.
    """
    models = ordered_models(grades, settings)
    of_types = [
        [
            row | {"question_type": kind}
            for row in wide_rows(by_column(own), models, summary, RATIO, settings, f"detail/{kind}")
        ]
        for kind, own in by_type(descriptions(grades)).items()
    ]
    # A model's types stand together.
    rows = [row for of_model in zip(*of_types, strict=True) for row in of_model]
    return as_frame(rows, _CSV)


TABLE = Table(
    "illusionbench_description_detail",
    "IllusionBench+: scores of descriptions in detail (the paper's table VII)",
    rows=detail_rows,
    csv=_CSV,
    columns=(
        Text("VLMs", "model"),
        Text("Question Type", "question_type", words=TYPE_HEADERS),
        *(MeanCell(HEADERS[column], column) for column in COLUMNS),
    ),
    notes=(
        score_notes,
        "All: the scores of all three types pooled.",
        about(*DESCRIPTIONS),
    ),
    group_by="group",
    spans=spans(names=2),
)
