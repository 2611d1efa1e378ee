"""Suites that can be asked adaptively (QUEST+): their setting, and where their items lie. Standard library only."""

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


#: Position of an image on its curve: a signed difference, or several numbers.
Level = float | tuple[float, ...]


class Placed(NamedTuple):
    """Where an item lies.

    Attributes:
        curve: The curve's name, unique for a prompt.
        level: Its level on the curve.
        answers: The answers that count, in the order of the observers' answers.
    """

    curve: str
    level: Level
    answers: tuple[str, ...]


class Reported(NamedTuple):
    """An estimate as a table reports it.

    Attributes:
        reason: Why there is none; empty if there is one.
        value: The estimate, or NaN.
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
        placed: Takes an item's factors with its ``figure``, ``question`` and ``prompt``; returns where it lies, or None
            if it lies on no curve and is not asked.
        observers: Takes the levels of a curve and the number of its answers, returns the grid of observers.
        reported: Takes an estimate, returns it as the table reports it.
        sought: What is estimated, as a column header.
        note: What it means, for readers of the table.
    """

    placed: Callable[[Mapping[str, Any]], Placed | None]
    observers: Callable[[Sequence[Level], int], Any]
    reported: Callable[[Any], Reported]
    sought: str
    note: str


def adaptive_table(suite: str) -> str:
    """Return the name of the table of thresholds of a suite that was asked adaptively."""
    return f"adaptive_{suite}"
