"""Random numbers that follow from what is drawn."""

import numpy as np

from afterimage.suites.texture.seeding import rank


def generator(seed: int, *identity: str) -> np.random.Generator:
    """Return the generator of one image; no other image's draws change it."""
    return np.random.default_rng(int(rank(seed, *identity), 16))
