"""Tests for paired outcomes."""


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Return the two-sided p value of McNemar's exact test.

    Under the null hypothesis each discordant pair falls on either side with probability 1/2;
    concordant pairs carry no information (McNemar 1947, exact binomial form).

    Args:
        only_first: Pairs in which only the first of the two succeeded.
        only_second: Pairs in which only the second succeeded.

    Returns:
        The p value; 1 without discordant pairs.
    """
    discordant = only_first + only_second
    if not discordant:
        return 1.0
    # Here, because scipy.stats takes longer to import than most tables take to compute.
    from scipy.stats import binomtest

    return float(binomtest(only_first, discordant, 0.5).pvalue)
