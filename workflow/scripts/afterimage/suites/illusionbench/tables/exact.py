"""Exact shares and means, so that a value halfway between two printed ones prints alike wherever it is printed."""

import math
from collections.abc import Iterable
from fractions import Fraction

from afterimage.showing.rounding import rounded

#: Digits of the paper's tables, and of the CSV files.
DECIMALS = 4
_NONE = float("nan")
# Scores are means of a few whole numbers; their sums are whole numbers of millionths but for the last bits of floats.
_PER_UNIT = 1_000_000


def share(k: int, n: int) -> float:
    """Return ``k / n`` as :func:`as_float` does; NaN where ``n`` is 0."""
    return as_float(Fraction(k, n)) if n else _NONE


def mean(values: Iterable[float]) -> Fraction | None:
    """Return the mean of scores; None of no scores."""
    given = list(values)
    if not given:
        return None
    return Fraction(round(math.fsum(given) * _PER_UNIT), _PER_UNIT * len(given))


def as_float(value: Fraction | None) -> float:
    """Return the float nearest to ``value`` that rounds to the same four decimals; NaN for None."""
    if value is None:
        return _NONE
    number = float(value)
    while rounded(number, DECIMALS) != rounded(value, DECIMALS):
        number = math.nextafter(number, math.inf if value > 0 else -math.inf)
    return number


def printed(value: float) -> Fraction:
    """Return the number that stands in a table for ``value``: four decimals, halves away from zero."""
    return Fraction(rounded(value, DECIMALS))
