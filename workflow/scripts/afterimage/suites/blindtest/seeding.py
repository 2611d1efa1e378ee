"""Random numbers that follow from what something is, not from when it is drawn."""

import hashlib

import numpy as np


def generator(seed: int, *identity: str) -> np.random.Generator:
    """Return the generator of one base figure; no other figure's draws change it."""
    text = "/".join(("blindtest", str(seed), *identity))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()))
