"""Every two models on the same questions, task by task. Renderings of one figure are one cluster."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table
from afterimage.suites.blindtest.recorded_rows import own
from afterimage.suites.blindtest.tables.accuracy import base_figures, of_task
from afterimage.suites.blindtest.tables.paper_rows import TABLES


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    # Others' answers are to other images: there is nothing to pair.
    given = pd.concat([of_task(own(grades), paper) for paper in TABLES])
    return given.assign(cluster=base_figures(given))


TABLE = pairs_table(
    "pairs_blindtest",
    "BlindTest: models compared on the same questions",
    _answers,
    by=("task",),
    clusters="figures, each with all of its renderings",
)
