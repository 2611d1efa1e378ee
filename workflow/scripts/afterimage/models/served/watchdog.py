"""Starts a server and ends it with everything that it has started: when told to, and when nobody is left to tell.

    python watchdog.py SECONDS COMMAND [ARGUMENT ...]

Standard input is a pipe whose other end the job holds and writes nothing to. When it closes, whether the job closed
it or was killed in whatever way, the server's process group gets SIGTERM, and so many seconds later SIGKILL. If the
server ends by itself, so does the rest of its group, and this process ends with the server's exit status. Runs as a
process of its own, in a session of its own, so that no signal for the job's group reaches it. Standard library only.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_NOT_FOUND = 127
_SECONDS_BETWEEN_LOOKS = 0.05


def main(seconds: float, command: Sequence[str]) -> int:
    """Run the command until it ends or standard input does; return the status to exit with."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, process_group=0, preexec_fn=_die_with_parent
        )
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", flush=True)
        return _NOT_FOUND
    ending = threading.Lock()

    def end() -> None:
        with ending:
            _end_group(server, seconds)

    def await_job() -> None:
        # Not through sys.stdin, whose lock would be in the way of this process' own end.
        os.read(0, 1)
        end()

    # Where a batch system signals every process, the server does not wait for the job to close the pipe.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=end).start())
    threading.Thread(target=await_job, daemon=True).start()
    status = server.wait()
    end()
    return status if status >= 0 else 128 - status


def _end_group(server: subprocess.Popen[bytes], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(server.pid, number)
        while _is_there(server) and time.monotonic() < deadline:
            time.sleep(_SECONDS_BETWEEN_LOOKS)


def _is_there(server: subprocess.Popen[bytes]) -> bool:
    """Tell whether any process of the group is left."""
    # One that has ended stays in the group until somebody asks how.
    server.poll()
    try:
        os.killpg(server.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _die_with_parent() -> None:
    # Should this process itself be killed; Linux knows how, and other systems go without.
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
