"""What the data hold: the paper's table I (its own row) and the numbers of figure 4, of whatever set was asked about.

A row per category and one of all: ``category``, ``images``, of these ``images_easy``, ``images_neutral`` and
``images_hard``; ``instances`` (questions, each once, whoever answered and however often), of these ``statements``
(true or false), ``choices`` (each question once, in whatever orders its options were shown) and ``descriptions``.
"""

import pandas as pd

from afterimage.showing.columns import Text, whole
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.values import Count, Distinct
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    DIFFICULTIES,
    MULTIPLE_CHOICE,
    QUESTIONS,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.tables.notes import about

_ALL = "total"


def _instances(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return each question once; people's rows and other orders of the same options are no further ones."""
    asked = grades[grades["question"].isin(QUESTIONS)].dropna(subset="item_id")
    if "shuffle_round" in asked:
        asked = asked[asked["shuffle_round"].fillna("0") == "0"]
    return asked.drop_duplicates("item_id")


def _of(difficulty: str) -> Distinct:
    return Distinct(
        f"images_{difficulty}",
        lambda own: own["stimulus_id"].where(own["difficulty"] == difficulty),
    )


TABLE = Table(
    "illusionbench_data",
    "IllusionBench+: images and questions",
    of=_instances,
    rows=(By("category", levels=CATEGORIES, total=_ALL),),
    csv=(
        "category",
        Distinct("images", "stimulus_id"),
        *map(_of, DIFFICULTIES),
        Count("instances"),
        Count("statements", ("question", TRUE_FALSE)),
        Count("choices", ("question", MULTIPLE_CHOICE)),
        Count("descriptions", lambda own: own["question"].isin(DESCRIPTIONS)),
    ),
    columns=(
        Text("Category", "category"),
        whole("Images", "images"),
        *(whole(name.capitalize(), f"images_{name}") for name in DIFFICULTIES),
        whole("Instances", "instances"),
        whole("Statements", "statements"),
        whole("Choices", "choices"),
        whole("Descriptions", "descriptions"),
    ),
    notes=(
        "Instances: questions, each once. Easy, neutral and hard are images, by people's rating.",
        about(*QUESTIONS, bounded=False),
    ),
)
