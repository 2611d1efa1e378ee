"""Before anything is asked: the smallest difference that a study would find, and how wide its intervals will be.

Questions about one image are alike with the correlation ``alike``; more images help, more questions about each hardly,
since the answers of G images are worth at most about G/alike.
"""

import math

from afterimage.statistics.intervals import Interval, wilson
from afterimage.statistics.worth import student_factor

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
        discordance: psi, share of the units of which only one of the two is right.
        power: Chance that the difference is found.
        confidence: 1 minus the level of the test.

    Returns:
        A difference of shares, 0 to 1; NaN where not even the greatest possible one, psi, is found.
    """
    factor = _reach(clusters, power, confidence) ** 2 * (1 + (units / clusters - 1) * alike) / units
    delta = math.sqrt(factor * discordance / (1 + factor))
    return delta if delta < discordance else math.nan


def smallest_unmatched(
    share: float,
    first: tuple[int, int],
    second: tuple[int, int],
    alike: float = ALIKE,
    power: float = 0.8,
    confidence: float = 0.95,
) -> float:
    """Return the smallest fall from a share that is found between two separate sets of units.

    ::

        delta = (t_a + t_b) sqrt(p (1 - p) D1/n1 + (p - delta)(1 - p + delta) D2/n2)
        D_i   = 1 + (m_i - 1)(G_i rho + 1)/(G_i + 1)

    Args:
        share: p, 0 to 1; for a rise from p, ask for the fall from 1 - p.
        first: Units and clusters, at least 2, of the first set.
        second: The same of the second.
        alike: rho, correlation of the answers of a cluster, 0 to 1.
        power: Chance that the difference is found.
        confidence: 1 minus the level of the test.

    Returns:
        A difference of shares; NaN where not even a fall to 0 is found.
    """
    from scipy.optimize import brentq

    reach = _reach(min(first[1], second[1]), power, confidence)
    variances = [design_effect(n, clusters, alike) / n for n, clusters in (first, second)]

    def excess(delta: float) -> float:
        fallen = share - delta
        variance = share * (1 - share) * variances[0] + fallen * (1 - fallen) * variances[1]
        return delta - reach * math.sqrt(variance)

    return float(brentq(excess, 0, share)) if excess(share) > 0 else math.nan


def expected_interval(
    share: float, units: int, clusters: int, alike: float = ALIKE, confidence: float = 0.95
) -> Interval:
    """Return the interval that a share will have: Wilson's on n* = max(G, (z/t)^2 n/D).

    Args:
        share: As it is expected, 0 to 1.
        units: n.
        clusters: G.
        alike: rho, correlation of the answers of a cluster, 0 to 1.
        confidence: Coverage, between 0 and 1.
    """
    worth = student_factor(float(clusters), confidence) * units
    worth = max(float(clusters), worth / design_effect(units, clusters, alike))
    low, high = wilson(share, worth, confidence)
    return Interval(float(low), float(high))


def design_effect(units: int, clusters: int, alike: float) -> float:
    """Return D = 1 + (m - 1)(G rho + 1)/(G + 1): the correlation drawn towards 1 as n* will draw it."""
    return 1 + (units / clusters - 1) * (clusters * alike + 1) / (clusters + 1)


def _reach(clusters: int, power: float, confidence: float) -> float:
    """Return the distance in standard errors that the test and the power need together."""
    from scipy.special import stdtrit

    return float(stdtrit(clusters - 1, 0.5 + 0.5 * confidence) + stdtrit(clusters - 1, power))
