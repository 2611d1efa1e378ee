"""A lease: a file that says which process is working on something, and that it is still alive.

This needs neither locks nor synchronised clocks, which network file systems and clusters may lack. A holder changes its
file every few seconds, the beat; a waiting process checks with its own clock whether the file changes. A holder without
a beat for long is considered dead, and its file is removed. If it was only suspended, it finds its file gone and knows
that it has lost the lease.
"""

import errno
import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from afterimage.files.paths import oddity

SECONDS_BETWEEN_BEATS = 15.0
#: A holder without a beat for this long has ended. Network file systems may show a change only after a minute.
STALE_SECONDS = 120.0
#: Most silence that one look can add: the watching process may have been suspended itself.
MAX_SECONDS_PER_LOOK = 10.0

_BEAT = b"%016d\n"
_LONGEST_LINE = 65_536
# Errors of a file that is gone or was replaced by something else.
_GONE = (errno.ENOENT, errno.ESTALE, errno.ENXIO, errno.ELOOP, errno.EISDIR, errno.ENOTDIR)


@dataclass(frozen=True)
class Lease:
    """A lease as it was found.

    Attributes:
        beat: The line that its holder changes.
        holder: ``token``, ``host``, ``process``, ``started``, ``machine``, ``since``; empty if the file does not say.
        is_file: Whether it is a regular file; pipes, devices and links are no leases.
    """

    path: Path
    beat: bytes
    holder: Mapping[str, Any]
    is_file: bool = True

    def __str__(self) -> str:
        """Name the holder, for messages."""
        if not self.holder:
            return f"whoever made {self.path}"
        # Other processes wrote it, so it may contain anything.
        who = {
            name: "".join(
                c if c.isprintable() else "\ufffd" for c in str(self.holder.get(name))[:100]
            )
            for name in ("process", "host", "since")
        }
        return f"process {who['process']} on {who['host']} (since {who['since']})"

    @property
    def mark(self) -> tuple[bytes, object]:
        """A value that changes with every beat and with the holder."""
        return self.beat, self.holder.get("token")

    def has_ended(self) -> bool:
        """Tell whether the holder ran on this machine and has ended; False if that is unknown."""
        if not self.is_file:
            return True
        process = self.holder.get("process")
        if not isinstance(process, int) or process < 1:
            return False
        if _machine() is None or self.holder.get("machine") != _machine():
            return False
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            # Another user's, or no number of a process.
            return False
        # Another process may have its number by now.
        return _started(process) not in (None, self.holder.get("started"))


def read(path: Path) -> Lease | None:
    if path.is_symlink() or oddity(path):
        return Lease(path, b"", {}, is_file=False)
    try:
        # Network file systems show what is new to whoever opens a file, not to whoever asks for its time.
        with path.open("rb") as file:
            beat, line = file.readline(_LONGEST_LINE), file.readline(_LONGEST_LINE)
    except OSError:
        if not os.path.lexists(path):
            return None
        # It is there: another user's, or no file. Whoever holds it is as silent as one that has ended.
        beat, line = b"", b""
    try:
        holder = json.loads(line)
    except (ValueError, RecursionError):
        holder = {}
    return Lease(path, beat, holder if isinstance(holder, dict) else {})


def content_of(path: Path) -> str:
    """Return the content of a lease's file after its first two lines; empty if the file is gone."""
    if path.is_symlink() or oddity(path):
        return ""
    try:
        with path.open("rb") as file:
            file.readline(_LONGEST_LINE)
            file.readline(_LONGEST_LINE)
            return file.read().decode("ascii", errors="replace")
    except OSError:
        return ""


