"""Every two models on the same search fields. Both images with the same places are one cluster."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades.assign(cluster=grades["layout"], condition=grades["figure"])


TABLE = pairs_table(
    "pairs_search",
    "Models compared on the same search fields",
    _answers,
    by=("condition",),
    clusters="places of items, each with and without target",
)
