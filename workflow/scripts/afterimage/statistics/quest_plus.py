"""QUEST+ (Watson 2017, Journal of Vision 17(3):10): choose the next stimulus, and estimate from the answers so far.

An observer is one combination of the parameters of a psychometric function; a grid of observers has a prior, which
answers update. The next stimulus is the one whose answer minimises the expected entropy of these weights. The functions
are those that tables fit: the ordinal probit (``ordinal.py``) with lapses, and d' linear in octaves
(``detection.py``).

The state of a session is its trials alone, pairs of stimulus and answer, so an interrupted session continues as if it
had not been.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, xlogy

from afterimage.statistics.ordinal import answer_chances

#: Standard deviations from the middle of a curve at which three of four choices between two sides are right.
THREE_QUARTERS = 0.6744897501960817

#: Shares of answers given at random that are thought possible, and how likely each is before any answer. The tables'
#: fit allows 0.0001 to 0.2.
LAPSES = {0.0001: 0.3, 0.02: 0.35, 0.06: 0.25, 0.15: 0.1}
#: How likely it is, before any answer, that answers do not depend on what is shown.
BLIND = 0.1
# The chance that such an observer gives an answer that it does not prefer.
_SELDOM = 0.01
# Half the widths, in t or in the difference, of what is called neutral; 0 alone in forced choice.
_CRITERIA = (0.0, 0.06, 0.15, 0.3, 0.6)
# Instead of 0, which has no logarithm.
_MIN_CHANCE = 1e-300
# Gains that differ by less are equal: last bits differ between processors.
_DECIMALS = 9

#: A stimulus' number and its answer's; None if the answer could not be read.
Trial = tuple[int, int | None]


class Observers(NamedTuple):
    """A grid of observers and what each would answer.

    Attributes:
        chances: Of each answer to each stimulus, shape (stimuli, answers, observers).
        sought: The number that is sought, such as the threshold, of each observer, shape (observers,); NaN of those who
            do not look, whose answers depend on no stimulus.
        prior: How likely each is before any answer, shape (observers,); sums to 1.
        logs: Logarithm of ``chances``.
        entropy: Of an observer's answer to a stimulus, shape (stimuli, observers).
    """

    chances: np.ndarray
    sought: np.ndarray
    prior: np.ndarray
    logs: np.ndarray
    entropy: np.ndarray


class Estimate(NamedTuple):
    """What is known of the number that is sought.

    Attributes:
        median: Of its posterior, among observers who look.
        low: Lower bound of the equal-tailed interval.
        high: Upper bound.
        blind: How likely it is that the answers do not depend on what is shown.
    """

    median: float
    low: float
    high: float
    blind: float


def observers_of(chances: np.ndarray, sought: np.ndarray, prior: np.ndarray) -> Observers:
    """Return observers with what choosing among stimuli needs, worked out once."""
    logs = np.log(np.maximum(chances, _MIN_CHANCE))
    return Observers(chances, sought, prior, logs, -np.einsum("sop,sop->sp", chances, logs))


def _with_blind(chances: np.ndarray, sought: np.ndarray, prior: np.ndarray) -> Observers:
    """Add observers who do not look: they prefer some of the answers, strongly or half as much, or none."""
    stimuli, answers, _ = chances.shape
    even = np.full(answers, 1 / answers)
    blind = [even]
    for size in range(1, answers):
        for preferred in combinations(range(answers), size):
            strong = np.full(answers, _SELDOM)
            strong[[*preferred]] = (1 - _SELDOM * (answers - size)) / size
            blind += [strong, (strong + even) / 2]
    added = np.broadcast_to(np.transpose(blind), (stimuli, answers, len(blind)))
    return observers_of(
        np.concatenate([chances, added], axis=2),
        np.concatenate([sought, np.full(len(blind), np.nan)]),
        np.concatenate([prior * (1 - BLIND), np.full(len(blind), BLIND / len(blind))]),
    )


def _grid(axes: Sequence[tuple[ArrayLike, ArrayLike]]) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the values of all axes at each point of their grid, and the points' prior."""
    values = np.meshgrid(*(np.asarray(points, float) for points, _ in axes), indexing="ij")
    weights = np.meshgrid(*(np.asarray(chance, float) for _, chance in axes), indexing="ij")
    prior = np.prod(weights, axis=0).ravel()
    return [axis.ravel() for axis in values], prior / prior.sum()


