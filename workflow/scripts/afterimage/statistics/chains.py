"""Accuracy of single steps, estimated from the accuracy of chains of steps in which every step must be right.

With a the share of right steps and g that of lucky guesses, a chain of h steps ends right with probability
g + (1 - g) a^h: the correction for guessing (Abbott 1925) of a^h, so that log a is a slope over the number of steps.
"""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from scipy.special import xlogy

#: The smallest share that is distinguished from 0.
MIN_SHARE = 0.01


def log_share_per_step(
    steps: ArrayLike, right: ArrayLike, chains: ArrayLike, guessed: float
) -> float:
    """Return log a by maximum likelihood, log 0.01 to 0.

    Args:
        steps: Of each length of chain, shape (lengths,).
        right: How many chains of this length ended right, shape (lengths,).
        chains: How many there were, shape (lengths,).
        guessed: g, 0 to 1.

    Returns:
        The slope; NaN without chains, or where guesses are always right.
    """
    h, k, n = (np.asarray(values, dtype=float) for values in (steps, right, chains))
    if not n.sum() or not 0 <= guessed < 1:
        return math.nan

    def unlikeliness(slope: float) -> float:
        p = np.clip(guessed + (1 - guessed) * np.exp(slope * h), 1e-12, 1 - 1e-12)
        return -float((xlogy(k, p) + xlogy(n - k, 1 - p)).sum())

    found = minimize_scalar(unlikeliness, bounds=(math.log(MIN_SHARE), 0), method="bounded")
    # The search comes near to its bounds and never reaches them.
    return min((math.log(MIN_SHARE), 0.0, float(found.x)), key=unlikeliness)
