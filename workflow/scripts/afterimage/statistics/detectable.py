"""The smallest difference that a study can detect, before anything is asked.

Answers about one image are correlated by ``alike``: more images help, more questions about each hardly, since the
effective number of answers to G images is at most about G/alike.
"""

import math

#: Without a pilot study.
ALIKE, DISCORDANCE = 0.5, 0.3


def smallest_matched(
    units: int,
    clusters: int,
    alike: float = ALIKE,
    discordance: float = DISCORDANCE,
    power: float = 0.8,
    confidence: float = 0.95,
) -> float:
    """Return the smallest difference of two models, or conditions, over the same units that is found.

    ::

        delta = sqrt(f psi / (1 + f)),   f = (t_a + t_b)^2 (1 + (m - 1) rho) / n,   m = n/G

    Args:
        units: n.
        clusters: G, at least 2.
        alike: rho, correlation of the differences of a cluster's units, 0 to 1.
        discordance: psi, share of the units that exactly one of the two gets right.
        power: Chance that the difference is found.
        confidence: 1 minus the level of the test.

    Returns:
        A difference of shares, 0 to 1; NaN if not even the greatest possible one, psi, is found.
    """
    factor = _reach(clusters, power, confidence) ** 2 * (1 + (units / clusters - 1) * alike) / units
    delta = math.sqrt(factor * discordance / (1 + factor))
    return delta if delta < discordance else math.nan


def _reach(clusters: int, power: float, confidence: float) -> float:
    """Return the distance in standard errors that the test and the power need together."""
    from scipy.special import stdtrit

    return float(stdtrit(clusters - 1, 0.5 + 0.5 * confidence) + stdtrit(clusters - 1, power))
