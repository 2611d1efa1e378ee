"""The verification tasks, in the form of pairs.csv: kept in the user's folder, they stay as they are."""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table, each
from afterimage.suites.texture.data.columns import PAIRS
from afterimage.suites.texture.data.dataset import load_dataset
from afterimage.suites.texture.glosses import glossed


def _pairs(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """List the tasks, one per object with five words; no model has a part in this."""
    return pd.DataFrame(load_dataset(settings["texture"]["dataset"]).pairs)


_WORDS = [
    column
    for place in range(1, 6)
    for column in (Text(f"Word {place}", f"w{place}", glossed), Text("", f"origin{place}"))
]
TABLE = Table(
    "texture_pairs",
    "Texture: the words that annotators are asked about",
    of=_pairs,
    rows=(each,),
    csv=tuple(column.name for column in PAIRS.columns),
    columns=(Text("Task", "pair_id"), *_WORDS),
    notes=(
        "Three natural words, written about the object, and two random ones, written about others, in the order "
        "shown. As pairs.csv in the folder of the data, the CSV form of this table keeps the tasks as they are "
        "when further words are collected.",
    ),
)
