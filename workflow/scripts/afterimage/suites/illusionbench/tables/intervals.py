"""Intervals over images: what all models answered about an image is drawn together."""

import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from afterimage.showing.bounds import statistic_bounds
from afterimage.showing.declaration import Settings


class Bounds(NamedTuple):
    """Lower and upper bound; NaN where undefined."""

    low: float
    high: float


def ratio_bounds(
    frame: pd.DataFrame,
    names: Sequence[str],
    by: str,
    above: str,
    below: str,
    settings: Settings,
    identity: str,
) -> dict[str, Bounds]:
    """Return percentile intervals of ratios of sums, one for each name, from resampling images.

    The same resamples serve all names, so that models are compared on the same images.

    Args:
        frame: One row per answer: ``stimulus_id``, the column ``by`` and two columns of numbers.
        names: Values of ``by``, in order.
        by: The column that tells the ratios apart, e.g. "model".
        above: The column that is summed above the line.
        below: The column that is summed below it.
        settings: "confidence", "resamples" and "seed".
        identity: What the ratios are of; it seeds the resamples together with the seed.
    """
    if frame.empty:
        return dict.fromkeys(names, Bounds(float("nan"), float("nan")))
    sums = frame.groupby(["stimulus_id", by])[[above, below]].sum().unstack(fill_value=0.0)
    counts = np.hstack(
        [
            sums[kind].reindex(columns=list(names), fill_value=0.0).to_numpy()
            for kind in (above, below)
        ]
    )
    found = bounds_of(counts, list(sums.index), _ratio(len(names)), settings, identity)
    return dict(zip(names, found, strict=True))


def bounds_of(
    counts: np.ndarray,
    images: Sequence[str],
    statistics: Callable[[np.ndarray], np.ndarray],
    settings: Settings,
    identity: str,
) -> list[Bounds]:
    """Return percentile intervals of statistics of summed counts, from resampling images.

    Args:
        counts: What is counted of each image, shape (images, kinds).
        images: Their names.
        statistics: See :func:`afterimage.statistics.clustered.cluster_intervals`.
        settings: "confidence", "resamples" and "seed".
        identity: What the statistics are of.
    """
    seed = [settings["seed"], zlib.crc32(identity.encode())]
    found = statistic_bounds(counts, images, statistics, settings, seed)
    return [
        Bounds(float(low), float(high)) for low, high in zip(found.low, found.high, strict=True)
    ]


def _ratio(count: int) -> Callable[[np.ndarray], np.ndarray]:
    def ratio(sums: np.ndarray) -> np.ndarray:
        below = sums[:, count:]
        return np.divide(sums[:, :count], below, out=np.full(below.shape, np.nan), where=below > 0)

    return ratio
