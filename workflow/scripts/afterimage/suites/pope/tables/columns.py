"""What the suite's tables print alike."""

from afterimage.showing.columns import Number
from afterimage.showing.interval_notes import interval_note

#: Below every table with scores.
INTERVAL_NOTE = (
    interval_note("images, each with all questions about it", "Below a score")
    + " F1: from that of true positives among all that is positive or was called so. A mean of F1: percentile "
    "bootstrap over images ({resamples} resamples, seed {seed}). n/a: undefined."
)


def score(header: str, column: str, bounds: bool = False) -> Number:
    """Return a column of percentages, bold where they are the best of their block.

    Args:
        header: What stands above it.
        column: The frame's column.
        bounds: Whether the interval stands below, where there is one.
    """
    ends = (f"{column}_low", f"{column}_high") if bounds else (None, None)
    return Number(
        header, column, *ends, decimals=2, bound_decimals=1, optional=True, best_in="best"
    )
