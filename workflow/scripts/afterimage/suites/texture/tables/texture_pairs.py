"""The verification tasks, in the form of pairs.csv: kept in the user's folder, they stay as they are."""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.texture.data.columns import PAIRS
from afterimage.suites.texture.data.dataset import load_dataset

_COLUMNS = tuple(column.name for column in PAIRS.columns)


def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """List the tasks.

    Args:
        grades: Not used: no model has a part in this.
        settings: In "texture" "dataset".

    Returns:
        The columns of pairs.csv, one row per object with five words.
    """
    dataset = load_dataset(settings["texture"]["dataset"])
    rows = [{name: pair.get(name) for name in _COLUMNS} for pair in dataset.pairs]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


_WORDS = [
    column
    for place in range(1, 6)
    for column in (Text(f"Word {place}", f"w{place}"), Text("", f"origin{place}"))
]
TABLE = Table(
    "texture_pairs",
    "Texture: the words that annotators are asked about",
    rows=_rows,
    csv=_COLUMNS,
    columns=(Text("Task", "pair_id"), *_WORDS),
    notes=(
        "Three natural words, written about the object, and two random ones, written about others, in the order "
        "shown. As pairs.csv in the folder of the data, the CSV form of this table keeps the tasks as they are "
        "when further words are collected.",
    ),
)
