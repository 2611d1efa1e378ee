"""Every two models on the same questions about objects, read by the official rule, strategy by strategy."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table
from afterimage.suites.pope.names import VARIANTS
from afterimage.suites.pope.tables.answers import of_variant
from afterimage.suites.pope.tables.cells import OFFICIAL, right


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    given = pd.concat([of_variant(grades, variant) for variant in VARIANTS])
    if given.empty:
        return given.assign(cluster="", strategy="", variant="")
    return given.assign(correct=right(given, OFFICIAL), cluster=given["image_id"])


TABLE = pairs_table(
    "pairs_pope",
    "POPE: models compared on the same questions",
    _answers,
    by=("variant", "strategy"),
)
