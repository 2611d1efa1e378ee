"""Scores of descriptions by type of question, category and difficulty: the paper's table VII.

Four rows per model: ``group``, ``model``, ``question_type`` (a type, or "all": all scores pooled), and for each column
those of :func:`scores.score_values`.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.values import Value
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.cells import mean_cell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, per_column, spans
from afterimage.suites.illusionbench.tables.grouping import by_model
from afterimage.suites.illusionbench.tables.notes import about, score_notes
from afterimage.suites.illusionbench.tables.scores import (
    TYPE_HEADERS,
    TYPES,
    descriptions,
    of_type,
    score_values,
)


def _types(scored: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    for kind in TYPES:
        yield {"question_type": kind}, scored[of_type(scored, kind)]


def _block(column: str) -> tuple[Value, ...]:
    return score_values()


TABLE = Table(
    "illusionbench_description_detail",
    "IllusionBench+: scores of descriptions in detail (the paper's table VII)",
    rows=(by_model(descriptions), _types),
    csv=("group", "model", "question_type", *per_column(_block)),
    columns=(
        Text("VLMs", "model"),
        Text("Question Type", "question_type", words=TYPE_HEADERS),
        *(mean_cell(HEADERS[column], column) for column in COLUMNS),
    ),
    notes=(
        score_notes,
        "All: the scores of all three types pooled.",
        about(*DESCRIPTIONS),
    ),
    group_by="group",
    spans=spans(names=2),
)
