"""What one request makes a library raise is that request's failure, and nobody else's.

A library may raise anything: panics of one that is written in Rust derive from BaseException alone. Only what ends the
job itself is let through.
"""

import logging
from collections.abc import Callable, Iterable, Iterator

from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Reply, Request

logger = logging.getLogger(__name__)

_ENDS_THE_JOB = (KeyboardInterrupt, SystemExit, GeneratorExit)
_LONGEST_TEXT = 200


def reason_of(error: BaseException, what: str) -> str:
    """Return in a line why a request got no answer; called from where the error was caught.

    Args:
        error: Whatever was raised.
        what: What could not be done.

    Raises:
        BaseException: The error, where it ends the job: an interrupt, an exit, the closing of a generator.
    """
    if isinstance(error, _ENDS_THE_JOB):
        raise error
    return str(error) if isinstance(error, AfterimageError) else f"{what} ({in_one_line(error)})"


def in_one_line(error: BaseException) -> str:
    """Return the first line of what an error says, shortened; with its kind where the words alone may say little."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kind = type(error).__name__
    if not lines:
        return kind
    text = lines[0] if type(error) in (ValueError, RuntimeError) else f"{kind}: {lines[0]}"
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."


def one_by_one(
    requests: Iterable[Request], reply: Callable[[Request], Reply]
) -> Iterator[Reply | Failure]:
    """Yield the reply to each request, or its failure where answering it raises; the first error of a kind is logged.

    Args:
        requests: Read one after the other.
        reply: Answers one of them.
    """
    known: set[type[BaseException]] = set()
    for request in requests:
        outcome: Reply | Failure
        try:
            outcome = reply(request)
        except BaseException as error:
            outcome = Failure(request.number, reason_of(error, "answering it failed"))
            if not isinstance(error, AfterimageError) and type(error) not in known:
                known.add(type(error))
                logger.exception("request %d: %s", request.number, outcome.reason)
        yield outcome
