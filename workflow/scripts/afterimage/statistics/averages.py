"""Intervals for averages of independent estimates."""

import math
from collections.abc import Sequence

from afterimage.statistics.intervals import Interval


def mean_interval(
    estimates: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> Interval:
    """Return the interval of the unweighted mean of independent estimates, from their own intervals.

    Method of variance estimates recovery (Zou and Donner 2008, Statistics in Medicine 27, 1693):
    each distance from an estimate to its bound stands for that side's standard error, and the
    squares add up. The interval has the coverage of those it is made of.

    Args:
        estimates: Point estimates, at least one.
        lows: Their lower bounds, in the same order.
        highs: Their upper bounds, in the same order.

    Returns:
        Bounds of the mean; NaN where one of the bounds is NaN.

    Raises:
        ValueError: There is no estimate, or the lengths differ.
    """
    if not estimates:
        raise ValueError("expected at least one estimate, found none")
    below = math.hypot(*(e - low for e, low in zip(estimates, lows, strict=True)))
    above = math.hypot(*(high - e for e, high in zip(estimates, highs, strict=True)))
    mean = math.fsum(estimates) / len(estimates)
    return Interval(mean - below / len(estimates), mean + above / len(estimates))
