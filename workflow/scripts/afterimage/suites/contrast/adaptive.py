"""Contrast thresholds, asked adaptively: a curve per frequency; blanks and yes-or-no questions are on none."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from afterimage.contract.adaptive import Adaptive, Level, Placed
from afterimage.statistics.quest_plus import Observers, threshold_observers
from afterimage.suites.contrast.design import LEVELS, NONE, SEEN, SIDES, STEPS, WHERE
from afterimage.suites.thresholds.adaptive import adaptive_thresholds, signed, steps_told


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if item["side"] not in SIDES or item["question"] == SEEN:
        return None
    sign = 1 if item["side"] == SIDES[0] else -1
    left, right = SIDES
    answers = SIDES if item["question"] == WHERE else (left, NONE, right)
    return Placed(item["frequency"], sign * int(item["level"]) / LEVELS, answers)


def _observers(levels: Sequence[Level], answers: int) -> Observers:
    return threshold_observers(signed(levels), forced=answers == len(SIDES), least=1 / LEVELS)


ADAPTIVE = Adaptive(
    _placed,
    _observers,
    partial(steps_told, STEPS),
    "Threshold, %",
    "Threshold: contrast at which three of four sides are named rightly, lapses apart; curves by cycles per image "
    "width.",
)
TABLE = adaptive_thresholds("Contrast thresholds", ADAPTIVE)
