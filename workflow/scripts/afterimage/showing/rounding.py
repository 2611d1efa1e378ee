"""Printed numbers: exact arithmetic, halves away from zero, as papers round."""

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real

NOT_AVAILABLE = "n/a"


def rounded(value: Real | float, decimals: int = 1) -> str:
    """Print ``value`` with fixed decimals; ties go away from zero, and zero has no sign.

    Args:
        value: A Fraction or whole number is rounded exactly; of a float, the binary value it holds.
        decimals: Digits after the point.

    Returns:
        Digits, e.g. ``"17.9"``, or ``"n/a"`` where ``value`` is not a finite number.
    """
    if isinstance(value, Rational):
        exact = Fraction(int(value.numerator), int(value.denominator))
    elif not math.isfinite(value):
        return NOT_AVAILABLE
    else:
        exact = Fraction(float(value))
    units = math.floor(abs(exact) * 10**decimals + Fraction(1, 2))
    sign = "-" if exact < 0 and units else ""
    return f"{sign}{Decimal(units).scaleb(-decimals):f}"


def percent(k: int, n: int, decimals: int = 1) -> str:
    """Print ``k`` of ``n`` in percent, from the counts themselves: 5 of 28 is ``"17.9"``.

    ``k`` may be negative (a difference of counts); without a denominator the result is ``"n/a"``.
    """
    return rounded(Fraction(100 * int(k), int(n)), decimals) if n else NOT_AVAILABLE
