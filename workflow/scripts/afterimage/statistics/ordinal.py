"""Ordinal probit with lapses: how often the first, neither or the second of two targets is chosen.

At each strength s of an inducer, with the true difference d between the targets::

    P(first)   = lapse/3 + (1 - lapse) Phi((d - mu - c) / sigma)
    P(second)  = lapse/3 + (1 - lapse) Phi((mu - d - c) / sigma)
    P(neutral) = the rest

mu is the difference at which first and second are equally likely (the point of subjective equality), c the
criterion for the neutral answer. Without a neutral option c = 0 and each option gets lapse/2. Each strength
has its own mu, sigma and c; the lapse rate is common to all.

The parameters that are fitted are slope = 1/sigma (0 is a flat curve), location = mu/sigma and
criterion = c/sigma: they are finite for flat curves, for which mu and sigma are not defined. A weak penalty,
that of a normal prior with the scale ``PRIOR_SCALE`` on each, keeps them finite where the answers jump from
always second to always first between two differences, and then puts mu in the middle between these.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import expm1, ndtr, xlogy

#: Order of the answers in the last axis of counts and probabilities.
FIRST, NEUTRAL, SECOND = range(3)

#: Bounds of the lapse rate. The lower one is not 0, so that no answer is impossible.
MIN_LAPSE, GREATEST_LAPSE = 1e-4, 0.2

#: Standard deviation of the prior on slope, location and criterion, per unit of d.
PRIOR_SCALE = 32.0
# The bounded form of the steepest slope that an interval names.
_STEEPEST = PRIOR_SCALE / (1 + PRIOR_SCALE)

#: A slope up to this is flat: over the unit of d, P(first) changes by at most two percentage points.
FLAT_SLOPE = 0.05

_STARTING_SLOPES = (1.5, 8.0)
_STARTING_CRITERION = 0.5
_STARTING_LAPSE = 0.03


class OrdinalFit(NamedTuple):
    """Fitted parameters; all arrays have the shape (strengths,).

    Attributes:
        slope: 1/sigma; 0 where the answers do not depend on d, negative where they go against it.
        location: mu/sigma.
        criterion: c/sigma, at least 0; 0 without a neutral option.
        lapse: Share of answers that are given at random, MIN_LAPSE to GREATEST_LAPSE.
        forced: Whether there is no neutral option.
        log_likelihood: Of the counts, without the penalty and without the multinomial constant.
    """

    slope: np.ndarray
    location: np.ndarray
    criterion: np.ndarray
    lapse: float
    forced: bool
    log_likelihood: float

    @property
    def equality(self) -> np.ndarray:
        """The point of subjective equality mu in units of d; NaN if the slope is flat."""
        return self._per_slope(self.location)

    @property
    def neutral_criterion(self) -> np.ndarray:
        """The criterion c in units of d; NaN if the slope is flat."""
        return self._per_slope(self.criterion)

    def _per_slope(self, values: np.ndarray) -> np.ndarray:
        steep = np.abs(self.slope) > FLAT_SLOPE
        undefined = np.full_like(self.slope, np.nan)
        shares: np.ndarray = np.divide(values, self.slope, out=undefined, where=steep)
        return shares


def fit_ordinal(
    strengths: ArrayLike,
    differences: ArrayLike,
    counts: ArrayLike,
    forced: bool = False,
    start: OrdinalFit | None = None,
) -> OrdinalFit:
    """Fit the ordinal probit to counts per cell by penalised maximum likelihood.

    Args:
        strengths: Number of each cell's strength, 0 to strengths - 1, each at least once, shape (cells,).
        differences: The true difference d of each cell, of the order of -1 to 1, shape (cells,).
        counts: How often first, neutral and second were answered, shape (cells, 3).
        forced: Whether there is no neutral option; neutral counts must then be 0.
        start: A fit to similar counts from which to start; without it the best of two starts is taken.

    Raises:
        ValueError: Shapes differ, or a neutral answer is counted where there is no neutral option.
    """
    strength = np.asarray(strengths, dtype=int)
    d = np.asarray(differences, dtype=float)
    seen = np.asarray(counts, dtype=float)
    if seen.shape != (len(d), 3) or strength.shape != d.shape:
        raise ValueError(
            f"expected a strength, a difference and three counts per cell, found the shapes "
            f"{strength.shape}, {d.shape} and {seen.shape}"
        )
    if forced and seen[:, NEUTRAL].any():
        raise ValueError("expected no neutral answers in forced choice")
    size = int(strength.max()) + 1
    answered = seen.any(axis=1)
    problem = (strength[answered], d[answered], seen[answered], size, forced)
    starts = _starts(strength, d, seen, size, forced) if start is None else [_packed(start)]
    bounds = (
        [(None, None)] * (2 * size)
        + [(0.0, 0.0 if forced else None)] * size
        + [(MIN_LAPSE, GREATEST_LAPSE)]
    )
    found = [
        minimize(
            _objective,
            first,
            args=problem,
            jac=True,
            # Truncated Newton takes half the time of L-BFGS-B here, and calls no BLAS, whose threads would spin.
            method="TNC",
            bounds=bounds,
            # With 1e-7 steep slopes were off by up to 0.006; this tells four decimals, for a third more time.
            options={"maxfun": 2000, "ftol": 1e-12},
        )
        for first in starts
    ]
    best = min(found, key=lambda result: result.fun)
    return _unpacked(best.x, size, forced, -float(best.fun) + _penalty(best.x, size))


def probabilities(fit: OrdinalFit, strengths: ArrayLike, differences: ArrayLike) -> np.ndarray:
    """Return the fitted probabilities of first, neutral and second, shape (cells, 3).

    Args:
        fit: The parameters.
        strengths: Number of each cell's strength, shape (cells,).
        differences: Each cell's true difference, shape (cells,).
    """
    strength = np.asarray(strengths, dtype=int)
    x = fit.slope[strength] * np.asarray(differences, dtype=float) - fit.location[strength]
    return answer_chances(x, fit.criterion[strength], fit.lapse, fit.forced)


def answer_chances(
    x: np.ndarray, k: np.ndarray, lapse: float | np.ndarray, forced: bool
) -> np.ndarray:
    """Return the chances of first, neutral and second on a last axis of their own.

    Args:
        x: (d - mu) / sigma.
        k: c / sigma, not read in forced choice.
        lapse: A number, or numbers of shape (..., 1).
        forced: Whether there is no neutral option.
    """
    if forced:
        first = ndtr(x)
        plain = np.stack([first, np.zeros_like(first), 1 - first], axis=-1)
        return lapse * np.array([0.5, 0.0, 0.5]) + (1 - lapse) * plain
    first, second = ndtr(x - k), ndtr(-x - k)
    neutral = np.maximum(ndtr(x + k) - first, 0.0)
    return lapse / 3 + (1 - lapse) * np.stack([first, neutral, second], axis=-1)


def _objective(
    values: np.ndarray,
    strength: np.ndarray,
    d: np.ndarray,
    counts: np.ndarray,
    size: int,
    forced: bool,
) -> tuple[float, np.ndarray]:
    """Return the penalised negative log likelihood and its gradient."""
    slope, location, criterion, lapse = _parts(values, size)
    x = slope[strength] * d - location[strength]
    k = criterion[strength]
    chances = answer_chances(x, k, lapse, forced)
    # Without a neutral option its chance is 0 and so is its count.
    chances = np.where(chances > 0, chances, 1.0)
    weights = counts / chances
    upper, lower = _density(x - k), _density(x + k)
    first, neutral, second = weights.T
    shared = 0.5 if forced else 1 / 3
    kept = 1 - lapse
    if forced:
        by_x = kept * (first - second) * upper
        by_k = np.zeros_like(by_x)
    else:
        by_x = kept * (first * upper + neutral * (lower - upper) - second * lower)
        by_k = kept * (neutral * (lower + upper) - first * upper - second * lower)
    # d P / d lapse = (shared - P) / (1 - lapse), as P = shared * lapse + (1 - lapse) * Phi.
    by_lapse = float((weights * (shared - chances)).sum()) / kept
    gradient = np.concatenate(
        [
            np.bincount(strength, by_x * d, size),
            -np.bincount(strength, by_x, size),
            np.bincount(strength, by_k, size),
            [by_lapse],
        ]
    )
    gradient[: 3 * size] -= values[: 3 * size] / PRIOR_SCALE**2
    value = float(xlogy(counts, chances).sum()) - _penalty(values, size)
    return -value, -gradient


def _density(x: np.ndarray) -> np.ndarray:
    # Numpy's exponential and logarithm have other last bits on processors with AVX-512, SciPy's have not: a fit ends
    # in the same digits everywhere.
    density: np.ndarray = (1 + expm1(-0.5 * x * x)) / np.sqrt(2 * np.pi)
    return density


def _penalty(values: np.ndarray, size: int) -> float:
    return float((values[: 3 * size] ** 2).sum()) / (2 * PRIOR_SCALE**2)


def _starts(
    strength: np.ndarray, d: np.ndarray, counts: np.ndarray, size: int, forced: bool
) -> list[np.ndarray]:
    """Return starting values: mu where the mean answer puts it (Spearman-Kaerber), two slopes."""
    score = np.bincount(strength, counts[:, FIRST] - counts[:, SECOND], size)
    total = np.maximum(np.bincount(strength, counts.sum(axis=1), size), 1)
    equality = -score / total * np.abs(d).max()
    criterion = np.zeros(size) if forced else np.full(size, _STARTING_CRITERION)
    return [
        np.concatenate([np.full(size, slope), slope * equality, criterion, [_STARTING_LAPSE]])
        for slope in _STARTING_SLOPES
    ]


def _packed(fit: OrdinalFit) -> np.ndarray:
    return np.concatenate([fit.slope, fit.location, fit.criterion, [fit.lapse]])


def _unpacked(values: np.ndarray, size: int, forced: bool, log_likelihood: float) -> OrdinalFit:
    slope, location, criterion, lapse = _parts(values, size)
    return OrdinalFit(slope, location, criterion, float(lapse), forced, log_likelihood)


def _parts(values: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    return values[:size], values[size : 2 * size], values[2 * size : 3 * size], values[3 * size]


def bounded_slope(slope: float | np.ndarray) -> np.ndarray:
    """Map slopes to -1 to 1: one that answers without overlap make steep must not hide the others."""
    return np.asarray(slope / (1 + np.abs(slope)))


def slope_of(bounded: np.ndarray) -> np.ndarray:
    """Return the slopes behind :func:`bounded_slope`; none is steeper than the scale of the prior."""
    within = np.clip(bounded, -_STEEPEST, _STEEPEST)
    return np.asarray(within / (1 - np.abs(within)))
