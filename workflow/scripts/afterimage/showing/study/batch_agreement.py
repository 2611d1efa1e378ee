"""Whether answers depend on the batch they were computed in: a sample, asked again one at a time."""

import pandas as pd

from afterimage.showing.bounds import interval_note
from afterimage.showing.columns import Share, Text, whole
from afterimage.showing.declaration import By, Table
from afterimage.showing.values import Bounds, Count, Distinct, Group, Percent, Worked, answers


def _batch_size(group: Group) -> tuple[int]:
    return (group.settings["batch_sizes"][group.row["model"]],)


def _differs(compared: pd.DataFrame) -> pd.Series:
    return compared["same"] == "False"


TABLE = Table(
    "batch_agreement",
    "Greedy answers that differ between batches and one request at a time",
    rows=(By(("model", "suite")),),
    csv=(
        *("model", "suite", Worked(("batch_size",), _batch_size, kind="whole")),
        *(answers(), Count("differ_k", _differs), Percent("differ", "differ_k")),
        Bounds("differ_low", "differ_high", _differs),
        Distinct("images", "stimulus_id"),
    ),
    columns=(
        Text("Model", "model"),
        Text("Suite", "suite"),
        whole("Batch size", "batch_size"),
        Share("Differ", "differ_k", "n", "differ_low", "differ_high"),
    ),
    notes=(
        "A sample of each suite's items, evenly spread; an answer differs if its text is not the same to the letter.",
        interval_note("images", "Below"),
    ),
)
