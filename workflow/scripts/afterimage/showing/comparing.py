"""Values of pairs of answers: how much the two sides differ, and whether that is more than chance.

The rows' answers are pairs with the columns ``first`` and ``second``. Importing it imports neither numpy nor pandas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from afterimage.showing.bounds import corrected, matched
from afterimage.showing.values import Group, Kind, Named, Together


@dataclass(frozen=True)
class Matched:
    """The difference of the two sides of pairs, ``first`` minus ``second``, in percentage points, and its p value.

    Attributes:
        clusters: The column that names the cluster of each pair.
        difference: Name of the column with the difference; the bounds bear the names ``low`` and ``high``.
        low: Name of the lower bound.
        high: Name of the upper bound.
        p: Name of the column with the p value of flipping the signs of clusters.
    """

    clusters: str
    difference: str = "difference"
    low: str = "difference_low"
    high: str = "difference_high"
    p: str = "p"
    kind: Kind = "number"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of difference, bounds and p value."""
        return (self.difference, self.low, self.high, self.p)

    def of(self, group: Group) -> tuple[Any, ...]:
        """Return them; undefined without pairs."""
        pairs = group.answers
        found = matched(pairs["first"], pairs["second"], pairs[self.clusters], group.settings)
        points = (100 * value for value in (found.estimate, found.low, found.high))
        return (*points, found.p)


@dataclass(frozen=True)
class Differing(Named):
    """In how many clusters the two sides of the pairs differ: with few of them no p value can be small."""

    clusters: str
    name: str = "differing_clusters"
    kind: Kind = "whole"

    def of(self, group: Group) -> tuple[Any, ...]:
        """Return the number."""
        lead = group.answers["first"].astype(int) - group.answers["second"]
        return (int((lead.groupby(group.answers[self.clusters]).sum() != 0).sum()),)


@dataclass(frozen=True)
class Corrected(Named, Together):
    """The p values of all rows of the table, corrected together by Holm's method.

    Attributes:
        name: Of the column.
        p: The column that is corrected.
        family: The columns whose levels part the table's tests into families; none where all are one.
    """

    name: str = "p_holm"
    p: str = "p"
    family: tuple[str, ...] = ()
    kind: Kind = "number"

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        """Return the corrected p value of every row."""
        found: list[tuple[Any, ...]] = [()] * len(groups)
        families: dict[tuple[Any, ...], list[int]] = {}
        for place, group in enumerate(groups):
            own = tuple(group.row[name] for name in self.family)
            families.setdefault(own, []).append(place)
        for places in families.values():
            values = corrected([groups[place].row[self.p] for place in places])
            for place, value in zip(places, values, strict=True):
                found[place] = (value,)
        return found
