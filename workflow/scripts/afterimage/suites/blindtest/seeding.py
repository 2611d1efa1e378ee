"""Random numbers that follow from what something is, not from when it is drawn."""

import hashlib
from collections.abc import Callable, Mapping
from functools import wraps

import numpy as np

#: What names a base figure: seed, figure and cell.
Identity = tuple[int, str, str]


def generator(seed: int, *identity: str) -> np.random.Generator:
    """Return the generator of one base figure; no other figure's draws change it."""
    text = "/".join(("blindtest", str(seed), *identity))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()))


def seeded(
    geometry: Callable[[Mapping, np.random.Generator, int], dict],
) -> Callable[[Mapping, Identity, int], dict]:
    """Let a function of levels, generator and copy take, in the generator's place, what names the base figure."""

    @wraps(geometry)
    def of(levels: Mapping, identity: Identity, copy: int) -> dict:
        return geometry(levels, generator(*identity), copy)

    return of
