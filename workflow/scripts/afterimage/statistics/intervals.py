"""Intervals for proportions."""

import math
from functools import lru_cache
from typing import NamedTuple

from scipy.special import ndtri


class Interval(NamedTuple):
    """Lower and upper bound; both NaN where the interval is undefined."""

    low: float
    high: float


# A table asks for the same few counts again and again.
@lru_cache(maxsize=4096)
def wilson_interval(k: int, n: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval (1927), without continuity correction, for ``k`` out of ``n``.

    Args:
        k: Number of successes, 0 to ``n``.
        n: Number of trials; with none the interval is undefined.
        confidence: Coverage, between 0 and 1.

    Returns:
        Bounds of the proportion, from 0 to 1.

    Raises:
        ValueError: ``k`` is not between 0 and ``n``.
    """
    if not 0 <= k <= n:
        raise ValueError(f"expected 0 <= k <= n, found k = {k}, n = {n}")
    if n == 0:
        return Interval(math.nan, math.nan)
    z = float(ndtri(0.5 + 0.5 * confidence))
    share = k / n
    # As SciPy writes it (scipy.stats takes half a second to import): the same to the last digit.
    denominator = 2 * (n + z**2)
    center = (2 * n * share + z**2) / denominator
    reach = z / denominator * math.sqrt(4 * n * share * (1 - share) + z**2)
    return Interval(
        0.0 if k == 0 else center - reach,
        1.0 if k == n else center + reach,
    )
