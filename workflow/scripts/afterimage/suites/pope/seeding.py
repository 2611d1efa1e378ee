"""Random numbers that follow from what something is, never from when it is drawn."""

import hashlib

import numpy as np


def generator(seed: int, *identity: str) -> np.random.Generator:
    """Return the generator of one (dataset, strategy, image id), or of one scene; no other draw changes it."""
    text = "/".join(("pope", str(seed), *identity))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()))


def rank(seed: int, *identity: str) -> str:
    """Return a key that puts things in an order of chance; one more thing moves no other's place among the rest."""
    return hashlib.sha256("/".join(("pope", str(seed), *identity)).encode()).hexdigest()
