"""Every two models on the same questions: statements that are true or false, and choices."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table
from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE, TRUE_FALSE
from afterimage.suites.illusionbench.tables.accuracy import verdicts


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    given = pd.concat([verdicts(kind, grades, settings) for kind in (TRUE_FALSE, MULTIPLE_CHOICE)])
    return given.assign(correct=given["right"] > 0, cluster=given["stimulus_id"])


TABLE = pairs_table(
    "pairs_illusionbench",
    "IllusionBench+: models compared on the same questions",
    _answers,
    by=("question",),
)
