"""The reference responder ``chance``: a seeded guess over the options."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from afterimage.models.interface import Answer, Reply, Request

READS_BESIDE = True
JOURNALED = False
REFERENCE = True


def load(entry: Mapping, suite: str) -> Answer:
    """Return the responder; ``entry["settings"]["seed"]`` chooses one of its many selves."""
    seed = entry["settings"]["seed"]

    def answer(requests: Iterable[Request]) -> Iterator[Reply]:
        for request in requests:
            yield Reply(request.number, _guess(seed, request.beside))

    return answer


def _guess(seed: int, beside: Mapping) -> str:
    # Seeded by the item, not by its place in the shard: other items or shards change no guess.
    identity = hashlib.sha256(f"{seed} {beside['item_id']}".encode()).digest()
    generator = np.random.default_rng(int.from_bytes(identity))
    texts = [text for _, text in beside["options"]]
    return texts[generator.integers(len(texts))]
