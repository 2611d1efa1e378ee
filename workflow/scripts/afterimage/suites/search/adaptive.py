"""Visual search, asked adaptively: a curve per condition, of questions that ask whether the target is there."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from afterimage.contract.adaptive import Adaptive, Level, Placed, Told
from afterimage.statistics.quest_plus import Estimate, Observers, detecting_observers
from afterimage.suites.search.design import NO, PRESENT, YES
from afterimage.suites.thresholds.adaptive import MOST_BLIND, adaptive_thresholds, signed
from afterimage.suites.thresholds.tables import FLAT

#: Items at which the grid of observers has d' as a parameter.
_FEWEST = 4


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if item["question"] != "present":
        return None
    level = (float(item["set_size"]), float(item["presence"] == PRESENT))
    return Placed(item["figure"], level, (YES, NO))


def _observers(levels: Sequence[Level], answers: int) -> Observers:
    sizes, present = signed(levels).T
    return detecting_observers(sizes, present, _FEWEST)


def _told(found: Estimate) -> Told:
    if found.blind > MOST_BLIND:
        return Told(FLAT, *(np.nan,) * 3)
    return Told("", found.median, found.low, found.high)


ADAPTIVE = Adaptive(
    _placed,
    _observers,
    _told,
    "d' per\ndoubling",
    "d' per doubling: by how much d' changes when the number of items doubles, along a line that ends at 0.",
)
TABLE = adaptive_thresholds("Visual search", ADAPTIVE)
