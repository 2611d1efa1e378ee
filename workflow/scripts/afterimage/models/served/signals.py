"""Ending in good order when a batch system or a person ends the job."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def exiting_on_signals() -> Iterator[None]:
    """Make SIGTERM and SIGHUP end the process as ``sys.exit`` does, with what stands in ``finally``.

    SIGINT does so by itself. Outside the main thread nothing can be done and nothing is.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in _SIGNALS:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in before.items():
                signal.signal(number, handler)


def _exit(number: int, _: FrameType | None) -> None:
    # A second one must not interrupt what the first has set going.
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)
