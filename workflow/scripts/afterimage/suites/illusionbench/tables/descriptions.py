"""Scores of descriptions by type of question, and by category and difficulty too: the paper's tables IV and VII.

One row per model: ``group``, ``model``, and for each type and "all" (all scores pooled) the columns of
:func:`scores.score_values`. In detail four rows per model, one for each ``question_type`` (a type, or "all"), and these
columns for each category, difficulty and all.
"""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from afterimage.showing.alone import first_line
from afterimage.showing.columns import Number, Text
from afterimage.showing.composed import within
from afterimage.showing.declaration import Best, PaperForm, Settings, Span, Table
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.cells import mean_cell
from afterimage.suites.illusionbench.tables.columns import (
    COLUMNS,
    HEADERS,
    competes,
    per_column,
    spans,
)
from afterimage.suites.illusionbench.tables.exact import DECIMALS
from afterimage.suites.illusionbench.tables.in_paper import (
    SCORE_NOTE,
    alone_in_columns,
    models_and_people,
)
from afterimage.suites.illusionbench.tables.notes import about, score_notes, without_scores
from afterimage.suites.illusionbench.tables.scores import (
    ALL_TYPES,
    TYPE_HEADERS,
    TYPES,
    of_type,
    score_values,
    scored_models,
)

_HEADERS = {
    "semantic": "Semantic Content\nDescription",
    "illusion": "Visual Illusion\nDescription",
    "step_by_step": "Step-by-Step\nQuestioning",
    ALL_TYPES: "All",
}
_BEST = Best({_HEADERS[kind]: kind for kind in TYPES}, among=competes)
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
        *(mean_cell(_HEADERS[kind], kind, deviation=True) for kind in TYPES),
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
    empty=(without_scores,),
    best=_BEST,
    group_by="group",
    paper=PaperForm(
        "Scores of descriptions by type of question, mean \u00b1 standard deviation between samples (table IV of Zhang "
        "et al.).",
        (
            Text("VLMs", "model"),
            *(first_line(mean_cell(_HEADERS[kind], kind, deviation=True)) for kind in TYPES),
        ),
        models_and_people,
        SCORE_NOTE,
        best=_BEST,
        group_by="group",
        spans=(Span("", 1), Span("Open-ended Question Type", len(DESCRIPTIONS)), Span("", 1)),
    ),
)


def _types(scored: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
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
        about(*DESCRIPTIONS),
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