def _normal(points: np.ndarray, scale: float) -> np.ndarray:
    return np.exp(-0.5 * (points / scale) ** 2)


def _lapses() -> tuple[list[float], list[float]]:
    return [*LAPSES], [*LAPSES.values()]


def threshold_observers(
    levels: ArrayLike, forced: bool = True, least: float | None = None
) -> Observers:
    """Return observers who name a side of differences t; the threshold t75 is sought, at which three of four are right.

    Answers are first and second, with a neutral one between them if it is offered. Thresholds from half of the least t
    to one and a half of the greatest are thought equally likely on a scale of logarithms, six to a doubling of t; a
    bias to a side is normal with a standard deviation of 0.3 in t.

    Args:
        levels: Signed t of each stimulus, shape (stimuli,): the greatest is 1, 0 where there is nothing.
        forced: Whether there is no neutral option.
        least: The least t that there is, by default the least of the levels but 0.
    """
    t = np.asarray(levels, float)
    if least is None:
        least = float(np.abs(t[t != 0]).min())
    thresholds = np.geomspace(least / 2, 1.5, round(6 * np.log2(3 / least)) + 1)
    bias = np.linspace(-1, 1, 11)
    criterion = np.array(_CRITERIA[:1] if forced else _CRITERIA)
    (sought, middle, width, lapse), prior = _grid(
        (
            (thresholds, np.ones_like(thresholds)),
            (bias, _normal(bias, 0.3)),
            (criterion, np.ones_like(criterion)),
            _lapses(),
        )
    )
    shares = _ordinal(t, sought / THREE_QUARTERS, middle, width, lapse, forced)
    return _with_blind(shares, sought, prior)


def equality_observers(differences: ArrayLike, forced: bool = False) -> Observers:
    """Return observers who compare two targets; the point of equality is sought, at which both are named equally often.

    Args:
        differences: Signed difference of each stimulus, shape (stimuli,), of the order of -1 to 1.
        forced: Whether there is no neutral option.
    """
    d = np.asarray(differences, float)
    equality = np.linspace(-1.5, 1.5, 49)
    noise = np.array([0.03, 0.06, 0.12, 0.18, 0.25, 0.35, 0.5, 0.8, 1.5])
    criterion = np.array(_CRITERIA[:1] if forced else _CRITERIA)
    (sought, spread, width, lapse), prior = _grid(
        (
            (equality, np.ones_like(equality)),
            (noise, np.ones_like(noise)),
            (criterion, np.ones_like(criterion)),
            _lapses(),
        )
    )
    shares = _ordinal(d, spread, sought, width, lapse, forced)
    return _with_blind(shares, sought, prior)


def detecting_observers(
    sizes: ArrayLike, present: ArrayLike, fewest: float | None = None, at: float | None = None
) -> Observers:
    """Return observers who say whether a target is present; d' is linear in the doublings of the items.

    The change of d' per doubling is sought, or d' at some number of items. Answers are yes and no; d' never falls below
    0. Who has no d' at any number of items does not look.

    Args:
        sizes: Number of items of each stimulus, shape (stimuli,).
        present: Whether the target is there, shape (stimuli,).
        fewest: From how many items doublings count, by default the least of the sizes.
        at: At how many items d' is sought; None for its change per doubling.
    """
    start_size = fewest or float(np.min(sizes))
    doublings = np.log2(np.asarray(sizes, float) / start_size)
    sign = np.where(np.asarray(present, bool), 1.0, -1.0)
    falls, start, bias = (
        np.linspace(-2, 0.5, 41),
        np.linspace(0.5, 5, 10),
        np.linspace(-1.5, 1.5, 9),
    )
    (fall, at_first, readiness, lapse), prior = _grid(
        (
            (falls, np.ones_like(falls)),
            (start, np.ones_like(start)),
            (bias, _normal(bias, 0.5)),
            _lapses(),
        )
    )
    d_prime = np.maximum(at_first + fall * doublings[:, None], 0)
    yes = lapse / 2 + (1 - lapse) * ndtr(sign[:, None] * d_prime / 2 - readiness)
    sought = fall
    if at is not None:
        sought = np.maximum(at_first + fall * np.log2(at / start_size), 0).round(_DECIMALS)
    return _with_blind(np.stack([yes, 1 - yes], axis=1), sought, prior)


