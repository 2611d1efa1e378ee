"""Every two models on the same questions over the whole grid. All that is drawn of one illusion is one cluster."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades.assign(cluster=grades["figure"])


TABLE = pairs_table(
    "pairs_illusion_strength",
    "Models compared on the same images of the grid",
    _answers,
    by=("question",),
    clusters="illusions",
)
