"""An event loop whose iterations a signal cannot interrupt."""

import asyncio
import signal
import threading
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_whole_turns(loop: asyncio.AbstractEventLoop) -> None:
    """Run a loop until it is stopped, or until a signal comes; its handler is called once the turn at hand is whole.

    A handler that raises in the middle of a turn can lose the next step of a task, and whoever then closes the loop
    in good order waits for that task for ever.
    """
    if threading.current_thread() is not threading.main_thread():
        loop.run_forever()
        return
    handlers = {
        number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))
    }
    come: list[signal.Signals] = []

    def note(number: int, _: FrameType | None) -> None:
        come.append(signal.Signals(number))
        loop.call_soon_threadsafe(loop.stop)

    for number in handlers:
        signal.signal(number, note)
    try:
        loop.run_forever()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if come:
        # One turn more takes what is left of the stopping, which would otherwise stop whoever closes the loop.
        loop.stop()
        loop.run_forever()
    for number in come:
        handlers[number](number, None)
