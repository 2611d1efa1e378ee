"""A model's server: starting it, waiting for it, and ending it with its child processes, even if the job is killed."""

import logging
import random
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from afterimage.errors import AfterimageError, fault, model_entry
from afterimage.models.scrubbing import Scrubber
from afterimage.models.served import watchdog

logger = logging.getLogger(__name__)

#: From SIGTERM to SIGKILL: less than the 30 s that SLURM leaves a job.
SECONDS_TO_END = 10.0
# The watchdog may take this much longer.
_SECONDS_OF_WATCHDOG = 10.0
SECONDS_BETWEEN_LINES = 30.0
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0
_HEALTH_TIMEOUT_SECONDS = 10.0
_LAST_LINES = 8
_LONGEST_LINE = 300
_TAIL_BYTES = 16_384


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keeps the status of redirects: only this server, at this address, reports its health."""

    def redirect_request(self, *_: Any) -> None:
        """Return no request to follow."""


# Proxies lead away from this machine.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())


@dataclass(frozen=True)
class ServerOptions:
    """Options of starting a server, which cannot change an answer.

    Attributes:
        health: The path that answers with status 200 once the server is ready.
        start_timeout: Seconds until it must be ready.
        log: The folder for the output of servers, a file for each.
    """

    health: str
    start_timeout: float
    log: str


class Server:
    """One running server, and its end.

    Attributes:
        log: The file with its output.
    """

    def __init__(self, name: str, command: Sequence[str], log: Path, key: str | None) -> None:
        """Start a command.

        Args:
            name: The model, as errors name it.
            command: The words of the command, without placeholders.
            key: Must appear in no message and not in the log, even if the server prints it.

        Raises:
            AfterimageError: The log cannot be written.
        """
        self.log = log
        self._name = name
        self._key = key
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            # The watchdog reads it, too, to keep it short.
            output = log.open("w+b")
        except OSError as error:
            raise AfterimageError(f"{log}: cannot be written ({error.strerror}).") from error
        logger.info("starting %s; what it prints is in %s", shlex.join(command), log)
        with output:
            self._watchdog = subprocess.Popen(
                [sys.executable, "-I", watchdog.__file__, str(SECONDS_TO_END), *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        assert self._watchdog.stdin is not None
        # Not as an argument, which every user of the machine can read.
        self._watchdog.stdin.write(f"{key or ''}\n".encode())
        self._watchdog.stdin.flush()

    def await_health(self, url: str, seconds: float) -> None:
        """Wait until an address answers with status 200; log the waiting now and then.

        Raises:
            AfterimageError: The server ends, or does not become healthy in time; with its last output.
        """
        started = last_line = time.monotonic()
        pause = _FIRST_PAUSE_SECONDS
        while True:
            self._require_running()
            found = _health(url)
            # If the server could not listen at this port, another process may answer there.
            if found is None and self._watchdog.poll() is None:
                logger.info("the server is healthy after %.0f s", time.monotonic() - started)
                return
            now = time.monotonic()
            if now - started > seconds:
                raise fault(
                    model_entry(self._name),
                    f"its server is not healthy after {seconds:g} s ({url}: {found}); "
                    f"{self._last_output()}",
                )
            if now - last_line > SECONDS_BETWEEN_LINES:
                last_line = now
                logger.info("the server has been starting for %.0f s (%s)", now - started, found)
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)

    def why_not_running(self) -> str | None:
        """Return in one line how a server ended; None while it runs."""
        status = self._watchdog.poll()
        if status is None:
            return None
        last = "".join(f", ending: {line}" for line in self._last_lines()[-1:])
        return f"its server has ended with exit status {status} ({self.log}{last})"

    def stop(self) -> None:
        """End the server and its child processes; returns when they are gone."""
        if self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
        try:
            self._watchdog.wait(timeout=SECONDS_TO_END + _SECONDS_OF_WATCHDOG)
        except subprocess.TimeoutExpired:
            # The system kills the server with the watchdog (PR_SET_PDEATHSIG).
            self._watchdog.kill()
            self._watchdog.wait()

    def _require_running(self) -> None:
        status = self._watchdog.poll()
        if status is not None:
            raise fault(
                model_entry(self._name),
                f"its server ended with exit status {status} before it was healthy; {self._last_output()}",
            )

    def _last_output(self) -> str:
        lines = self._last_lines()
        if not lines:
            return f"it printed nothing to {self.log}."
        return "\n    ".join([f"the end of {self.log}:", *lines])

    def _last_lines(self) -> list[str]:
        with self.log.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
            text = file.read().decode("utf-8", errors="replace")
        if self._key:
            text = Scrubber(self._key)(text)
        printable = ("".join(filter(str.isprintable, line)) for line in text.splitlines())
        return [line[:_LONGEST_LINE] for line in printable if line.strip()][-_LAST_LINES:]


def _health(url: str) -> str | None:
    """Return None if a server is healthy, otherwise what was found instead."""
    try:
        with _opener.open(url, timeout=_HEALTH_TIMEOUT_SECONDS) as response:
            return None if response.status == 200 else f"HTTP status {response.status}"
    except urllib.error.HTTPError as error:
        return f"HTTP status {error.code}"
    except urllib.error.URLError as error:
        return str(error.reason)
    except (OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


# ---- a free port ----
#
# On loopback, reserved against other jobs of this machine.

HOST = "127.0.0.1"
# Below the ports of outgoing connections, any of which may be taken before a server is ready.
_PORTS = range(20_000, 32_000)
_TRIES = 200


@contextmanager
def free_port() -> Iterator[int]:
    """Yield a free port, and keep other jobs of the same machine from choosing it meanwhile.

    Servers take minutes before they listen, and some then silently share a port with another one. So the job holds the
    UDP port of the same number, which no server uses and which the system frees however the job ends.

    Raises:
        AfterimageError: There is none.
    """
    chosen = random.SystemRandom()
    for _ in range(_TRIES):
        port = chosen.choice(_PORTS)
        with socket.socket(type=socket.SOCK_DGRAM) as claim:
            if _takes(claim, port) and _is_free(port):
                yield port
                return
    raise AfterimageError(f"no free port was found between {_PORTS.start} and {_PORTS.stop}.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # A port that was closed a moment ago is free for servers.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return _takes(probe, port)


def _takes(claim: socket.socket, port: int) -> bool:
    try:
        claim.bind((HOST, port))
    except OSError:
        return False
    return True


# ---- orderly end when a batch system or a person ends the job ----

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def exiting_on_signals() -> Iterator[None]:
    """Make SIGTERM and SIGHUP end the process as ``sys.exit`` does, so that ``finally`` blocks run.

    SIGINT does so by itself. Outside the main thread this does nothing.
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
    # A second signal must not interrupt the cleanup of the first.
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)
