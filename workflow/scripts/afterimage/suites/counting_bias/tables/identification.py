"""How often a flag or board is taken for the usual one, as it is and altered."""

import pandas as pd

from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.values import Bounds, Count, Distinct, Percent, answers, outcomes, right
from afterimage.suites.counting_bias.names import IDENTIFY
from afterimage.suites.counting_bias.tables.answers import ALL, CLUSTERS, by_alteration


def _asked(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    asked = grades[grades["question"] == IDENTIFY]
    said = asked["answer"].where(asked["outcome"] != "unparsed")
    return asked.assign(yes=said.astype(str).str.lower() == "yes")


TABLE = Table(
    "identification",
    "Taken for the usual flag or board, as it is and with one more or less",
    of=_asked,
    rows=(By("task", total=ALL), by_alteration, By("model")),
    csv=(
        *("model", "task", "alteration"),
        answers(),
        Count("yes_k", "yes"),
        Percent("yes", "yes_k"),
        Bounds("yes_low", "yes_high", "yes", CLUSTERS),
        right("right_k"),
        *outcomes(),
        Distinct("subjects", CLUSTERS),
    ),
    columns=(
        Text("Task", "task"),
        Text("More than\nusual", "alteration", numeric=True),
        Text("Model", "model"),
        Share("Yes", "yes_k", low="yes_low", high="yes_high"),
        Share("Right", "right_k"),
        *UNPARSED,
    ),
    notes=(
        "Yes: of all answers. Right: yes where everything is as usual, no where something is not.",
        interval_note("flags or boards"),
    ),
)
