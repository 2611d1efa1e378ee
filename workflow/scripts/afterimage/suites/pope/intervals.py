"""Intervals of the scores: shares of answers whose clusters are images, and F1 from one."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from afterimage.showing.bounds import f1_bounds, share_bounds
from afterimage.suites.pope.metrics import COUNTS, SCORES, scores


def bounds_of_scores(
    counts: np.ndarray, images: Sequence[Hashable], settings: Mapping
) -> dict[str, tuple[float, float]]:
    """Return the bounds of each of :data:`metrics.SCORES` in percent, NaN where the score is undefined.

    Args:
        counts: One row per answer, see :func:`metrics.count`, shape (answers, 6).
        images: The image of each answer.
        settings: "confidence".
    """
    kinds = dict(zip(COUNTS, counts.T > 0, strict=True))
    hit, said_yes = kinds["tp"], kinds["tp"] | kinds["fp"]
    positive = hit | kinds["fn"] | kinds["unread_yes"]
    everything = np.ones(len(counts), dtype=bool)
    shown = np.asarray(images, dtype=object)

    def share(part: np.ndarray, whole: np.ndarray) -> tuple[float, float]:
        return share_bounds(part[whole], shown[whole], settings)

    found = {
        "accuracy": share(hit | kinds["tn"], everything),
        "precision": share(hit, said_yes),
        "recall": share(hit, positive),
        "f1": f1_bounds(hit, (said_yes | positive) & ~hit, images, settings),
        "yes_ratio": share(said_yes, everything),
    }
    undefined = dict(zip(SCORES, np.isnan(scores(counts.sum(axis=0))), strict=True))
    return {name: (np.nan, np.nan) if undefined[name] else bounds for name, bounds in found.items()}
