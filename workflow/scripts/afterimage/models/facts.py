"""The reference judge ``facts``: votes from the known facts of an image, without a network and without a key.

The suite knows the right vote: ``reference`` of its ``Judge`` is passed in. For a share of the answers the rounds
disagree, as those of a model do: fewer than half of them vote otherwise. So the majority always follows the facts, and
the mean is off by no more than the share of dissenting rounds.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from random import Random
from typing import Any

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Failure, Reply, Request

#: The reply where the facts do not determine the vote; it has no digit, so it does not count.
CANNOT_TELL = "cannot tell"


def load(
    entry: ModelEntry, deserved: Callable[[Mapping[str, Any], str, str], int | None]
) -> Answer:
    """Return the judge; settings: ``seed`` and ``disagreement``, the share of answers on which rounds disagree."""

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for request in requests:
            metadata = request.metadata
            value = deserved(metadata["item"], metadata["prompt"], metadata["answer"])
            for repeat in request.repeats:
                text = CANNOT_TELL
                if value is not None:
                    votes = _votes(
                        value, metadata["values"], metadata["rounds"], entry.settings, request
                    )
                    text = str(votes[repeat % metadata["rounds"]])
                yield Reply(request.number, text, repeat=repeat)

    return answer


def _votes(
    value: int, values: Collection[int], rounds: int, settings: Mapping[str, Any], request: Request
) -> list[int]:
    """Return the vote of each round; the seed and the request determine which rounds dissent."""
    digest = hashlib.sha256(f"{settings['seed']} {request.sha256}".encode()).digest()
    generator = Random(int.from_bytes(digest))
    votes = [value] * rounds
    most_dissenting = (rounds - 1) // 2
    if most_dissenting and generator.random() < settings["disagreement"]:
        other = generator.choice([vote for vote in sorted(values) if abs(vote - value) == 1])
        for round_index in generator.sample(range(rounds), generator.randint(1, most_dissenting)):
            votes[round_index] = other
    return votes


BACKEND = Backend(load, journaled=False, reference=True, reads_metadata=True, judges=True)