def remove(lease: Lease) -> bool:
    """Remove the lease of a holder that has ended or is silent, and tell whether it is gone.

    A holder that beats at this moment keeps it: a beat before the move is detected here, and with a later one the
    holder finds its file gone.
    """
    aside = lease.path.with_name(f".{lease.path.name}-{secrets.token_hex(4)}")
    try:
        lease.path.rename(aside)
    except FileNotFoundError:
        return True
    found = read(aside)
    if found is not None and found.mark != lease.mark:
        aside.rename(lease.path)
        return False
    # A folder stays where it was moved to, out of the way.
    with suppress(IsADirectoryError, PermissionError):
        aside.unlink(missing_ok=True)
    return True


class Watch:
    """Another process's lease, and the time since its last beat."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Watch a lease's file from now on.

        Args:
            clock: Gives seconds since any moment.
        """
        self._path = path
        self._clock = clock
        self._looked = clock()
        self._mark: object = None
        self._silent = 0.0

    def is_over(self) -> bool:
        """Check the lease, remove it if its holder has ended or is silent, and tell whether it is gone."""
        lease = read(self._path)
        if lease is None:
            return True
        now = self._clock()
        seconds, self._looked = now - self._looked, now
        if lease.mark == self._mark:
            self._silent += min(seconds, MAX_SECONDS_PER_LOOK)
        else:
            self._mark, self._silent = lease.mark, 0.0
        return (lease.has_ended() or self._silent > STALE_SECONDS) and remove(lease)


class HeldLease:
    """A lease that this process holds, with the thread that beats."""

    def __init__(self, path: Path, content: str = "") -> None:
        """Take a free lease and begin to beat.

        Args:
            content: Further content of the file, in ASCII.

        Raises:
            FileExistsError: Another process holds it.
            OSError: The file cannot be written.
        """
        self.path = path
        self._token = secrets.token_hex(16)
        self._beats = 0
        self._lost = False
        self._beating = threading.Lock()
        self._over = threading.Event()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_BEAT % 0 + f"{json.dumps(self._holder())}\n{content}".encode("ascii"))
                file.flush()
                os.fsync(descriptor)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        self._renewed = _seconds()
        threading.Thread(target=self._beat_on, name="lease", daemon=True).start()

    def is_held(self) -> bool:
        """Tell whether the lease is still this process's; after a pause, check the file first."""
        if _seconds() - self._renewed > 2 * SECONDS_BETWEEN_BEATS:
            self.beat()
        return not self._lost

    def beat(self) -> None:
        """Change the file, and check whether it still exists."""
        with self._beating:
            if self._lost or self._over.is_set():
                return
            try:
                self._change()
            except OSError as error:
                # Anything else than a file that is gone may pass: the disk, the network.
                self._lost = error.errno in _GONE
                return
            self._lost = not self.owns_file()
            self._renewed = _seconds()

    def owns_file(self) -> bool:
        """Tell whether the file still has this process's lease."""
        found = read(self.path)
        return found is not None and found.holder.get("token") == self._token

    def release(self) -> None:
        """Stop beating, and remove the file."""
        self._over.set()
        with self._beating, suppress(OSError):
            if self.owns_file():
                self.path.unlink()

    def _change(self) -> None:
        self._beats += 1
        descriptor = os.open(self.path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            os.pwrite(descriptor, _BEAT % self._beats, 0)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _beat_on(self) -> None:
        while not self._over.wait(SECONDS_BETWEEN_BEATS):
            self.beat()

    def _holder(self) -> dict[str, Any]:
        return {
            "token": self._token,
            "host": socket.gethostname(),
            "process": os.getpid(),
            "started": _started(os.getpid()),
            "machine": _machine(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }


def _seconds() -> float:
    """Return seconds since any moment, including the computer's sleep if the system counts it."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _machine() -> str | None:
    """Return an id that processes share whose process numbers are comparable: boot and container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return None


def _started(process: int) -> str | None:
    """Return the start time of a process in ticks since boot; None if it is unknown."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # After the name, which may contain anything (proc(5)): the state, and nineteen fields later the time.
    state, *fields = stat.rpartition(")")[2].split()
    return "ended" if state in ("Z", "X") else fields[18]
