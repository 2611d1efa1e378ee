"""Which rows stand below which heading, and which compete for the best of a column."""

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from afterimage.showing.declaration import Settings, Split

#: Reference responders are yardsticks, no models that could be the best.
REFERENCE = "Reference responders"
REFERENCE_NAMES = ("chance", "textbook_cued", "textbook_gated", "pixels")
OTHERS = "Other models"
#: The row of people's answers comes last and does not compete.
HUMAN, PEOPLE = "Human", "People"
#: Who does not look stands below all others and does not compete either.
UNSEEING = "Without looking"


def by_model(prepared: Callable[[pd.DataFrame, Settings], pd.DataFrame]) -> Split:
    """Part prepared answers by model: a row for every model of the study, whatever it was asked."""

    def split(
        grades: pd.DataFrame, settings: Settings
    ) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
        answers = prepared(grades, settings)
        for heading, model in ordered_models(grades, settings):
            yield {"group": heading, "model": model}, answers[answers["model"] == model]

    return split


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


def competes(row: Mapping) -> bool:
    """Tell whether a row competes for the best of a column: a model does, a yardstick does not."""
    return row["group"] not in (REFERENCE, PEOPLE, UNSEEING)
