"""The reference judge ``facts``: votes from what is known about an image, without a network and without a key.

What an answer deserves is the suite's knowledge: ``reference`` of its ``Judge`` is handed in. A share of the answers
divides the rounds, as it does those of a model: in fewer than half of them the vote is another. So the majority is
always what the facts say, and the mean is off by no more than the share of rounds that dissent.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from random import Random
from typing import Any

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Failure, Reply, Request

#: The reply where the facts do not tell; it holds no digit, so it does not count.
CANNOT_TELL = "cannot tell"


def load(
    entry: ModelEntry, deserved: Callable[[Mapping[str, Any], str, str], int | None]
) -> Answer:
    """Return the judge; settings: ``seed`` and ``disagreement``, the share of answers that divide the rounds."""

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for request in requests:
            asked = request.beside
            value = deserved(asked["item"], asked["prompt"], asked["answer"])
            for repeat in request.repeats:
                said = CANNOT_TELL
                if value is not None:
                    votes = _votes(value, asked["values"], asked["rounds"], entry.settings, request)
                    said = str(votes[repeat % asked["rounds"]])
                yield Reply(request.number, said, repeat=repeat)

    return answer


def _votes(
    value: int, values: Collection[int], rounds: int, settings: Mapping[str, Any], request: Request
) -> list[int]:
    """Return the vote of each round; which dissent follows from the seed and from what was asked."""
    digest = hashlib.sha256(f"{settings['seed']} {request.sha256}".encode()).digest()
    source = Random(int.from_bytes(digest))
    votes = [value] * rounds
    most = (rounds - 1) // 2
    if most and source.random() < settings["disagreement"]:
        other = source.choice([one for one in sorted(values) if abs(one - value) == 1])
        for place in source.sample(range(rounds), source.randint(1, most)):
            votes[place] = other
    return votes


BACKEND = Backend(load, journaled=False, reference=True, reads_beside=True, judges=True)
