"""Scores of descriptions by type of question: the paper's table IV.

One row per model: ``group``, ``model``, and for each type and "all" (all scores pooled) the columns of
:data:`scores.PARTS`, ``_low`` and ``_high``.
"""

import pandas as pd

from afterimage.showing.columns import Number, Text
from afterimage.showing.declaration import Best, Settings, Table
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.cells import MeanCell
from afterimage.suites.illusionbench.tables.exact import DECIMALS
from afterimage.suites.illusionbench.tables.grouping import as_frame, competes, ordered_models
from afterimage.suites.illusionbench.tables.notes import about, score_notes
from afterimage.suites.illusionbench.tables.scores import (
    ALL_TYPES,
    PARTS,
    RATIO,
    TYPES,
    by_type,
    descriptions,
    summary,
)
from afterimage.suites.illusionbench.tables.wide import block_names, wide_rows

_HEADERS = {
    "semantic": "Semantic Content\nDescription",
    "illusion": "Visual Illusion\nDescription",
    "step_by_step": "Step-by-Step\nQuestioning",
    ALL_TYPES: "All",
}
_CSV = ("group", "model", *block_names(TYPES, PARTS))


def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    models = ordered_models(grades, settings)
    parts = by_type(descriptions(grades))
    return as_frame(wide_rows(parts, models, summary, RATIO, settings, "description"), _CSV)


TABLE = Table(
    "illusionbench_description",
    "IllusionBench+: scores of descriptions (the paper's table IV)",
    rows=_rows,
    csv=_CSV,
    columns=(
        Text("VLMs", "model"),
        *(MeanCell(_HEADERS[kind], kind, deviation=True) for kind in TYPES),
        Number("All, by\nmajority", f"{ALL_TYPES}_majority", decimals=DECIMALS),
        Number("Unanimous", f"{ALL_TYPES}_unanimous", decimals=DECIMALS),
    ),
    notes=(
        score_notes,
        "Mean \u00b1 standard deviation between samples. All: the scores of all three types pooled. Descriptions "
        "without a score (blank, refused, too few rounds) leave the mean and are counted in the CSV.",
        "Unanimous: share of the scored descriptions about which all rounds of the judge agree; by majority: the mean "
        "over all types if the rating of most rounds counts.",
        about(*DESCRIPTIONS),
    ),
    best=Best({_HEADERS[kind]: kind for kind in TYPES}, among=competes),
    group_by="group",
)
