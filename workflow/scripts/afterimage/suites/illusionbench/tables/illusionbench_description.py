"""Scores of descriptions by type of question: the paper's table IV."""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Best, Settings, Table
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.cells import MeanCell, NumberCell
from afterimage.suites.illusionbench.tables.grouping import as_frame, competes, ordered_models
from afterimage.suites.illusionbench.tables.intervals import ratio_bounds
from afterimage.suites.illusionbench.tables.notes import notes, score_notes
from afterimage.suites.illusionbench.tables.scores import (
    ALL_TYPES,
    TYPES,
    countable,
    descriptions,
    of_type,
    summary,
)

_HEADERS = {
    "semantic": "Semantic Content\nDescription",
    "illusion": "Visual Illusion\nDescription",
    "step_by_step": "Step-by-Step\nQuestioning",
    ALL_TYPES: "All",
}


def rows_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Sum up the scores per model and type of question.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed" and ``illusionbench``.

    Returns:
        One row per model: ``group``, ``model``, and for each type and "all" (all scores pooled) the mean, ``_sd`` (ddof
        1), ``_n``, ``_asked``, ``_missing``, ``_majority`` (mean of the ratings that most rounds agree on),
        ``_unanimous`` (share, 0 to 1), ``_low`` and ``_high``.
    """
    scored = descriptions(grades)
    models = ordered_models(grades, settings)
    rows = [{"group": heading, "model": model} for heading, model in models]
    for kind in TYPES:
        own = of_type(scored, kind)
        names = [model for _, model in models]
        bounds = ratio_bounds(
            countable(own), names, "model", "score", "one", settings, f"description/{kind}"
        )
        for row in rows:
            low, high = bounds[row["model"]]
            row |= summary(own[own["model"] == row["model"]]).cells(kind)
            row |= {f"{kind}_low": low, f"{kind}_high": high}
    return as_frame(rows)


def _notes(grades: pd.DataFrame, settings: Settings) -> tuple[str, ...]:
    own = [
        *score_notes(grades, DESCRIPTIONS, settings),
        "Mean \u00b1 standard deviation between samples. All: the scores of all three types pooled. Descriptions "
        "without a score (blank, refused, too few rounds) leave the mean and are counted in the CSV.",
        "Unanimous: share of the scored descriptions about which all rounds of the judge agree; by majority: the mean "
        "over all types if the rating of most rounds counts.",
    ]
    return notes(grades, DESCRIPTIONS, settings, own)


TABLE = Table(
    "illusionbench_description",
    "IllusionBench+: scores of descriptions (the paper's table IV)",
    rows=rows_of,
    columns=(
        Text("VLMs", "model"),
        *(MeanCell(_HEADERS[kind], kind, deviation=True) for kind in TYPES),
        NumberCell("All, by\nmajority", f"{ALL_TYPES}_majority"),
        NumberCell("Unanimous", f"{ALL_TYPES}_unanimous"),
    ),
    notes=(_notes,),
    best=Best({_HEADERS[kind]: kind for kind in TYPES}, among=competes),
    group_by="group",
)
