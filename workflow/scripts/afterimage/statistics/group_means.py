"""The mean of several shares (a macro average): Wilson's interval on what the mean is worth.

Adding up the groups' own bounds falls short where groups are at 0 or 1, which have no distance to that side, and more
so where the groups share their clusters.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from afterimage.statistics.intervals import FloatArray, wilson
from afterimage.statistics.shares import Share


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
        they share them. NaN where a group has no answers.

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
    worth = float(mean_worth(estimates, [group.worth for group in groups], correlations))
    low, high = wilson(mean, worth, confidence)
    most = sum(group.most for group in groups)
    return Share(mean, float(low), float(high), n, clusters, worth, most)


def mean_worth(
    shares: ArrayLike, worths: ArrayLike, correlations: ArrayLike | None = None
) -> FloatArray:
    """Return n* of the unweighted mean of K shares p_i that are each worth n_i* answers.

    ::

        least = 1 / sum_ij R_ij / (K^2 sqrt(n_i* n_j*))
        v     = sum_ij R_ij s_i s_j / K^2,   s_i^2 = q_i (1 - q_i)/n_i*,  q_i = (n_i* p_i + 1/2)/(n_i* + 1)
        n*    = max(least, q (1 - q)/v),     q = (least p + 1/2)/(least + 1)

    Args:
        shares: p_i, shape (..., groups).
        worths: n_i*, shape (..., groups).
        correlations: R, shape (..., groups, groups); none for separate clusters, where it is the identity.

    Returns:
        Shape (...).
    """
    p, each = np.asarray(shares, dtype=float), np.asarray(worths, dtype=float)
    groups = p.shape[-1]
    matrix = np.eye(groups) if correlations is None else np.asarray(correlations, dtype=float)

    def variance(errors: FloatArray) -> FloatArray:
        found: FloatArray = np.einsum("...i,...ij,...j->...", errors, matrix, errors) / groups**2
        return found

    least = 1 / variance(1 / np.sqrt(each))
    q = (each * p + 0.5) / (each + 1)
    mean = (least * p.mean(axis=-1) + 0.5) / (least + 1)
    found: FloatArray = np.maximum(least, mean * (1 - mean) / variance(np.sqrt(q * (1 - q) / each)))
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
    own = np.sqrt(np.einsum("...ii->...i", found))
    correlations: FloatArray = found / own[..., :, None] / own[..., None, :]
    return correlations
