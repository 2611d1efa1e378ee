"""The reference responder ``describer``: knows an image's facts, and describes a known share of images wrongly.

Which errors there are is the suite's knowledge: its part ``describer`` is handed in. Of two describers with one seed
the one with the smaller shares makes some of the other's errors and no further ones, so that it is known beforehand
which of them describes better.
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
        beside = request.beside

        def errs(kind: str, after_first_step: bool = False) -> bool:
            share: float = errors[kind] * (1 - corrected if after_first_step else 1)
            return _place(seed, kind, beside["stimulus_id"]) < share

        return Reply(request.number, describe(beside, request.messages[-1].text, errs))

    return lambda requests: one_by_one(requests, reply)


def _place(seed: int, kind: str, stimulus_id: str) -> float:
    """Return where an image stands, from 0 to 1, among all of which some are described with an error of a kind."""
    digest = hashlib.sha256(f"{seed} {kind} {stimulus_id}".encode()).digest()
    return int.from_bytes(digest[:8]) / _STEPS


BACKEND = Backend(
    load,
    journaled=False,
    reference=True,
    judged=True,
    at_once=True,
    reads_beside=True,
    suite_part="describer",
)
