"""Every two models on the same questions about materials, by the number of options."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table
from afterimage.suites.texture.tables.answers import classified


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    given = classified(grades, settings)
    return given.assign(cluster=given["stimulus_id"])


TABLE = pairs_table(
    "pairs_texture",
    "Texture, classification: models compared on the same questions",
    _answers,
    by=("choices",),
)
