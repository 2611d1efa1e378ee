"""Which rows stand below which heading, and which compete for the best of a column."""

from collections.abc import Mapping, Sequence

import pandas as pd

#: Reference responders are yardsticks, no models that could be the best.
REFERENCE = "Reference responders"
REFERENCE_NAMES = ("chance", "textbook_cued", "textbook_gated", "pixels")
OTHERS = "Other models"
#: The row of people's answers comes last and does not compete.
HUMAN, PEOPLE = "Human", "People"

_COUNTS = ("_n", "_k", "_asked", "_missing")


def ordered_models(grades: pd.DataFrame, settings: Mapping) -> list[tuple[str, str]]:
    """Return (heading, model) in the order of the rows: configured groups, others, reference responders.

    Args:
        grades: Graded answers; the order of the models inside a group is that of their first rows.
        settings: ``model_groups`` under ``illusionbench``: pairs of heading and models.
    """
    groups = settings["illusionbench"]["model_groups"]
    heading_of = {model: heading for heading, models in groups for model in models}
    found = list(dict.fromkeys(grades["model"]))
    named = {
        model: heading_of.get(model, REFERENCE if model in REFERENCE_NAMES else OTHERS)
        for model in found
    }
    order = [*(heading for heading, _ in groups), OTHERS, REFERENCE]
    return [
        (heading, model)
        for heading in dict.fromkeys(order)
        for model in found
        if named[model] == heading
    ]


def as_frame(rows: Sequence[Mapping[str, object]], names: Sequence[str]) -> pd.DataFrame:
    """Return rows as a frame with these columns, in which counts are whole numbers, empty where there is none."""
    counts = [name for name in names if name == "n" or name.endswith(_COUNTS)]
    return pd.DataFrame(list(rows), columns=list(names)).astype(dict.fromkeys(counts, "Int64"))


def competes(row: Mapping) -> bool:
    """Tell whether a row competes for the best of a column: a model does, a yardstick does not."""
    return row["group"] not in (REFERENCE, PEOPLE)
