"""What the data hold: the paper's table I (its own row) and the numbers of figure 4, of whatever set was asked about.

A row per category and one of all: ``category``, ``images``, of these ``images_easy``, ``images_neutral`` and
``images_hard``; ``instances`` (questions, each once, whoever answered and however often), of these ``statements``
(true or false), ``choices`` (each question once, in whatever orders its options were shown) and ``descriptions``.
Of the statements ``false_k`` are false, ``false_share`` percent (paper, section III: 57 %); ``goldens`` images have a
golden description, of ``golden_words`` words on average (53.21), parted by white space.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Number, Share, Text, whole
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.values import Count, Distinct, Group, Percent, Worked
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    DIFFICULTIES,
    MULTIPLE_CHOICE,
    QUESTIONS,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.tables.in_paper_data import FORM
from afterimage.suites.illusionbench.tables.notes import about

_ALL = "total"
#: Where the difficulty of an image comes from, by the source of the data.
_RATED = {
    "drawn": "by how much the figure differs (percent, of plates CIEDE2000); nobody has rated them",
    "folder": "as the folder's images.csv says",
    "release": "as people rated them (paper, section III)",
}


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


def _golden_words(group: Group) -> tuple[float]:
    """Return how many words a golden description has on average, each image's once."""
    described = group.answers[group.answers["question"].isin(DESCRIPTIONS)]
    words = described.drop_duplicates("stimulus_id")["key"].str.split().str.len()
    return (float(words.mean()),)


def _difficulty_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    yield f"Easy, neutral and hard are images, {_RATED[settings['illusionbench']['source']]}."


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
        Count("false_k", lambda own: (own["question"] == TRUE_FALSE) & (own["key"] == "False")),
        Percent("false_share", "false_k", "statements"),
        Distinct(
            "goldens", lambda own: own["stimulus_id"].where(own["question"].isin(DESCRIPTIONS))
        ),
        Worked(("golden_words",), _golden_words),
    ),
    columns=(
        Text("Category", "category", lambda name: name.replace("_", " ")),
        whole("Images", "images"),
        *(whole(name.capitalize(), f"images_{name}") for name in DIFFICULTIES),
        whole("Instances", "instances"),
        whole("Statements", "statements"),
        whole("Choices", "choices"),
        whole("Descriptions", "descriptions"),
        Share("False\nstatements", "false_k", "statements", value="false_share"),
        Number("Words of golden\ndescriptions", "golden_words", decimals=2),
    ),
    notes=(
        "Instances: questions, each once.",
        _difficulty_note,
        about(*QUESTIONS, bounded=False),
    ),
    paper=FORM,
)
