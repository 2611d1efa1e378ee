"""Editions of a drawn suite: the same design, its chance decided anew. Standard library only."""

import hashlib
from typing import Any

from afterimage.contract.settings import setting

#: The edition that is drawn where nothing is said; who publishes its images publishes what models may have learned.
PUBLIC = 1


def edition_in_use() -> Any:
    """Declare the setting ``edition``; only for suites of which every image follows from the seed."""
    return setting(
        PUBLIC,
        "Another number draws every image anew after the same design, for a fresh twin of the public set (1).",
        minimum=PUBLIC,
    )


def edition_seed(seed: int, edition: int) -> int:
    """Return what an edition is drawn with: the seed itself for the public one, else 0 to 2^63 - 1 hashed from both.

    Args:
        seed: The suite's setting.
        edition: 1 or more.
    """
    if edition == PUBLIC:
        return seed
    digest = hashlib.sha256(f"edition/{edition}/{seed}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
