"""Accuracy per subset and category, for every prompt (Shahgir et al. 2024, tables of both tasks).

``correct_k`` of ``n`` answers are right; ``unparsed_k`` could not be read and count as wrong. ``accuracy`` is in
percent with bounds, ``images`` their clusters; ``guessing`` is what a guess among
the options offered would earn.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.values import Mean, accuracy

TOTAL = "total"


def by_category(asked: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part the answers to one subset by category, and then all of them."""
    names = sorted(asked["category"].unique())
    # The second subset is one category that bears its own name.
    for name in [] if names == list(asked["subset"].unique()) else names:
        yield {"category": name}, asked[asked["category"] == name]
    yield {"category": TOTAL}, asked


def _guessing(asked: pd.DataFrame) -> pd.Series:
    return 1 / asked["options"].astype(int)


TABLE = Table(
    "illusionvqa",
    "IllusionVQA: multiple choice about optical illusions",
    rows=(By(("subset", "prompt")), by_category, By("model")),
    csv=(
        *("model", "prompt", "subset", "category"),
        *accuracy(),
        Mean("guessing", _guessing),
    ),
    columns=(
        Text("Subset", "subset"),
        Text("Prompt", "prompt"),
        Text("Category", "category"),
        Text("Model", "model"),
        Share("Accuracy", "correct_k", low="low", high="high", decimals=2),
        *UNPARSED,
    ),
    notes=(
        "Percent (right / answers); an answer that names no option, or several, is unparsed and counts as wrong.",
        interval_note("images"),
        "The CSV adds what guessing would earn.",
        "Categories with fewer than six questions are one, misc, as in the paper.",
    ),
    split_by="Subset",
)
