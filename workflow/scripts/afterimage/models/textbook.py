"""The reference responder ``textbook``: knows the name of the figure and never looks at the pixels.

The suite defines the textbook's answers: its part ``textbook`` is passed in.
"""

from collections.abc import Callable

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Reply, Request, one_by_one


def load(entry: ModelEntry, textbook: Callable[..., str]) -> Answer:
    """Return the responder; the setting ``rule`` is ``cued`` or ``gated``."""
    rule = entry.settings["rule"]

    def reply(request: Request) -> Reply:
        return Reply(request.number, textbook(request.metadata, rule))

    return lambda requests: one_by_one(requests, reply)


BACKEND = Backend(
    load, journaled=False, reference=True, at_once=True, reads_metadata=True, suite_part="textbook"
)