def _ordinal(
    levels: np.ndarray,
    noise: np.ndarray,
    equality: np.ndarray,
    criterion: np.ndarray,
    lapse: np.ndarray,
    forced: bool,
) -> np.ndarray:
    x = (levels[:, None] - equality) / noise
    shares = np.moveaxis(answer_chances(x, criterion / noise, lapse[:, None], forced), -1, 1)
    return shares[:, [0, 2]] if forced else shares


def posterior(observers: Observers, trials: Iterable[Trial]) -> np.ndarray:
    """Return how likely each observer is after these trials, in any order; unread answers say nothing."""
    counts = np.zeros(observers.chances.shape[:2])
    for stimulus, answer in trials:
        if answer is not None:
            counts[stimulus, answer] += 1
    at = counts > 0
    logs = np.log(observers.prior) + np.einsum("t,tp->p", counts[at], observers.logs[at])
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def expected_information(observers: Observers, weights: np.ndarray) -> np.ndarray:
    """Return by how much an answer to each stimulus is expected to lower the entropy of the weights, in nats.

    That is the entropy of the answer less what it would be if the observer were known: what Watson minimises is the
    weights' entropy, the same for all stimuli, less this.
    """
    # einsum calls no BLAS, whose threads would spin.
    total = np.einsum("sop,p->so", observers.chances, weights)
    conditional = np.einsum("sp,p->s", observers.entropy, weights)
    return np.asarray(-xlogy(total, total).sum(axis=1) - conditional)


def next_stimulus(
    observers: Observers, trials: Sequence[Trial], available: Collection[int] | None = None
) -> int:
    """Return the stimulus to show next.

    Among those that promise the same, the one shown least often comes first, then the one with the least number.

    Args:
        observers: All that are thought possible.
        trials: So far.
        available: The stimuli that can be shown; None for all.

    Raises:
        ValueError: None can be shown.
    """
    gain = expected_information(observers, posterior(observers, trials)).round(_DECIMALS)
    shown = np.bincount([stimulus for stimulus, _ in trials], minlength=len(gain))
    possible = range(len(gain)) if available is None else sorted(available)
    if not possible:
        raise ValueError("expected at least one stimulus that can be shown, found none")
    return min(possible, key=lambda index: (-gain[index], shown[index], index))


def estimate(observers: Observers, trials: Iterable[Trial], confidence: float = 0.95) -> Estimate:
    """Return the median of the number that is sought and its credible interval.

    Between the grid's values the posterior is spread evenly.

    Args:
        observers: All that are thought possible.
        trials: In any order.
        confidence: Of the interval.
    """
    return _estimate_from(*_marginal(observers, trials), confidence)


def estimate_difference(
    first: tuple[Observers, Iterable[Trial]],
    second: tuple[Observers, Iterable[Trial]],
    confidence: float = 0.95,
) -> Estimate:
    """Return by how much the number of one curve exceeds that of another, known from trials of their own.

    Args:
        first: All observers that are thought possible, and the trials of one curve.
        second: The same of the curve that is subtracted.
        confidence: Of the interval.
    """
    (values, mass, blind), (others, other, also) = _marginal(*first), _marginal(*second)
    differences = np.subtract.outer(values, others).round(_DECIMALS).ravel()
    distinct, index = np.unique(differences, return_inverse=True)
    joint = np.bincount(index, np.multiply.outer(mass, other).ravel())
    return _estimate_from(distinct, joint, 1 - (1 - blind) * (1 - also), confidence)


def _marginal(
    observers: Observers, trials: Iterable[Trial]
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the values of the number, how likely each is among observers who look, and how likely one does not."""
    weights = posterior(observers, trials)
    looks = ~np.isnan(observers.sought)
    values, index = np.unique(observers.sought[looks], return_inverse=True)
    mass = np.bincount(index, weights[looks])
    seen = float(mass.sum())
    return values, mass / max(seen, _MIN_CHANCE), max(1 - seen, 0.0)


def _estimate_from(
    values: np.ndarray, mass: np.ndarray, blind: float, confidence: float
) -> Estimate:
    edges = np.concatenate([values[:1], (values[1:] + values[:-1]) / 2, values[-1:]])
    tail = (1 - confidence) / 2
    cumulative = np.concatenate([[0.0], np.cumsum(mass)])
    low, median, high = np.interp([tail, 0.5, 1 - tail], cumulative, edges)
    # An end may represent everything beyond it, as a d' of 0 does.
    low = values[0] if low < edges[1] else low
    high = values[-1] if high > edges[-2] else high
    return Estimate(float(median), float(low), float(high), blind)
