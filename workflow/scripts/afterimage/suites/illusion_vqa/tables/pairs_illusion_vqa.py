"""Every two models on the same images of the paper's illusions: who has both questions right.

Both variants of an illusion are one cluster.
"""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.model_pairs import pairs_table
from afterimage.suites.illusion_vqa.tables.four_cells import ILLUSION, classified, in_subset


def _both_correct(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    units = classified(grades)
    units = in_subset(units, "all", units)
    return units.assign(correct=units["cell"] == "both_correct", cluster=units[ILLUSION])


TABLE = pairs_table(
    "pairs_illusion_vqa",
    "Models compared on the same images: both questions right",
    _both_correct,
    by=("condition",),
    clusters="illusions, both variants of one together",
    item="stimulus_id",
)
