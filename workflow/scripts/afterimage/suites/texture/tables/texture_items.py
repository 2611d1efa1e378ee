"""The classification items, in the form of items_cls.csv: kept in the user's folder, they stay as they are."""

import pandas as pd

from afterimage.showing.columns import Text, whole
from afterimage.showing.declaration import Settings, Table, each
from afterimage.suites.texture.classification import as_rows, classification_items
from afterimage.suites.texture.data.columns import CLASSIFICATION_ITEMS
from afterimage.suites.texture.data.dataset import load_dataset
from afterimage.suites.texture.glosses import glossed


def _items(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """List the items; no model has a part in this."""
    rules = settings["texture"]["rules"]
    dataset = load_dataset(settings["texture"]["dataset"])
    return pd.DataFrame(as_rows(classification_items(dataset, rules), rules["seed"]))


TABLE = Table(
    "texture_items",
    "Texture: the classification items",
    of=_items,
    rows=(each,),
    csv=tuple(column.name for column in CLASSIFICATION_ITEMS.columns),
    columns=(
        Text("Item", "item_id"),
        Text("Right word", "gold_word", glossed),
        whole("Place", "gold_index"),
        *(Text(f"{number}", f"option_{number}", glossed) for number in range(5)),
    ),
    notes=(
        "The right word and the place, from 0, at which it stands among the options. As items_cls.csv in the "
        "folder of the data, the CSV form of this table keeps the items as they are when further words are "
        "collected; it says of each wrong word where it comes from.",
    ),
)
