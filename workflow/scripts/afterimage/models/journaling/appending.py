"""A file of a journal to which one process appends lines, safe from kills, full disks and whoever removes it."""

import fcntl
import logging
import os
import re
import secrets
import socket
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from afterimage.errors import AfterimageError

logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_SYNCS = 0.5


def now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)


def new_name(moment: datetime) -> str:
    """Return a file name that no other process chooses and that sorts by time."""
    host = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:60]
    return f"{moment:%Y%m%dT%H%M%S.%fZ}-{host}-{os.getpid()}-{secrets.token_hex(4)}.jsonl"


class AppendOnlyFile:
    """A new file of its own to which lines are appended, safe from the kill of the process with each one.

    Each line reaches the operating system before ``append`` returns. A thread carries it on to the disk at once,
    or half a second after the last time, so that the loss of the machine costs little more than what is in flight.
    The file stays locked while its writer lives; nothing but compacting ever asks for that lock.
    """

    def __init__(self, folder: Path, first_line: bytes, moment: datetime) -> None:
        """Make the file with its first line.

        Args:
            folder: Where; made if it does not exist.

        Raises:
            AfterimageError: No file can be written there.
        """
        self.lines = 0
        self._broken: OSError | None = None
        try:
            self.path, self._descriptor = _new_file(folder, first_line, moment)
        except OSError as error:
            raise AfterimageError(
                f"{folder}: no journal file can be written there ({error.strerror}); "
                "expected a folder to record answers in before any is asked for."
            ) from error
        self._note_file(len(first_line))
        self._syncer = _Syncer(self._descriptor)
        self._syncer.start()

    def append(self, line: bytes) -> None:
        """Append one line, whole or not at all.

        Raises:
            OSError: There is no room, or the disk fails; what was appended before stays valid.
            AfterimageError: Somebody has cut the file.
        """
        self._require_sound()
        self._reopen_if_replaced()
        try:
            if not self.lines:
                _keep_bytes(self.path.parent)
            self._write(line)
        except OSError as error:
            self._broken = error
            raise
        self.lines += 1
        self._syncer.notice()

    def sync(self) -> None:
        """Bring everything to the disk, where other computers find it.

        Raises:
            OSError: The disk would not take it.
        """
        self._require_sound()
        self._reopen_if_replaced()
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Bring everything to the disk and close the file; one that holds no line is removed.

        Raises:
            OSError: The disk would not take what was appended.
        """
        self._syncer.stop()
        if not self.lines:
            self._abandon()
            return
        try:
            self._require_sound()
            self._reopen_if_replaced()
            os.fsync(self._descriptor)
        finally:
            os.close(self._descriptor)

    def _require_sound(self) -> None:
        # After a line that could not be taken back, or lost on its way to the disk, nothing may follow.
        self._syncer.check()
        if self._broken is not None:
            raise self._broken

    def _note_file(self, size: int) -> None:
        self._size = size
        # As its path shows it: on some mounts an open file has another device, or number, than its path.
        try:
            held = self.path.lstat()
        except OSError:
            held = os.fstat(self._descriptor)
        self._identity = held.st_dev, held.st_ino

    def _reopen_if_replaced(self) -> None:
        """Begin another file with all that was written where somebody has removed or replaced this one."""
        try:
            found = self.path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            found = None
        if found is not None and (found.st_dev, found.st_ino) == self._identity:
            if found.st_size < self._size:
                raise AfterimageError(
                    f"{self.path}: was cut from {self._size} to {found.st_size} bytes while this job wrote to it; "
                    "what was cut off is lost: run again, and only what is missing is asked."
                )
            if found.st_size > self._size:
                # Somebody has written behind the last answer, perhaps half a line, which would swallow the next one.
                self._size = found.st_size
                self._write(b"\n")
            return
        content = _whole(self._descriptor, self._size)
        removed = self.path
        self.path, descriptor = _new_file(removed.parent, content, now())
        # Under the same number, so that whoever brings it to the disk need not know.
        os.dup2(descriptor, self._descriptor)
        os.close(descriptor)
        self._note_file(len(content))
        logger.warning(
            "%s was removed while this job wrote to it; its %d answers stand in %s now",
            removed,
            self.lines,
            self.path.name,
        )

    def _write(self, line: bytes) -> None:
        try:
            _write_all(self._descriptor, line)
        except OSError:
            self._cut_back()
            raise
        self._size += len(line)

    def _cut_back(self) -> None:
        # A part of a line is harmless at the end of a file, but not before a later line.
        with suppress(OSError):
            os.ftruncate(self._descriptor, self._size)

    def _abandon(self) -> None:
        os.close(self._descriptor)
        with suppress(OSError):
            self.path.unlink()


def _new_file(folder: Path, content: bytes, moment: datetime) -> tuple[Path, int]:
    """Make a locked file with this content, on the disk, and return its path and its descriptor.

    Nobody sees it before it has its content: an empty one is one that was emptied.
    """
    path = folder / new_name(moment)
    hidden = path.with_name(f".{path.name}")
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(hidden, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666)
    try:
        _lock(descriptor)
        _write_all(descriptor, content)
        os.fsync(descriptor)
        hidden.rename(path)
        sync_folder(folder)
    except OSError:
        os.close(descriptor)
        for leftover in (hidden, path):
            with suppress(OSError):
                leftover.unlink()
        raise
    return path, descriptor


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _whole(descriptor: int, size: int) -> bytes:
    """Return what was written to an open file, whether or not it still has a name."""
    parts = bytearray()
    while len(parts) < size and (part := os.pread(descriptor, size - len(parts), len(parts))):
        parts += part
    return bytes(parts)


class _Syncer(threading.Thread):
    """Brings a file to the disk whenever something new is in it, and not without pause."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(name="journal sync", daemon=True)
        self._descriptor = descriptor
        self._news = threading.Event()
        self._stopping = threading.Event()
        self._error: OSError | None = None

    def notice(self) -> None:
        if not self._news.is_set():
            self._news.set()

    def check(self) -> None:
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self._stopping.set()
        self._news.set()
        self.join()

    def run(self) -> None:
        while True:
            self._news.wait()
            if self._stopping.is_set():
                return
            self._news.clear()
            started = time.monotonic()
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                self._error = error
                return
            pause = _SECONDS_BETWEEN_SYNCS - (time.monotonic() - started)
            self._stopping.wait(max(pause, 0.0))


def sync_folder(folder: Path) -> None:
    """Bring a folder's list of names to the disk, where the file system can."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems refuse this and keep names safe by themselves.
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _keep_bytes(folder: Path) -> None:
    """Tell git, where somebody publishes the folder, to leave its files as they are, line ends too."""
    # Whatever is there is somebody's; a link that leads nowhere, too, and is not written through.
    with suppress(FileExistsError), (folder / ".gitattributes").open("x", encoding="ascii") as file:
        file.write("*.jsonl -text\n")


def _lock(descriptor: int) -> None:
    # Where a file system has no locks, compacting goes by the file's age alone.
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
