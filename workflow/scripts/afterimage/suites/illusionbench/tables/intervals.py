"""Intervals over images: what all models answered about an image is drawn together."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from afterimage.showing.bounds import UNDEFINED, Interval, statistic_bounds
from afterimage.showing.declaration import Settings
from afterimage.showing.values import Group, Kind, Together


@dataclass(frozen=True)
class OverImages(Together):
    """Bounds of a ratio of sums, as :class:`exact.Exact`, from resampling images.

    The same resamples serve all rows with the same identity, so that models are compared on the same images.

    Attributes:
        above: The column that is summed above the line.
        below: The column that is summed below it.
        identity: What the ratios are of, with slots for what names a row; it seeds the resamples together with the
            seed.
    """

    above: str
    below: str
    identity: str
    kind: Kind = "number"
    names = ("low", "high")

    def of_all(self, groups: Sequence[Group]) -> Sequence[Interval]:
        """Return the bounds of every row."""
        identities = [self.identity.format(**group.row) for group in groups]
        found = dict.fromkeys(range(len(groups)), UNDEFINED)
        for identity in dict.fromkeys(identities):
            places = [place for place, own in enumerate(identities) if own == identity]
            sums = self._sums([groups[place].answers for place in places])
            if len(sums):
                settings = groups[0].settings
                bounds = bounds_of(sums.to_numpy(), list(sums.index), _ratios, settings, identity)
                found |= zip(places, bounds, strict=True)
        return list(found.values())

    def _sums(self, answers: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Return of each image what every row sums above the line, and then what it sums below it."""
        both = [self.above, self.below]
        of_rows = [own.dropna(subset=both).groupby("stimulus_id")[both].sum() for own in answers]
        columns = [sums[name] for name in both for sums in of_rows]
        return pd.concat(columns, axis=1).fillna(0.0)


def bounds_of(
    counts: np.ndarray,
    images: Sequence[str],
    statistics: Callable[[np.ndarray], np.ndarray],
    settings: Settings,
    identity: str,
) -> list[Interval]:
    """Return percentile intervals of statistics of summed counts, from resampling images.

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


def _ratios(sums: np.ndarray) -> np.ndarray:
    above, below = np.hsplit(sums, 2)
    return np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
