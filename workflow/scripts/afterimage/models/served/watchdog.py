"""Starts a server and ends it with everything that it has started: when told to, and when nobody is left to tell.

    python watchdog.py SECONDS COMMAND [ARGUMENT ...]

Standard input is a pipe whose other end the job holds; it writes the server's key, or nothing, as one line. When the
pipe closes, whether the job closed it or was killed in whatever way, the server's process group gets SIGTERM, and so
many seconds later SIGKILL. If the server ends by itself, so does the rest of its group, and this process ends with the
server's exit status. Runs as a process of its own, in a session of its own, so that no signal for the job's group
reaches it. Of the package it imports what covers keys, else the standard library only.

What the server prints goes to standard output, a file that is kept short: its beginning and its end. People send it
along when they ask for help, so the key is covered in it: where it stands whole as it is written, and where it was
printed in pieces or encoded when the server has ended, even if the job was killed.
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
from pathlib import Path

# Run on its own, by path and isolated, it finds the package beside it.
sys.path.insert(0, str(Path(__file__).parents[3]))

from afterimage.models.scrubbing import COVER, Scrubber

_PR_SET_PDEATHSIG = 1
_NOT_FOUND = 127
_SECONDS_BETWEEN_LOOKS = 0.05
_SECONDS_FOR_LAST_WORDS = 3.0
# What is killed is gone as soon as the system comes to it.
_SECONDS_TO_DIE = 5.0
#: A log that grows beyond this keeps its first megabyte and its last eight.
MAX_LOG_BYTES = 16 << 20
_FIRST_BYTES = 1 << 20
_LAST_BYTES = 8 << 20
_PIECE_BYTES = 1 << 16


def main(seconds: float, command: Sequence[str]) -> int:
    """Run the command until it ends or standard input does; return the status to exit with."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    key = _first_line(0)
    try:
        server = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
            preexec_fn=_die_with_parent,
        )
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", flush=True)
        return _NOT_FOUND
    assert server.stdout is not None
    copying = threading.Thread(target=_copy, args=(server.stdout.fileno(), 1, key), daemon=True)
    copying.start()
    ending, ended = threading.Lock(), threading.Event()

    def end() -> None:
        with ending:
            if not ended.is_set():
                _end_group(server, seconds)
                ended.set()

    def await_job() -> None:
        # Not through sys.stdin, whose lock would be in the way of this process' own end.
        os.read(0, 1)
        end()

    # Where a batch system signals every process, the server does not wait for the job to close the pipe.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=end).start())
    threading.Thread(target=await_job, daemon=True).start()
    status = server.wait()
    end()
    # Somebody who left the group may still hold the pipe.
    copying.join(_SECONDS_FOR_LAST_WORDS)
    _cover(1, key)
    return status if status >= 0 else 128 - status


def _first_line(source: int) -> bytes:
    line = b""
    while (byte := os.read(source, 1)) not in (b"", b"\n"):
        line += byte
    return line


def _copy(source: int, log: int, key: bytes) -> None:
    """Copy what a server prints, whatever becomes of the log: a server that nobody listens to would stand still."""
    size = 0
    while piece := os.read(source, _PIECE_BYTES):
        if key:
            piece = piece.replace(key, COVER.encode())
        with suppress(OSError):
            size += os.write(log, piece)
            if size > MAX_LOG_BYTES:
                size = _shorten(log, size)


def _shorten(log: int, size: int) -> int:
    """Leave the beginning and the end of a log, and return its new size."""
    last = os.pread(log, _LAST_BYTES, size - _LAST_BYTES)
    os.ftruncate(log, _FIRST_BYTES)
    os.lseek(log, 0, os.SEEK_END)
    note = b"\n[what was printed here was left out: this log keeps its beginning and its end]\n"
    return _FIRST_BYTES + os.write(log, note) + os.write(log, last)


def _cover(log: int, key: bytes) -> None:
    """Cover the key in a log, in whatever form the server printed it."""
    # What cannot be read or written any more stays: what was answered is not lost for it.
    with suppress(OSError):
        printed = os.pread(log, os.fstat(log).st_size, 0).decode("utf-8", "surrogateescape")
        covered = Scrubber(key.decode())(printed)
        if covered != printed:
            os.ftruncate(log, 0)
            os.pwrite(log, covered.encode("utf-8", "surrogateescape"), 0)


def _end_group(server: subprocess.Popen[bytes], seconds: float) -> None:
    for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, _SECONDS_TO_DIE)):
        deadline = time.monotonic() + patience
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
