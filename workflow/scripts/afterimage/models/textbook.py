"""The reference responder ``textbook``: knows what the figure is called and never looks at the pixels.

What the textbook says is the suite's knowledge; see ``textbook.py`` of the suite.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

from afterimage.models.interface import Answer, Reply, Request

READS_BESIDE = True
JOURNALED = False
REFERENCE = True
SUITE_MODULES = ("textbook",)


def load(entry: Mapping, suite: str) -> Answer:
    """Return the responder; ``entry["settings"]["rule"]`` is ``cued`` or ``gated``."""
    rule = entry["settings"]["rule"]
    knowledge = import_module(f"afterimage.suites.{suite}.textbook")

    def answer(requests: Iterable[Request]) -> Iterator[Reply]:
        for request in requests:
            yield Reply(request.number, knowledge.answer(request.beside, rule))

    return answer
