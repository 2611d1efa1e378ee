"""The verification tasks, in the form of pairs.csv: kept in the user's folder, they stay as they are."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout, Text
from afterimage.suites.texture.data.columns import PAIRS
from afterimage.suites.texture.data.dataset import load_dataset

_COLUMNS = [column.name for column in PAIRS.columns]


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """List the tasks.

    Args:
        grades: Not used: no model has a part in this.
        settings: In "texture" "dataset".

    Returns:
        The columns of pairs.csv, one row per object with five words.
    """
    dataset = load_dataset(settings["texture"]["dataset"])
    rows = [{name: pair.get(name) for name in _COLUMNS} for pair in dataset.pairs]
    return pd.DataFrame(rows, columns=_COLUMNS)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    words = [
        column
        for place in range(1, 6)
        for column in (Text(f"Word {place}", f"w{place}"), Text("", f"origin{place}"))
    ]
    return Layout(
        title="Texture: the words that annotators are asked about",
        columns=(Text("Task", "pair_id"), *words),
        notes=(
            "Three natural words, written about the object, and two random ones, written about others, in the order "
            "shown. As pairs.csv in the folder of the data, the CSV form of this table keeps the tasks as they are "
            "when further words are collected.",
        ),
    )
