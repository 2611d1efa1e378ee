"""What may be said of a study's number beside a printed one: it is consistent with it, differs, or nobody can tell."""

import math
from typing import NamedTuple

from afterimage.contract.paper import SOURCE, Number
from afterimage.ledger.cells import Cell
from afterimage.statistics.intervals import Interval
from afterimage.statistics.replication import (
    printed_band,
    printed_worth,
    replicated,
    same_fact,
    score_kappa,
    worth_behind,
)

#: What a number of each unit can be at most; a count has no scale.
SCALES = {"percent": 100.0, "fraction": 1.0, "score_0_2": 2.0}
#: Whether two means of scores differ is told by the means themselves; of two rank correlations the rule says nothing.
_WITHOUT = ("_std", "_change", "_gain", "srcc")
_CUT_OFF = "truncated"
CANNOT_TELL = "cannot_tell"


class Sampled(NamedTuple):
    """How many answers a printed number is from, and how its scores vary.

    Attributes:
        n: How many; None where the paper does not tell.
        deviation: Of printed scores, as printed; None where it is not printed, and for shares.
    """

    n: int | None
    deviation: float | None = None


class Judged(NamedTuple):
    """A study's number against a printed one; None for what cannot be said.

    Attributes:
        verdict: "consistent", "differs", "cannot_tell", or "" where none is given.
        difference: Study's minus printed, in the published unit.
        low: Lower bound of it.
        high: Upper bound of it.
        printed_n: How many answers the printed number is from; the study's number where the paper does not tell.
        worth: How many independent answers the study's are worth.
    """

    verdict: str
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    printed_n: int | None = None
    worth: float | None = None


def of_fact(number: Number, value: float) -> str:
    """Return the verdict on a number that is no sample's: a size, or what guessing gives.

    Misprints get none, and neither does what was not seen in its source.
    """
    if number.misprint or number.seen != SOURCE:
        return ""
    if number.unit == "count":
        decimals = len(number.published.partition(".")[2])
        alike = math.isclose(round(value, decimals), float(number.published), abs_tol=1e-9)
        return "consistent" if alike else "differs"
    scale = SCALES[number.unit]
    band = printed_band(number.published, scale, number.attainable == _CUT_OFF)
    return str(same_fact(band, value / scale))


def of_result(
    number: Number, cell: Cell, sampled: Sampled, confidence: float, margin: float
) -> Judged:
    """Return the verdict on a result, by ``statistics/replication.py``.

    What the study's answers are worth is taken from its table's interval. Numbers of the paper without a count are
    taken to be from as many answers as the study's; then nobody can tell unless they differ. No verdict on misprints,
    deviations, relative changes and what was not seen in its source.

    Args:
        number: The printed number.
        cell: The study's.
        sampled: What the printed number is from.
        confidence: Of the interval of ``cell``.
        margin: By how much of the scale the two may differ and still be called consistent.
    """
    unsure = number.misprint or number.seen != SOURCE
    if unsure or any(part in number.metric for part in _WITHOUT):
        return Judged("")
    if number.unit not in SCALES or cell.low is None or cell.high is None or not cell.n:
        return Judged(CANNOT_TELL)
    scale = SCALES[number.unit]
    value = cell.value / scale
    worth = worth_behind(value, Interval(cell.low / scale, cell.high / scale), confidence)
    if math.isnan(worth):
        return Judged(CANNOT_TELL)
    most, kappa = float(cell.n), 1.0
    n = sampled.n or cell.n
    if sampled.deviation is not None and cell.deviation is not None:
        kappa = score_kappa(float(number.published), sampled.deviation, n)
        most *= score_kappa(cell.value, cell.deviation, cell.n)
    band = printed_band(number.published, scale, number.attainable == _CUT_OFF)
    found = replicated(
        band,
        printed_worth(n, worth, most, kappa),
        value,
        worth,
        margin,
        counts_known=sampled.n is not None,
    )
    return Judged(
        str(found.verdict),
        *(scale * each for each in (found.difference, found.low, found.high)),
        n,
        worth,
    )
