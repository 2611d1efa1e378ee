"""Discs packed at random, none nearer to another than a gap."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.spatial.distance import cdist


def packed(
    tried: Callable[[float], np.ndarray], radii: Sequence[float], gap: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return centres, shape (discs, 2), and radii of discs that keep clear of each other.

    Args:
        tried: Returns the centres that are tried for a radius, one after the other, shape (n, 2).
        radii: In the order in which they are packed, large ones first.
        gap: Least distance between two rims.
    """
    centres, taken = np.empty((0, 2)), np.empty(0)
    for radius in radii:
        places = tried(radius)
        # Most places are lost to discs of other radii, which are looked at all at once.
        apart = cdist(places, centres, "sqeuclidean")
        for centre in places[(apart >= (taken + radius + gap) ** 2).all(axis=1)]:
            near = ((centres - centre) ** 2).sum(axis=1)
            if (near >= (taken + radius + gap) ** 2).all():
                centres, taken = np.vstack([centres, centre]), np.append(taken, radius)
    return centres, taken
