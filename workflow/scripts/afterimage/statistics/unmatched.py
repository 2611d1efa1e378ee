"""Differences of unmatched shares, and whether a new number replicates a printed one.

The two shares are about different images, or different numbers of them. The bounds of the difference come from those of
the shares (MOVER, the method of variance estimates recovery: Newcombe 1998, Statistics in Medicine 17, 873; Zou and
Donner 2008, Statistics in Medicine 27, 1693).

Replication compares the two numbers by the interval of their difference and gives one of three verdicts. Whether the
new number lies in the printed one's interval is no such test: exact replications fail it 17 % of the time even with
independent answers (Cumming and Maillardet 2006, Psychological Methods 11, 217), since both numbers vary.
"""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import FloatArray, Interval, normal_quantile, sized, wilson
from afterimage.statistics.shares import Share, share_of_totals

#: The p value is the confidence, from the one to 1 minus the other, at which a bound is 0.
_MIN_CONFIDENCE, _MIN_P = 1e-6, 1e-12


class Difference(NamedTuple):
    """The difference of two shares.

    Attributes:
        estimate: First minus second, -1 to 1; NaN if one of the two has no answers, as all that follows.
        low: Lower bound, -1 to 1.
        high: Upper bound, above ``low``.
        p: Two-sided p value: 1 minus the confidence at which a bound is 0.
        correlation: Of the two shares over the clusters that they have in common; 0 where they have none.
    """

    estimate: float
    low: float
    high: float
    p: float
    correlation: float


def difference_of_totals(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    shared: bool = False,
    confidence: float = 0.95,
) -> Difference:
    """Return the difference of two clustered shares.

    Args:
        first: Successes and sizes of the first share's clusters, shape (clusters,) each.
        second: The same of the second.
        shared: Whether place by place the clusters are the same ones (genuine images and controls of one figure); one
            that is absent on one side has size 0 there. Otherwise they are separate.
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: As for a share, or shared clusters differ in number.
    """
    correlation = residual_correlation(*first, *second) if shared else 0.0
    correlation = 0.0 if math.isnan(correlation) else correlation
    return difference_of_shares(
        lambda level: share_of_totals(*first, level),
        lambda level: share_of_totals(*second, level),
        correlation,
        confidence,
    )


def difference_of_shares(
    first: Callable[[float], Share],
    second: Callable[[float], Share],
    correlation: float = 0.0,
    confidence: float = 0.95,
) -> Difference:
    """Return the difference of two numbers from 0 to 1 that are worked out anew at each confidence.

    Args:
        first: The first number at a confidence.
        second: The second.
        correlation: Of the two, -1 to 1; see :func:`residual_correlation`.
        confidence: Coverage, between 0 and 1.
    """

    def bounds(level: float) -> Interval:
        return difference_bounds(first(level), second(level), correlation)

    first_estimate, second_estimate = first(confidence), second(confidence)
    if math.isnan(first_estimate.estimate) or math.isnan(second_estimate.estimate):
        return Difference(*(math.nan,) * 5)
    low, high = bounds(confidence)
    return Difference(
        first_estimate.estimate - second_estimate.estimate,
        low,
        high,
        inverted_p(bounds),
        correlation,
    )


def difference_bounds(first: Share, second: Share, correlation: float = 0.0) -> Interval:
    """Return the bounds of a difference from those of its parts.

    ::

        low  = p1 - p2 - sqrt(a^2 + b^2 - 2 r a b),  a = p1 - l1,  b = u2 - p2
        high = p1 - p2 + sqrt(a^2 + b^2 - 2 r a b),  a = u1 - p1,  b = p2 - l2

    Args:
        first: The first number and its bounds.
        second: The second.
        correlation: r; 0 for separate clusters (Newcombe's method 10).
    """
    estimate = first.estimate - second.estimate
    down = _reach(first.estimate - first.low, second.high - second.estimate, correlation)
    up = _reach(first.high - first.estimate, second.estimate - second.low, correlation)
    return Interval(estimate - down, estimate + up)


def residual_correlation(
    successes: ArrayLike, sizes: ArrayLike, other_successes: ArrayLike, other_sizes: ArrayLike
) -> float:
    """Return the correlation of two shares over the same clusters, drawn towards 0 by half clusters.

    ::

        e_ig = y_ig - m_ig p_i      h_i = (M_i^2/2) ((1 - p_i)^2 + p_i^2)
        r = sum e_1 e_2 / sqrt((sum e_1^2 + h_1) (sum e_2^2 + h_2))

    The half clusters keep r below 1, so that no difference has zero width.

    Args:
        successes: Of the first share's clusters, shape (clusters,).
        sizes: Their sizes; 0 where a cluster has no answer on this side.
        other_successes: Of the same clusters, for the second share.
        other_sizes: Their sizes.

    Raises:
        ValueError: The numbers of clusters differ.
    """
    (first_residuals, first_rest), (second_residuals, second_rest) = (
        _residuals(successes, sizes),
        _residuals(other_successes, other_sizes),
    )
    if first_residuals.shape != second_residuals.shape:
        raise ValueError(
            f"expected the same clusters, found {first_residuals.shape} and {second_residuals.shape}"
        )
    scale = math.sqrt(
        (float(first_residuals @ first_residuals) + first_rest)
        * (float(second_residuals @ second_residuals) + second_rest)
    )
    return float(first_residuals @ second_residuals) / scale


