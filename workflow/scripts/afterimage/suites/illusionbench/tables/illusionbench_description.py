"""Scores of descriptions by type of question: the paper's table IV.

One row per model: ``group``, ``model``, and for each type and "all" (all scores pooled) the columns of
:func:`scores.score_values`.
"""

from functools import partial

from afterimage.showing.columns import Number, Text
from afterimage.showing.composed import within
from afterimage.showing.declaration import Best, Table
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.cells import mean_cell
from afterimage.suites.illusionbench.tables.exact import DECIMALS
from afterimage.suites.illusionbench.tables.grouping import by_model, competes
from afterimage.suites.illusionbench.tables.notes import about, score_notes
from afterimage.suites.illusionbench.tables.scores import (
    ALL_TYPES,
    TYPES,
    descriptions,
    of_type,
    score_values,
)

_HEADERS = {
    "semantic": "Semantic Content\nDescription",
    "illusion": "Visual Illusion\nDescription",
    "step_by_step": "Step-by-Step\nQuestioning",
    ALL_TYPES: "All",
}
TABLE = Table(
    "illusionbench_description",
    "IllusionBench+: scores of descriptions (the paper's table IV)",
    rows=(by_model(descriptions),),
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
    best=Best({_HEADERS[kind]: kind for kind in TYPES}, among=competes),
    group_by="group",
)
