"""Random numbers that follow from what something is, not from when it is drawn."""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from afterimage.contract.stimulus import Json
from afterimage.suites.blindtest.copies import Identity


def generator(seed: int, *identity: str) -> np.random.Generator:
    """Return the generator of one base figure; no other figure's draws change it."""
    text = "/".join(("blindtest", str(seed), *identity))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()))


def seeded(
    geometry: Callable[[Json, np.random.Generator, int], dict[str, Any]],
) -> Callable[[Json, Identity, int], dict[str, Any]]:
    """Let a function of levels, generator and copy take, in the generator's place, what names the base figure."""

    @wraps(geometry)
    def of(levels: Json, identity: Identity, copy: int) -> dict[str, Any]:
        return geometry(levels, generator(*identity), copy)

    return of
