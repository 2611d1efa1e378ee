"""The nine columns of the paper's tables, and the order and headings of their rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.composed import Within, within
from afterimage.showing.declaration import Settings, Span, Split
from afterimage.showing.values import Value
from afterimage.suites.illusionbench.names import CATEGORIES, DIFFICULTIES

ALL = "all"
COLUMNS = (*CATEGORIES, *DIFFICULTIES, ALL)
HEADERS = {
    "classical": "Classical\n(P1)",
    "real_scene": "Real Scene\n(P2)",
    "no_illusion": "No Illusion\n(P3)",
    "ishihara": "Ishihara\n(P4)",
    "trap": "Trap\n(P5)",
    "easy": "Easy",
    "neutral": "Neutral",
    "hard": "Hard",
    ALL: "All",
}
_NEEDED = ("model", "question", "stimulus_id", "category", "difficulty", "outcome", "correct")

#: Reference responders are yardsticks, no models that could be the best.
REFERENCE = "Reference responders"
#: The same where a reference judge has scored what they say.
JUDGED_BY_REFERENCE = "Reference responders (reference judge)"
_REFERENCE_NAMES = ("chance", "textbook_cued", "textbook_gated", "pixels")
OTHERS = "Other models"
#: The row of people's answers comes last and does not compete.
HUMAN, PEOPLE = "Human", "People"
#: Who does not look stands below all others and does not compete either.
UNSEEING = "Without looking"


def spans(names: int) -> tuple[Span, ...]:
    """Return the paper's headings over the columns, behind this many columns of names."""
    return (
        Span("", names),
        Span("Image Category", len(CATEGORIES)),
        Span("Difficulty Rating", len(DIFFICULTIES)),
        Span("", 1),
    )


def in_column(frame: pd.DataFrame, column: str) -> pd.Series:
    """Tell which rows of a frame with ``category`` and ``difficulty`` belong to a column."""
    if column == ALL:
        return pd.Series(True, index=frame.index)
    factor = "category" if column in CATEGORIES else "difficulty"
    return frame[factor] == column


def per_column(block: Sequence[Value]) -> tuple[Within, ...]:
    """Work out the values of a block in each of the columns, whose names they bear."""
    return tuple(
        value
        for column in COLUMNS
        for value in within(f"{column}_", partial(in_column, column=column), block)
    )


def asked(grades: pd.DataFrame, question: str) -> pd.DataFrame:
    """Return the answers to one kind of question; of questions in several orders of options, to the first.

    Raises:
        AfterimageError: A column that every table needs is missing.
    """
    missing = [name for name in _NEEDED if name not in grades]
    if missing:
        raise AfterimageError(
            f"grades: column '{missing[0]}' is missing; expected {', '.join(_NEEDED)}."
        )
    chosen = grades["question"] == question
    if "shuffle_round" in grades:
        chosen &= grades["shuffle_round"].isna() | (grades["shuffle_round"] == "0")
    return grades[chosen]


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
        model: heading_of.get(model, REFERENCE if is_reference(model, settings) else OTHERS)
        for model in found
    }
    order = [*(heading for heading, _ in groups), OTHERS, REFERENCE]
    return [
        (heading, model)
        for heading in dict.fromkeys(order)
        for model in found
        if named[model] == heading
    ]


def is_reference(model: str, settings: Mapping) -> bool:
    """Tell whether somebody is a reference responder: one of the study's, or of the registry."""
    return model in (*_REFERENCE_NAMES, *settings.get("responders", ()))


def competes(row: Mapping) -> bool:
    """Tell whether a row competes for the best of a column: a model does, a yardstick does not."""
    return row["group"] not in (REFERENCE, JUDGED_BY_REFERENCE, PEOPLE, UNSEEING)
