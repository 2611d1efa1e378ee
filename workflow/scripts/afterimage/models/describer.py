"""The reference responder ``describer``: knows an image's facts, and describes a known share of images wrongly.

The suite defines the errors: its part ``describer`` is passed in. Of two describers with the same seed, the one with
smaller shares makes a subset of the other's errors, so that the better one is known beforehand.
"""

import hashlib
from collections.abc import Callable

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Reply, Request, one_by_one

_STEPS = 1 << 64


def load(entry: ModelEntry, describe: Callable[..., str]) -> Answer:
    """Return the responder; settings: ``seed``, ``errors`` (kind to share of images), ``corrected`` (share of them)."""
    seed, errors, corrected = (entry.settings[key] for key in ("seed", "errors", "corrected"))

    def reply(request: Request) -> Reply:
        metadata = request.metadata

        def errs(kind: str, after_first_step: bool = False) -> bool:
            share: float = errors[kind] * (1 - corrected if after_first_step else 1)
            return _random_share(seed, kind, metadata["stimulus_id"]) < share

        return Reply(request.number, describe(metadata, request.messages[-1].text, errs))

    return lambda requests: one_by_one(requests, reply)


def _random_share(seed: int, kind: str, stimulus_id: str) -> float:
    """Return a number from 0 to 1; the description of the image has this error if it is below the error's share."""
    digest = hashlib.sha256(f"{seed} {kind} {stimulus_id}".encode()).digest()
    return int.from_bytes(digest[:8]) / _STEPS


BACKEND = Backend(
    load,
    journaled=False,
    reference=True,
    judged=True,
    at_once=True,
    reads_metadata=True,
    suite_part="describer",
)
