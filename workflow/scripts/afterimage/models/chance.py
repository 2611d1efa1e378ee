"""The reference responder ``chance``: a seeded guess over the options."""

import hashlib
from collections.abc import Mapping
from typing import Any

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Reply, Request, one_by_one


def load(entry: ModelEntry, part: None = None) -> Answer:
    """Return the responder; the setting ``seed`` selects the sequence of guesses."""
    seed = entry.settings["seed"]

    def reply(request: Request) -> Reply:
        return Reply(request.number, _guess(seed, request.metadata))

    return lambda requests: one_by_one(requests, reply)


def _guess(seed: int, metadata: Mapping[str, Any]) -> str:
    import numpy as np

    # Seeded by the item, not by its position in the shard: other items or shards change no guess.
    identity = hashlib.sha256(f"{seed} {metadata['item_id']}".encode()).digest()
    generator = np.random.default_rng(int.from_bytes(identity))
    texts: list[str] = [text for _, text in metadata["options"]]
    return texts[generator.integers(len(texts))]


BACKEND = Backend(load, journaled=False, reference=True, at_once=True, reads_metadata=True)