def inverted_p(bounds: Callable[[float], Interval]) -> float:
    """Return the p value of a difference: 1 minus the confidence at which one of its bounds is 0.

    Args:
        bounds: The interval at a confidence, wider where that is higher.

    Returns:
        From 1e-12 to 1.
    """
    # Here, because only tables of differences need it.
    from scipy.optimize import brentq

    def inside(confidence: float) -> float:
        low, high = bounds(confidence)
        return min(-low, high)

    if inside(_MIN_CONFIDENCE) >= 0:
        return 1.0
    if inside(1 - _MIN_P) <= 0:
        return _MIN_P
    return 1 - float(brentq(inside, _MIN_CONFIDENCE, 1 - _MIN_P))


def _reach(a: float, b: float, correlation: float) -> float:
    return math.sqrt(max(a**2 + b**2 - 2 * correlation * a * b, 0.0))


def _residuals(successes: ArrayLike, sizes: ArrayLike) -> tuple[FloatArray, float]:
    """Return the clusters' distances from the common share, and what the half clusters add to their squares."""
    y, m = np.asarray(successes, dtype=float), np.asarray(sizes, dtype=float)
    if not m.any():
        return np.full_like(m, math.nan), math.nan
    p = float(y.sum() / m.sum())
    typical = sized(m).typical
    return y - m * p, typical**2 / 2 * ((1 - p) ** 2 + p**2)


# ---- replication ----

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


def effective_printed(
    printed_n: float, new_effective_n: float, new_max_n: float, kappa: float = 1.0
) -> float:
    """Return n1* = kappa1 n1 min(1, n2*/most2): the paper's answers are taken to be clustered as ours are.

    Args:
        printed_n: n1, the answers behind the printed number.
        new_effective_n: n2* of the new number.
        new_max_n: Upper limit of its effective number: n2, of scores kappa2 n2.
        kappa: kappa1, 1 for shares, of printed scores :func:`score_kappa`.
    """
    return kappa * printed_n * min(1.0, new_effective_n / new_max_n)


def effective_n_of(share: float, bounds: Interval, confidence: float) -> float:
    """Return the n* of a printed Wilson interval: the inverse of :func:`intervals.wilson`.

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
    effective_n: float,
    new: float,
    new_effective_n: float,
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
        effective_n: n1*, the effective number of the paper's answers, see :func:`effective_printed`.
        new: The new number, 0 to 1.
        new_effective_n: n2*, at the same confidence.
        margin: Share of the scale.
        counts_known: Whether the paper tells how many answers it counted; where it does not, the best verdict is
            cannot_tell.
        confidence: Of the interval.

    Returns:
        The difference is taken from the middle of the band.
    """
    low, high = (
        float(bound)
        for bound in replication_bounds(band, effective_n, new, new_effective_n, confidence)
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
    effective_n: ArrayLike,
    new: ArrayLike,
    new_effective_n: ArrayLike,
    confidence: float = CONFIDENCE,
) -> tuple[FloatArray, FloatArray]:
    """Return the union of the intervals of new minus printed over the band; all arguments of shape (...).

    Args:
        band: Least and greatest value that prints alike, 0 to 1.
        effective_n: n1*.
        new: The new number, 0 to 1.
        new_effective_n: n2*.
        confidence: Of the interval.
    """
    p2 = np.asarray(new, dtype=float)
    below, above = wilson(p2, new_effective_n, confidence)
    lows, highs = [], []
    for end in band:
        p1 = np.asarray(end, dtype=float)
        low, high = wilson(p1, effective_n, confidence)
        lows.append(p2 - p1 - np.hypot(p2 - below, high - p1))
        highs.append(p2 - p1 + np.hypot(above - p2, p1 - low))
    return np.minimum(*lows), np.maximum(*highs)


def same_fact(band: Interval, new: float) -> Verdict:
    """Tell whether a new number prints as the paper's where neither comes from a sample: sizes, guessing levels."""
    if math.isnan(new):
        return "cannot_tell"
    return "consistent" if band.low <= new <= band.high else "differs"
