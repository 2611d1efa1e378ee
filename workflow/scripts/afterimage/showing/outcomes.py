"""What readers see of answers that could not be read; every table that counts answers shows it, so it stands here once.

What is counted: :func:`afterimage.showing.values.outcomes`.
"""

from afterimage.showing.columns import Share, Text, whole
from afterimage.showing.values import outcomes

#: The columns of the counts, for tables whose rows are made by a function.
OUTCOMES = tuple(count.name for count in outcomes())


def unparsed(prefix: str = "", header: str = "Unparsed", optional: bool = False) -> Text:
    """Return how many answers could not be read.

    Args:
        prefix: What the names of the row's columns begin with.
        header: What stands above.
        optional: Whether the cell is empty where the row has no answers: a baseline has none.
    """
    return whole(header, f"{prefix}unparsed_k", optional=optional)


#: The same of rows that all have answers, and of rows that do not.
UNPARSED = (unparsed(),)
UNPARSED_OF_SOME = (unparsed(optional=True),)


def unparsed_share(prefix: str = "", decimals: int = 1) -> tuple[Share, ...]:
    """Return the same as a share of all answers.

    Args:
        prefix: What the names of the row's columns begin with.
        decimals: Digits after the point.
    """
    return (Share("Unparsed", f"{prefix}unparsed_k", f"{prefix}n", decimals=decimals),)
