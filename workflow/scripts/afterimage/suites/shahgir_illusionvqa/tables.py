"""Accuracy per subset and category, for every prompt (Shahgir et al. 2024, tables of both tasks).

``correct_k`` of ``n`` answers are right; ``unparsed_k`` could not be read and count as wrong. ``accuracy`` is in
percent with bounds, ``images`` their clusters; ``guessing`` is what a guess among the options offered would earn.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from afterimage.showing.tables.accuracy import UNPARSED
from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    BASELINES,
    accuracy_beside_baselines,
    answerer,
    beaten_by_position,
    measured,
)
from afterimage.showing.tables.bounds import interval_note
from afterimage.showing.tables.columns import Share, Text
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import pairs_table
from afterimage.showing.tables.values import Mean

TOTAL = "total"


def by_category(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Split the answers about one subset by category, then yield all of them."""
    names = sorted(answers["category"].unique())
    # The second subset has one category, with the subset's name.
    for name in [] if names == list(answers["subset"].unique()) else names:
        yield {"category": name}, answers[answers["category"] == name]
    yield {"category": TOTAL}, answers


def _guessing(answers: pd.DataFrame) -> pd.Series:
    return 1 / answers["options"].astype(int)


ILLUSIONVQA = Table(
    "illusionvqa",
    "IllusionVQA: multiple choice about optical illusions",
    rows=(By(("subset", "prompt")), by_category, By("model", references=BASELINES)),
    csv=(
        *("kind", "model", "prompt", "subset", "category"),
        *accuracy_beside_baselines(),
        *measured(Mean("guessing", _guessing)),
        "answer",
    ),
    columns=(
        Text("Subset", "subset"),
        Text("Prompt", "prompt"),
        Text("Category", "category"),
        answerer(),
        Share("Accuracy", "correct_k", low="low", high="high", decimals=2, value="accuracy"),
        *UNPARSED,
    ),
    notes=(
        "Percent (right / answers); an answer that names no option, or several, is unparsed and counts as wrong.",
        interval_note("images"),
        BASELINE_NOTE,
        "Categories with fewer than six questions are one, misc, as in the paper.",
    ),
    findings=(beaten_by_position(same=("subset", "prompt", "category")),),
    split_by="Subset",
)

PAIRS = pairs_table(
    "pairs_illusionvqa", "IllusionVQA: models compared on the same questions", by=("subset",)
)
