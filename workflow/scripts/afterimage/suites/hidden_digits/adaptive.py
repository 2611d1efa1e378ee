"""Thresholds of hidden digits, asked adaptively: a curve per axis and blur; images without a difference are on none."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from afterimage.contract.adaptive import Adaptive, Level, Placed
from afterimage.statistics.quest_plus import Observers, threshold_observers
from afterimage.suites.hidden_digits.design import SIDES, STEPS
from afterimage.suites.hidden_digits.tables import condition
from afterimage.suites.thresholds.adaptive import adaptive_thresholds, signed, steps_told


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if not (level := int(item["level"])):
        return None
    sign = 1 if item["side"] == SIDES[0] else -1
    return Placed(condition(item["axis"], item["blur"]), sign * level / STEPS.count, SIDES)


def _observers(levels: Sequence[Level], answers: int) -> Observers:
    return threshold_observers(signed(levels), least=1 / STEPS.count)


ADAPTIVE = Adaptive(
    _placed,
    _observers,
    partial(steps_told, STEPS),
    "Threshold,\nCIEDE2000",
    "Threshold: difference at which three of four digits are named rightly, lapses apart.",
)
TABLE = adaptive_thresholds("Digits hidden in dots", ADAPTIVE)
