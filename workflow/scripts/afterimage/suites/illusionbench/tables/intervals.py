"""Intervals over images: several answers about an image, and those of several people, may be alike."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from afterimage.showing.bounds import Interval, score_bounds, statistic_bounds
from afterimage.showing.declaration import Settings
from afterimage.showing.values import Group, Kind


@dataclass(frozen=True)
class OverImages:
    """Bounds of a mean of numbers from 0 to ``top``, as :class:`exact.Exact`; images are the clusters.

    Attributes:
        of_what: The column with the number of each answer; answers without one do not count.
        among: The column that tells which answers count.
        top: The highest number.
    """

    of_what: str
    among: str
    top: float = 1.0
    kind: Kind = "number"
    names = ("low", "high")

    def of(self, group: Group) -> Interval:
        """Return both bounds."""
        counted = group.answers.dropna(subset=[self.of_what, self.among])
        counted = counted[counted[self.among] > 0]
        images = counted["stimulus_id"]
        return Interval(*score_bounds(counted[self.of_what], images, group.settings, self.top))


def bounds_of(
    counts: np.ndarray,
    images: Sequence[str],
    statistics: Callable[[np.ndarray], np.ndarray],
    settings: Settings,
    identity: str,
) -> list[Interval]:
    """Return percentile intervals of statistics of summed counts that are no means, from resampling images.

    Args:
        counts: What is counted of each image, shape (images, kinds).
        images: Their names.
        statistics: See :func:`afterimage.showing.bounds.statistic_bounds`.
        settings: "confidence", "resamples" and "seed".
        identity: What the statistics are of.
    """
    seed = [settings["seed"], zlib.crc32(identity.encode())]
    found = statistic_bounds(counts, images, statistics, settings, seed)
    return [
        Interval(float(low), float(high)) for low, high in zip(found.low, found.high, strict=True)
    ]
