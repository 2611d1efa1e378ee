"""One model in two runs: the paired difference of the second minus the first.

Answers are chosen, clustered and tested as in the suite's table of all pairs of models, ``pairs_<suite>``
(:mod:`afterimage.showing.model_pairs`); instead of two models the two sides are two runs of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from afterimage.showing.bounds import matched
from afterimage.showing.declaration import By, Table
from afterimage.showing.model_pairs import CLUSTER
from afterimage.showing.pairs import Pairs

if TYPE_CHECKING:
    from afterimage.showing.bounds import MatchedDifference

#: The table that compares a suite's models pair by pair, and what it has to know of the suite.
ComparedPairs = tuple[Table, Mapping[str, Any]]

#: What the first run's answers and the second's are called while both stand in one frame.
_SIDES = ("first", "second")
#: The row over all parts of a suite.
ALL = "all"


@dataclass(frozen=True)
class Difference:
    """One model on one suite, or on a part of it, in two runs.

    Attributes:
        suite: The suite's name.
        model: The model's name, the same in both runs.
        part: Which part of the suite, such as condition and prompt; :data:`ALL` for all of it.
        before: Share of right answers in the first run, 0 to 1.
        after: The same in the second.
        found: The second minus the first, with bounds and p value.
        alone: Answers left out, since the other run has none to the same question.
    """

    suite: str
    model: str
    part: str
    before: float
    after: float
    found: MatchedDifference
    alone: int

    @property
    def has_changed(self) -> bool:
        """Whether any verdict is another one."""
        return bool(self.found.only_first or self.found.only_second)

    @property
    def is_worse(self) -> bool:
        """Whether the second run is worse, and the interval says so."""
        return self.found.high < 0

    @property
    def is_better(self) -> bool:
        """Whether the second run is better, and the interval says so."""
        return self.found.low > 0


def differences(
    suite: str,
    model: str,
    pairs: ComparedPairs,
    first: pd.DataFrame,
    second: pd.DataFrame,
    changed: Collection[str],
    confidence: float,
) -> Iterator[Difference]:
    """Yield the difference over the whole suite and, where it has several parts, over each.

    Args:
        suite: The suite's name.
        model: The model's name.
        pairs: The table that compares the suite's models pair by pair, and what it has to know of the suite.
        first: Its grades, factors as columns.
        second: The same of the other run.
        changed: Ids of items that ask something else in the other run.
        confidence: Coverage of the intervals, between 0 and 1.
    """
    table, told = pairs
    assert not callable(table.rows)
    by, units = table.rows
    assert isinstance(by, By) and isinstance(units, Pairs) and table.of is not None
    settings = {**told, "confidence": confidence}
    names = [by.factors] if isinstance(by.factors, str) else list(by.factors)
    kept = [
        _unchanged(table.of(own, settings), own, changed, units.same).assign(side=side)
        for side, own in zip(_SIDES, (first, second), strict=True)
    ]
    sides = pd.concat(kept, ignore_index=True).dropna(subset=names)
    whole = Pairs("side", same=(*units.same, *names))
    parts = dict(iter(sides.groupby(names, sort=False)))
    for levels, part in [((ALL,), sides), *(parts.items() if len(parts) > 1 else ())]:
        # One pair of sides; none where one of them has no answers.
        for own, paired in whole(part, settings):
            before, after = paired["first"], paired["second"]
            if len(paired):
                yield Difference(
                    suite,
                    model,
                    ", ".join(map(str, levels)),
                    float(before.mean()),
                    float(after.mean()),
                    matched(after, before, paired[CLUSTER], settings),
                    own["alone_n"],
                )


def _unchanged(
    units: pd.DataFrame, grades: pd.DataFrame, changed: Collection[str], same: Collection[str]
) -> pd.DataFrame:
    """Leave out what is about items that changed: the answers, or the images of which several answers make one unit."""
    if "item_id" in same:
        return units[~units["item_id"].isin(set(changed))]
    where = ["stimulus_id", "prompt"]
    touched = set(grades.loc[grades["item_id"].isin(set(changed)), where].itertuples(index=False))
    keep = [unit not in touched for unit in units[where].itertuples(index=False)]
    return units[keep]
