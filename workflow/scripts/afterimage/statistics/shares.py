"""Shares, mean scores and F1 of clustered answers, and means of several shares.

A cluster is the coarsest thing that was drawn and whose answers can be correlated: an illusion before its variants, an
image before the questions about it. No interval has zero width, even if all answers are alike.

A macro average of shares has Wilson's interval on its effective number of answers. Adding up the groups' own bounds
would be too narrow if groups are at 0 or 1, whose bounds have no distance on that side, and more so if groups share
clusters.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import (
    FloatArray,
    effective_answers,
    max_effective_answers,
    sized,
    totals,
    wilson,
)


class Share(NamedTuple):
    """A share, or another number from 0 to 1, with its interval.

    Attributes:
        estimate: The number as it is printed, 0 to 1; NaN without answers, as all that follows but the counts.
        low: Lower bound, 0 to 1.
        high: Upper bound, above ``low``.
        n: Answers.
        clusters: Clusters with at least one of them.
        effective_n: n*, the effective number of answers.
        max_n: Upper limit of n*: n, more for scores between 0 and 1.
    """

    estimate: float
    low: float
    high: float
    n: int
    clusters: int
    effective_n: float
    max_n: float


def clustered_share(
    right: ArrayLike, clusters: Sequence[Hashable], confidence: float = 0.95
) -> Share:
    """Return the share of right answers, or of answers with any other property; see :func:`share_of_totals`.

    Args:
        right: Whether each answer is right, shape (answers,), truth values or 0 and 1.
        clusters: The cluster of each answer, shape (answers,).
        confidence: Coverage, between 0 and 1.
    """
    sizes, successes = totals(clusters, right)
    return share_of_totals(successes, sizes, confidence)


def share_of_totals(successes: ArrayLike, sizes: ArrayLike, confidence: float = 0.95) -> Share:
    """Return the share k/n of clustered answers with Wilson's interval on n*.

    Also for precision, recall, the share of yes and every other ratio whose denominator counts units: ``sizes`` is then
    the denominator. With one answer per cluster this is Wilson's interval of k out of n; where each
    cluster is all right or all wrong, of so many clusters. :mod:`afterimage.statistics.intervals` has the formulae.

    Args:
        successes: y_g of each cluster, 0 to its size, shape (clusters,).
        sizes: m_g, answers of each cluster, shape (clusters,); a cluster without any does not count.
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: The shapes differ, or a cluster has more successes than answers.
    """
    y, m = _checked(successes, sizes)
    return _bounded(y, m, None, confidence)


def clustered_score(
    scores: ArrayLike, clusters: Sequence[Hashable], top: float = 2.0, confidence: float = 0.95
) -> Share:
    """Return the mean of scores from 0 to ``top`` as a share of ``top``; multiply by ``top`` for points.

    As for shares, but scores in between vary less than right or wrong answers with the same mean, which raises the
    upper limit of n*.

    Args:
        scores: 0 to ``top``, shape (answers,).
        clusters: The cluster of each answer, shape (answers,).
        top: The highest score.
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: The shapes differ, or a score is outside of its range.
    """
    part = np.asarray(scores, dtype=float) / top
    if part.size and not (part.min() >= 0 and part.max() <= 1):
        raise ValueError(
            f"expected scores from 0 to {top}, found {top * part.min()} to {top * part.max()}"
        )
    sizes, sums = totals(clusters, part)
    return _bounded(sums, sizes, float((part**2).sum()), confidence)


def f1_of_totals(true_positives: ArrayLike, mistakes: ArrayLike, confidence: float = 0.95) -> Share:
    """Return F1 = 2 J / (1 + J) with J = tp / (tp + fp + fn), the bounds carried over from those of J.

    F1 is no share, but J (Jaccard's index) is: of the units that are positive or were called so, how many are both.
    F1 rises with J, so the bounds of the one are those of the other.

    Args:
        true_positives: tp of each cluster, shape (clusters,).
        mistakes: fp + fn of each cluster, shape (clusters,).
        confidence: Coverage, between 0 and 1.

    Returns:
        F1 with its bounds; n, clusters and effective_n are those of J.
    """
    hits = np.asarray(true_positives, dtype=float)
    index = share_of_totals(hits, hits + np.asarray(mistakes, dtype=float), confidence)
    estimate, low, high = (2 * bound / (1 + bound) for bound in index[:3])
    return index._replace(estimate=estimate, low=low, high=high)


def _bounded(y: FloatArray, m: FloatArray, squares: float | None, confidence: float) -> Share:
    n = float(m.sum())
    if not n:
        return Share(math.nan, math.nan, math.nan, 0, 0, math.nan, math.nan)
    sizes = sized(m)
    max_n = n if squares is None else float(max_effective_answers(y, squares, sizes))
    found = float(effective_answers(y, sizes, confidence, max_n))
    estimate = float(y.sum()) / n
    low, high = wilson(estimate, found, confidence)
    return Share(estimate, float(low), float(high), round(n), len(m), found, max_n)


def _checked(successes: ArrayLike, sizes: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return successes and sizes of the clusters that have answers."""
    y, m = np.asarray(successes, dtype=float), np.asarray(sizes, dtype=float)
    if y.shape != m.shape or y.ndim != 1:
        raise ValueError(f"expected one size per cluster, found {m.shape} for {y.shape}")
    if not ((y >= 0) & (y <= m)).all():
        raise ValueError("expected 0 to as many successes as a cluster has answers, found others")
    return y[m > 0], m[m > 0]


# ---- group means ----


def mean_of_shares(
    groups: Sequence[Share], correlations: ArrayLike | None = None, confidence: float = 0.95
) -> Share:
    """Return the unweighted mean of shares with its interval.

    Args:
        groups: At least one, all with the confidence of the mean.
        correlations: R, shape (groups, groups), of groups that share their clusters, see :func:`group_correlations`;
            none for separate clusters.
        confidence: Coverage, between 0 and 1.

    Returns:
        The mean; ``n`` and ``clusters`` are summed over the groups, ``clusters`` is the greatest of the groups' where
        they share them. NaN if a group has no answers.

    Raises:
        ValueError: There is no group.
    """
    if not groups:
        raise ValueError("expected at least one group, found none")
    n = sum(group.n for group in groups)
    each = [group.clusters for group in groups]
    clusters = sum(each) if correlations is None else max(each)
    estimates = [group.estimate for group in groups]
    mean = math.fsum(estimates) / len(groups)
    effective_n = float(
        effective_mean(estimates, [group.effective_n for group in groups], correlations)
    )
    low, high = wilson(mean, effective_n, confidence)
    max_n = sum(group.max_n for group in groups)
    return Share(mean, float(low), float(high), n, clusters, effective_n, max_n)


def effective_mean(
    shares: ArrayLike, effective_ns: ArrayLike, correlations: ArrayLike | None = None
) -> FloatArray:
    """Return n* of the unweighted mean of K shares p_i with n_i* effective answers each.

    ::

        least = 1 / sum_ij R_ij / (K^2 sqrt(n_i* n_j*))
        v     = sum_ij R_ij s_i s_j / K^2,   s_i^2 = q_i (1 - q_i)/n_i*,  q_i = (n_i* p_i + 1/2)/(n_i* + 1)
        n*    = max(least, q (1 - q)/v),     q = (least p + 1/2)/(least + 1)

    Args:
        shares: p_i, shape (..., groups).
        effective_ns: n_i*, shape (..., groups).
        correlations: R, shape (..., groups, groups); none for separate clusters, where it is the identity.

    Returns:
        Shape (...).
    """
    p, each = np.asarray(shares, dtype=float), np.asarray(effective_ns, dtype=float)
    groups = p.shape[-1]
    matrix = np.eye(groups) if correlations is None else np.asarray(correlations, dtype=float)

    def variance(errors: FloatArray) -> FloatArray:
        found: FloatArray = np.einsum("...i,...ij,...j->...", errors, matrix, errors) / groups**2
        return found

    lower_bound = 1 / variance(1 / np.sqrt(each))
    q = (each * p + 0.5) / (each + 1)
    mean = (lower_bound * p.mean(axis=-1) + 0.5) / (lower_bound + 1)
    found: FloatArray = np.maximum(
        lower_bound, mean * (1 - mean) / variance(np.sqrt(q * (1 - q) / each))
    )
    return found


def group_correlations(successes: ArrayLike, sizes: ArrayLike) -> FloatArray:
    """Return the correlations of shares over the same clusters, drawn towards 1 by half clusters.

    ::

        R_ij = c_ij / sqrt(c_ii c_jj),   e_ig = y_ig - m_ig p_i
        c_ij = sum_g e_ig e_jg + (M_i M_j/2) ((1 - p_i)(1 - p_j) + p_i p_j)

    Towards 1 is the careful side for a mean, as towards 0 is for a difference.

    Args:
        successes: y_ig, shape (..., groups, clusters).
        sizes: m_ig, shape (groups, clusters), or (clusters,) where all groups have the same; 0 where a cluster has no
            answer in a group. No group without answers.

    Returns:
        Shape (..., groups, groups); ones on the diagonal.
    """
    y = np.asarray(successes, dtype=float)
    m = np.broadcast_to(np.asarray(sizes, dtype=float), y.shape[-2:])
    p = y.sum(axis=-1) / m.sum(axis=-1)
    typical = (m**2).sum(axis=-1) / m.sum(axis=-1)
    apart = y - m * p[..., None]
    halves = (1 - p[..., :, None]) * (1 - p[..., None, :]) + p[..., :, None] * p[..., None, :]
    found = np.einsum("...ig,...jg->...ij", apart, apart)
    found = found + typical[:, None] * typical * halves / 2
    deviations = np.sqrt(np.einsum("...ii->...i", found))
    correlations: FloatArray = found / deviations[..., :, None] / deviations[..., None, :]
    return correlations
