"""Every two models on the same questions. A picture and its edited ones are one cluster."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table
from afterimage.suites.hallusionbench.metrics import counted_correct, sets_of


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades.assign(correct=counted_correct(grades), cluster=sets_of(grades))


TABLE = pairs_table(
    "pairs_hallusionbench",
    "HallusionBench: models compared on the same questions",
    _answers,
    by=("category",),
    clusters="sets, a picture with its edited ones",
)
