"""Suites that can be asked adaptively: their setting, and what they say of their items. Standard library only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from afterimage.contract.settings import SuiteSettings, setting


@dataclass(frozen=True, kw_only=True)
class AdaptiveSettings(SuiteSettings):
    """Settings of a suite whose images lie on psychometric curves."""

    adaptive: dict[str, Any] | None = setting(
        None,
        "Asks of every curve as many questions as `trials` says, each chosen by what was answered before (QUEST+), in "
        "place of all; of the suite's tables only that of thresholds is then made.",
        required=["trials"],
        additionalProperties=False,
        properties={
            "trials": {"description": "Questions to a curve.", "type": "integer", "minimum": 1}
        },
    )


#: Where an image stands on its curve: a signed difference, or several numbers.
Level = float | tuple[float, ...]


class Placed(NamedTuple):
    """Where an item stands.

    Attributes:
        curve: The curve's name among those of a prompt.
        level: Its level.
        answers: The answers that count, in the order of the observers' answers.
    """

    curve: str
    level: Level
    answers: tuple[str, ...]


class Told(NamedTuple):
    """What a table says of an estimate.

    Attributes:
        reason: Why there is none; empty where there is one.
        value: The number that is sought, NaN without.
        low: Its lower bound.
        high: Its upper bound.
    """

    reason: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Adaptive:
    """How a suite is asked adaptively.

    Attributes:
        placed: Takes an item's factors, and its ``figure``, ``question`` and ``prompt`` beside them; returns where it
            stands, None where it is on no curve and not asked.
        observers: Takes the levels of a curve and the number of its answers, returns the grid of observers.
        told: Takes an estimate, returns what the table says of it.
        sought: What is sought, for the head of a column.
        note: What it is, for readers of the table.
    """

    placed: Callable[[Mapping[str, Any]], Placed | None]
    observers: Callable[[Sequence[Level], int], Any]
    told: Callable[[Any], Told]
    sought: str
    note: str


def adaptive_table(suite: str) -> str:
    """Return the name of the table of thresholds of a suite that was asked adaptively."""
    return f"adaptive_{suite}"
