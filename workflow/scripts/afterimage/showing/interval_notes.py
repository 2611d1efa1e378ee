"""How notes below tables say what was done about intervals and tests; the long form is docs/statistics.md."""


def interval_note(clusters: str, where: str = "Brackets") -> str:
    """Return the sentence about the intervals of shares.

    Args:
        clusters: What the answers come in: "images".
        where: Where the intervals stand.
    """
    return (
        f"{where}: {{coverage}} interval, Wilson's on what the answers are worth, as those of one cluster may be "
        f"alike; clusters: {clusters} (docs/statistics.md)."
    )


def test_note(clusters: str, family: str = "all rows of this table") -> str:
    """Return the sentences about the p values of differences.

    Args:
        clusters: What the pairs come in: "images".
        family: Which tests are corrected together.
    """
    return (
        f"p: the signs of whole clusters flipped, two-sided mid-p; clusters: {clusters}. Corrected: by Holm's method, "
        f"together for {family}. Too few differing clusters: fewer than five cannot reach 5 %. Intervals are not "
        "corrected."
    )
