"""Points of equality, asked adaptively: a curve per illusion, question and strength; none for yes or no."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from afterimage.contract.adaptive import Adaptive, Level, Placed, Told
from afterimage.statistics.quest_plus import Estimate, Observers, equality_observers
from afterimage.suites.illusion_strength.psychometrics import FLAT, NOT_CROSSED
from afterimage.suites.illusion_strength.questions import YES_NO
from afterimage.suites.thresholds.adaptive import MOST_BLIND, adaptive_thresholds, signed

#: Differences between which points of equality are told: the fake's own, either way.
_SHOWN = 1.0


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if item["prompt"] in YES_NO:
        return None
    curve = f"{item['figure']} {item['question']} {item['strength']}"
    said = (item["first"], item["neutral"], item["second"])
    return Placed(curve, round(float(item["realised"]), 3), tuple(filter(None, said)))


def _observers(levels: Sequence[Level], answers: int) -> Observers:
    return equality_observers(signed(levels), forced=answers == len(("first", "second")))


def _told(found: Estimate) -> Told:
    if found.blind > MOST_BLIND:
        return Told(FLAT, *(np.nan,) * 3)
    low, high = np.clip((found.low, found.high), -_SHOWN, _SHOWN)
    bounds = (float(low), float(high)) if high > low else (np.nan, np.nan)
    if abs(found.median) > _SHOWN:
        return Told(NOT_CROSSED, np.nan, *bounds)
    return Told("", found.median, *bounds)


ADAPTIVE = Adaptive(
    _placed,
    _observers,
    _told,
    "Point of\nequality",
    "Point of equality: the true difference, as a fraction of the fake figure's, at which first and second are named "
    "equally often; curves by illusion, question and strength of the inducer.",
)
TABLE = adaptive_thresholds("Illusion strength", ADAPTIVE)
