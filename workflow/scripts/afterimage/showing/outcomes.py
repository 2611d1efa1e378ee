"""What readers see of answers that could not be read; every table that counts answers shows it, so it stands here once.

What is counted: :func:`afterimage.showing.values.outcomes`.
"""

from afterimage.showing.columns import Share, Text, whole

#: How many answers could not be read.
UNPARSED = (whole("Unparsed", "unparsed_k"),)
#: The same where not every row has answers: a baseline has none.
UNPARSED_OF_SOME = (whole("Unparsed", "unparsed_k", optional=True),)


def unparsed_share(n: str = "n", decimals: int = 1) -> tuple[Share | Text, ...]:
    """Return the same as a share of all answers.

    Args:
        n: The frame's column with the number of answers.
        decimals: Digits after the point.
    """
    return (Share("Unparsed", "unparsed_k", n, decimals=decimals),)
