"""A signal ends the asking in good order at whatever moment of the loop it comes."""

import json
import subprocess
import sys
import textwrap

import pytest

# The signal comes between the loop's taking of a step and its running it: an exception raised there loses the step,
# and whoever waits for its task waits for ever.
JOB = """
    import asyncio, inspect, itertools, json, signal, sys
    from asyncio.base_events import BaseEventLoop
    sys.path[:0] = json.loads(sys.argv[1])
    from afterimage.models.interface import Reply, Request
    from afterimage.models.openai_compatible import _outcomes
    from afterimage.models.served.server import exiting_on_signals

    class Asker:
        async def ask(self, request, repeat):
            await asyncio.sleep(0.001)
            return Reply(request.number, "an answer", repeat)

    turn = BaseEventLoop._run_once
    lines, first = inspect.getsourcelines(turn)
    (moment,) = (
        first + number
        for number in range(1, len(lines))
        if "popleft()" in lines[number - 1] and "handle = " in lines[number - 1]
    )
    steps = itertools.count(1)

    def trace(frame, event, argument):
        if frame.f_code is not turn.__code__:
            return None
        if event == "line" and frame.f_lineno == moment and next(steps) == int(sys.argv[2]):
            signal.raise_signal(getattr(signal, sys.argv[3]))
        return trace

    signal.signal(signal.SIGINT, signal.default_int_handler)
    requests = (Request(number, ()) for number in range(100))
    with exiting_on_signals(), asyncio.Runner() as runner:
        sys.settrace(trace)
        for _ in _outcomes(runner.get_loop(), Asker(), requests, 4):
            pass
    print("not ended")
"""


@pytest.mark.parametrize("step", [1, 2, 7, 13, 20])
@pytest.mark.parametrize(
    ("name", "status", "last"), [("SIGTERM", 143, ""), ("SIGINT", -2, "KeyboardInterrupt")]
)
def test_a_signal_amid_a_turn_ends_the_asking(step, name, status, last):
    words = [sys.executable, "-c", textwrap.dedent(JOB), json.dumps(sys.path), str(step), name]
    process = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert (process.returncode, process.stdout) == (status, "")
    assert "".join(process.stderr.splitlines()[-1:]) == last
