"""Every two models on the same questions, task by task. Renderings of one figure are one cluster.

``kind`` is "measured" of the study's models. Those of whom others recorded answers ("recorded") were asked about the
authors' images: they are compared with each other, and corrected apart.
"""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table
from afterimage.showing.references import MEASURED
from afterimage.suites.blindtest.recorded_rows import is_recorded
from afterimage.suites.blindtest.tables.accuracy import (
    RECORDED,
    base_figures,
    of_task,
    recorded_elsewhere,
    recorded_pairs,
)
from afterimage.suites.blindtest.tables.paper_rows import TABLES


def _answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    given = pd.concat([of_task(grades, paper) for paper in TABLES])
    kinds = is_recorded(given).map({False: MEASURED, True: RECORDED})
    return given.assign(cluster=base_figures(given), kind=kinds)


TABLE = pairs_table(
    "pairs_blindtest",
    "BlindTest: models compared on the same questions",
    _answers,
    by=("task", "kind"),
    clusters="figures, each with all of its renderings",
    family=("kind",),
    notes=(recorded_elsewhere, recorded_pairs),
)
