"""The reference responder ``pixels``: an ideal observer that reads only the image and the question.

How to measure an image is the suite's knowledge; see ``observer.py`` of the suite.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

from afterimage.errors import AfterimageError
from afterimage.models.interface import Answer, Failure, Reply, Request
from afterimage.png import decode_png

SUITE_MODULES = ("observer",)
JOURNALED = False


def load(entry: Mapping, suite: str) -> Answer:
    """Return the responder; it has no settings."""
    observer = import_module(f"afterimage.suites.{suite}.observer")

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        for request in requests:
            asked = request.messages[-1]
            try:
                text = observer.answer(decode_png(asked.images[0].png), asked.text)
            except AfterimageError as error:
                yield Failure(request.number, str(error))
            else:
                yield Reply(request.number, text)

    return answer
