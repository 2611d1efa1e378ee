"""The nine columns of the paper's tables: five categories, three difficulties, all."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.composed import Within, within
from afterimage.showing.declaration import Span
from afterimage.showing.values import (
    Value,
)
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


def per_column(block: Callable[[str], tuple[Value, ...]]) -> tuple[Within, ...]:
    """Work out the values of a block in each of the columns, whose names they bear."""
    return tuple(
        value
        for column in COLUMNS
        for value in within(f"{column}_", partial(in_column, column=column), block(column))
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
