"""Every two models on the same counting questions. All images of one flag, board or grid are one cluster."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades.assign(cluster=grades["subject"])


TABLE = pairs_table(
    "pairs_counting_bias",
    "Models compared on the same counting questions",
    _answers,
    by=("task",),
    clusters="flags, boards or grids",
)
