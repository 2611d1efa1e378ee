"""Graded answers to search fields as counts by set size and group of replicates, and numbers with bounds from these.

The groups are what the jackknife leaves out, one at a time; each has the target once in each quadrant.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from afterimage.showing.bounds import jackknife_bounds, with_width
from afterimage.statistics.detection import Detection, detection, weighted_slope
from afterimage.suites.search.names import NO, YES

#: The last axis of counts: yes and answers that were read, with and without a target; right answers and all.
HITS, PRESENT_N, FALSE_ALARMS, ABSENT_N, RIGHT, ALL = range(6)


def counted(answers: pd.DataFrame) -> np.ndarray:
    """Return what was answered, shape (set sizes, groups, 6), set sizes ascending (:func:`set_sizes`).

    An answer that could not be read is neither yes nor no: it is among all answers alone, and counts as wrong there.

    Args:
        answers: Graded, factors as columns: ``set_size``, ``group``, ``key``, ``answer``, ``correct``.
    """
    sizes, place = np.unique(answers["set_size"].astype(int), return_inverse=True)
    names, group = np.unique(answers["group"], return_inverse=True)
    counts = np.zeros((len(sizes), len(names), 6))
    key, said = answers["key"], answers["answer"]
    read = said.isin([YES, NO])
    kinds = {
        HITS: (key == YES) & (said == YES),
        PRESENT_N: (key == YES) & read,
        FALSE_ALARMS: (key == NO) & (said == YES),
        ABSENT_N: (key == NO) & read,
        RIGHT: answers["correct"].astype(bool),
        ALL: pd.Series(True, index=answers.index),
    }
    for kind, holds in kinds.items():
        chosen = holds.to_numpy(bool)
        np.add.at(counts, (place[chosen], group[chosen], kind), 1)
    return counts


def set_sizes(answers: pd.DataFrame) -> np.ndarray:
    """Return the numbers of items, ascending."""
    return np.unique(answers["set_size"].astype(int))


def detected(counts: np.ndarray) -> Detection:
    """Return what hits and false alarms say; counts of shape (..., 6)."""
    kinds = (HITS, PRESENT_N, FALSE_ALARMS, ABSENT_N)
    return detection(*(counts[..., kind] for kind in kinds))


def sensitivity_per_doubling(counts: np.ndarray, sizes: np.ndarray) -> float:
    """Return by how much d' changes when the number of items doubles, from counts of shape (set sizes, 6)."""
    found = detected(counts)
    return weighted_slope(np.log2(sizes), found.sensitivity, 1 / found.variance)


def points_per_item(counts: np.ndarray, sizes: np.ndarray) -> float:
    """Return by how many percentage points one more item changes accuracy, from counts of shape (set sizes, 6)."""
    n = np.where(counts[:, ALL] > 0, counts[:, ALL], np.nan)
    return weighted_slope(sizes, 100 * counts[:, RIGHT] / n, n)


def with_bounds(
    statistic: Callable[[np.ndarray], float], counts: np.ndarray, settings: Mapping
) -> tuple[float, float, float]:
    """Return a statistic of counts summed over groups, and its bounds by the jackknife over groups.

    Args:
        statistic: From counts without the axis of groups to a number; NaN where undefined.
        counts: Shape (..., groups, 6).
        settings: "confidence".

    Returns:
        The number and its bounds. Groups that all answered alike say nothing of others: NaN.
    """
    whole, groups = counts.sum(axis=-2), counts.shape[-2]
    # Adding nothing turns a minus zero into zero.
    estimate = round(statistic(whole), 12) + 0.0
    # Scaled to as many answers as there are, so that the correction of rates weighs as much as in the whole.
    scale = groups / max(groups - 1, 1)
    without = np.array(
        [statistic((whole - counts[..., group, :]) * scale) for group in range(groups)]
    )
    return estimate, *with_width(*jackknife_bounds(estimate, without, settings))
