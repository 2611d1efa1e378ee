"""The reference responder ``textbook``: knows what the figure is called and never looks at the pixels.

What the textbook says is the suite's knowledge: its part ``textbook`` is handed in.
"""

from collections.abc import Callable

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Reply, Request, one_by_one


def load(entry: ModelEntry, textbook: Callable[..., str]) -> Answer:
    """Return the responder; the setting ``rule`` is ``cued`` or ``gated``."""
    rule = entry.settings["rule"]

    def reply(request: Request) -> Reply:
        return Reply(request.number, textbook(request.beside, rule))

    return lambda requests: one_by_one(requests, reply)


BACKEND = Backend(
    load, journaled=False, reference=True, at_once=True, reads_beside=True, suite_part="textbook"
)
