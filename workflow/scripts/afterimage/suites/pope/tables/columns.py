"""What the suite's tables print alike."""

from afterimage.showing.columns import Number

#: Below every table with scores.
INTERVAL_NOTE = (
    "Below a score: {coverage} interval, percentile bootstrap over images, each with all questions about it "
    "({resamples} resamples, seed {seed}). n/a: undefined."
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
