"""Exact shares and means, so that a value halfway between two printed ones prints alike wherever it is printed.

Their intervals are over images: several answers about an image, and those of several people, may be alike.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from afterimage.showing.bounds import Interval, score_bounds
from afterimage.showing.rounding import rounded
from afterimage.showing.values import Group, Kind, Named

#: Digits of the paper's tables, and of the CSV files.
DECIMALS = 4
# Scores are means of a few whole numbers; their sums are whole numbers of millionths but for the last bits of floats.
_PER_UNIT = 1_000_000


@dataclass(frozen=True)
class Exact(Named):
    """One sum over the answers divided by another; answers that lack one of both are left out.

    Attributes:
        name: Of the column; of a block's own value, empty.
        above: The column that is summed above the line.
        below: The column that is summed below it, of whole numbers; the ratio is undefined where they sum to 0.
    """

    name: str
    above: str
    below: str = "one"
    kind: Kind = "number"

    def of(self, group: Group) -> tuple[float]:
        """Return the ratio."""
        given = group.answers[[self.above, self.below]].dropna()
        return (as_float(ratio(given[self.above], int(given[self.below].sum()))),)


def ratio(values: Iterable[float], n: int) -> Fraction | None:
    """Return the sum of scores divided by ``n``; None where that is 0."""
    return Fraction(round(math.fsum(values) * _PER_UNIT), _PER_UNIT * n) if n else None


def as_float(value: Fraction | None) -> float:
    """Return the float nearest to ``value`` that rounds to the same four decimals; NaN for None."""
    if value is None:
        return float("nan")
    number = float(value)
    while rounded(number, DECIMALS) != rounded(value, DECIMALS):
        number = math.nextafter(number, math.inf if value > 0 else -math.inf)
    return number


def printed(value: float) -> Fraction:
    """Return the number that stands in a table for ``value``: four decimals, halves away from zero."""
    return Fraction(rounded(value, DECIMALS))


@dataclass(frozen=True)
class OverImages:
    """Bounds of a mean of numbers from 0 to ``top``, as :class:`exact.Exact`; images are the clusters.

    Attributes:
        of_what: The column with the number of each answer; answers without one do not count.
        among: The column that tells which answers count.
        top: The highest number.
    """

    of_what: str
    among: str
    top: float = 1.0
    kind: Kind = "number"
    names = ("low", "high")

    def of(self, group: Group) -> Interval:
        """Return both bounds."""
        counted = group.answers.dropna(subset=[self.of_what, self.among])
        counted = counted[counted[self.among] > 0]
        images = counted["stimulus_id"]
        return Interval(*score_bounds(counted[self.of_what], images, group.settings, self.top))
