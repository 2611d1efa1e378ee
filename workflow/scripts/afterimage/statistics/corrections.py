"""Several p values in one table: Holm's correction."""

import math
from collections.abc import Sequence


def holm(values: Sequence[float]) -> list[float]:
    """Return p values corrected so that the chance of any false alarm among them stays below the level.

    Sorted ascending, ``p_(i)' = max over j <= i of min(1, (N - j + 1) p_(j))`` (Holm 1979, Scandinavian Journal of
    Statistics 6, 65). The family is what one table asks in one way: all p values of one metric for one kind of
    comparison, over all rows and subsets.

    Args:
        values: p values; undefined ones (NaN) are no tests and do not count. A p value of 1 does.

    Returns:
        In the order given; NaN stays NaN.
    """
    tests = sorted((p, place) for place, p in enumerate(values) if not math.isnan(p))
    corrected = [math.nan] * len(values)
    highest = 0.0
    for rank, (p, place) in enumerate(tests):
        highest = max(highest, min(1.0, (len(tests) - rank) * p))
        corrected[place] = highest
    return corrected
