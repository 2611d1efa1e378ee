"""Does a new number replicate a printed one? The difference of the two with its interval, and one of three verdicts.

Whether the new number lies in the printed one's own interval is no such test: exact replications fail it 17 % of the
time even of independent answers (Cumming and Maillardet 2006, Psychological Methods 11, 217), since both numbers
scatter.
"""

import math
from decimal import Decimal
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import FloatArray, Interval, normal_quantile, wilson

Verdict = Literal["consistent", "differs", "cannot_tell"]

#: Newcombe's interval at 95 % would reject up to 6.8 % of exact replications with few answers.
CONFIDENCE = 0.96

#: By how much of the scale a new number may differ and still be called consistent.
MARGIN = 0.10


class Replication(NamedTuple):
    """A new number against a printed one.

    Attributes:
        difference: New minus printed, as a share of the scale, -1 to 1.
        low: Lower bound of it.
        high: Upper bound of it.
        verdict: What may be said.
    """

    difference: float
    low: float
    high: float
    verdict: Verdict


def printed_band(printed: str, unit: float = 1.0, cut_off: bool = False) -> Interval:
    """Return the values that print alike, as shares of the scale, from 0 to 1.

    Args:
        printed: As the paper prints it, all digits.
        unit: What 1 is printed as: 100 for percent, 2 for scores from 0 to 2.
        cut_off: Whether the paper cuts digits off instead of rounding.
    """
    value = Decimal(printed)
    digit = Decimal(1).scaleb(int(value.as_tuple().exponent))
    low, high = (value, value + digit) if cut_off else (value - digit / 2, value + digit / 2)
    return Interval(*(min(1.0, max(0.0, float(end) / unit)) for end in (low, high)))


def printed_worth(printed_n: float, new_worth: float, new_most: float, kappa: float = 1.0) -> float:
    """Return n1* = kappa1 n1 min(1, n2*/most2): the paper's answers are taken to be clustered as ours are.

    Args:
        printed_n: n1, the answers behind the printed number.
        new_worth: n2* of the new number.
        new_most: The most that its answers could be worth: n2, of scores kappa2 n2.
        kappa: kappa1, 1 for shares, of printed scores :func:`score_kappa`.
    """
    return kappa * printed_n * min(1.0, new_worth / new_most)


def worth_behind(share: float, bounds: Interval, confidence: float) -> float:
    """Return n*, on which a printed Wilson interval stands: the inverse of :func:`intervals.wilson`.

    With p the share, r half the width and a = z^2/n*, Wilson's reach gives
    ``(r^2 - 1/4) a^2 + (2 r^2 - p (1 - p)) a + r^2 = 0``, whose product of roots is negative: one is above 0.

    Args:
        share: 0 to 1.
        bounds: Of the share, 0 to 1, wider than nothing.
        confidence: Of the bounds, between 0 and 1.

    Returns:
        Above 0; NaN for bounds without width or as wide as the scale.
    """
    reach = (bounds.high - bounds.low) / 2
    if not 0 < reach < 0.5:
        return math.nan
    first, middle = reach**2 - 0.25, 2 * reach**2 - share * (1 - share)
    root = (-middle - math.sqrt(middle**2 - 4 * first * reach**2)) / (2 * first)
    return normal_quantile(confidence) ** 2 / root


def score_kappa(mean: float, deviation: float, n: int, top: float = 2.0) -> float:
    """Return by how much printed scores vary less than right or wrong answers with the same mean.

    ::

        unit  = (n - 1) (s/top)^2 + n (x/top - p~)^2 + ((1 - p~)^2 + p~^2)/2,   p~ = (n x/top + 1/2)/(n + 1)
        kappa = (n + 1) p~ (1 - p~) / unit

    Args:
        mean: x, 0 to ``top``, as printed.
        deviation: s, their standard deviation (n - 1), as printed.
        n: How many scores.
        top: The highest score.
    """
    share = mean / top
    p = (n * share + 0.5) / (n + 1)
    unit = (n - 1) * (deviation / top) ** 2 + n * (share - p) ** 2 + ((1 - p) ** 2 + p**2) / 2
    return (n + 1) * p * (1 - p) / unit


def replicated(
    band: Interval,
    worth: float,
    new: float,
    new_worth: float,
    margin: float = MARGIN,
    counts_known: bool = True,
    confidence: float = CONFIDENCE,
) -> Replication:
    """Compare a new number with a printed one.

    For both ends of the printed band the interval of new minus printed is that of two shares over separate clusters;
    their union decides. *differs*: 0 is outside. *consistent*: 0 is inside, and the union stays within the margin on
    both sides (two one-sided tests: Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15, 657).
    *cannot_tell*: 0 is inside, but the union reaches further: too few answers to say.

    Args:
        band: Values that print as the paper's number, 0 to 1, see :func:`printed_band`.
        worth: n1*, what the paper's answers are worth, see :func:`printed_worth`.
        new: The new number, 0 to 1.
        new_worth: n2*, at the same confidence.
        margin: Share of the scale.
        counts_known: Whether the paper tells how many answers it counted; where it does not, the best verdict is
            cannot_tell.
        confidence: Of the interval.

    Returns:
        The difference is taken from the middle of the band.
    """
    low, high = (
        float(bound) for bound in replication_bounds(band, worth, new, new_worth, confidence)
    )
    if low > 0 or high < 0:
        verdict: Verdict = "differs"
    elif counts_known and -margin <= low and high <= margin:
        verdict = "consistent"
    else:
        verdict = "cannot_tell"
    return Replication(new - (band.low + band.high) / 2, low, high, verdict)


def replication_bounds(
    band: tuple[ArrayLike, ArrayLike],
    worth: ArrayLike,
    new: ArrayLike,
    new_worth: ArrayLike,
    confidence: float = CONFIDENCE,
) -> tuple[FloatArray, FloatArray]:
    """Return the union of the intervals of new minus printed over the band; all arguments of shape (...).

    Args:
        band: Least and greatest value that prints alike, 0 to 1.
        worth: n1*.
        new: The new number, 0 to 1.
        new_worth: n2*.
        confidence: Of the interval.
    """
    p2 = np.asarray(new, dtype=float)
    below, above = wilson(p2, new_worth, confidence)
    lows, highs = [], []
    for end in band:
        p1 = np.asarray(end, dtype=float)
        low, high = wilson(p1, worth, confidence)
        lows.append(p2 - p1 - np.hypot(p2 - below, high - p1))
        highs.append(p2 - p1 + np.hypot(above - p2, p1 - low))
    return np.minimum(*lows), np.maximum(*highs)


def same_fact(band: Interval, new: float) -> Verdict:
    """Tell whether a new number prints as the paper's where neither comes from a sample: sizes, guessing levels."""
    if math.isnan(new):
        return "cannot_tell"
    return "consistent" if band.low <= new <= band.high else "differs"
