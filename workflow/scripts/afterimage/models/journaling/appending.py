"""A journal file to which one process appends lines; survives kills, full disks and removal of the file."""

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
    """Return a unique file name that sorts by time."""
    host = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:60]
    return f"{moment:%Y%m%dT%H%M%S.%fZ}-{host}-{os.getpid()}-{secrets.token_hex(4)}.jsonl"


class AppendOnlyFile:
    """A new file to which lines are appended; each appended line survives a kill of the process.

    Each line reaches the operating system before ``append`` returns. A thread writes it to the disk immediately, or
    half a second after the last sync, so that a crash of the machine loses little more than requests in flight. The
    file stays locked while its writer lives; only compacting checks that lock.
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
        """Append one line, completely or not at all.

        Raises:
            OSError: The disk is full or fails; earlier lines stay valid.
            AfterimageError: The file was truncated.
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
        """Write everything to the disk, so that other computers see it.

        Raises:
            OSError: It could not be written.
        """
        self._require_sound()
        self._reopen_if_replaced()
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Write everything to the disk and close the file; a file without lines is removed.

        Raises:
            OSError: It could not be written.
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
        # After a partial line that could not be removed, or a failed sync, nothing may follow.
        self._syncer.check()
        if self._broken is not None:
            raise self._broken

    def _note_file(self, size: int) -> None:
        self._size = size
        # By path: on some mounts an open file reports another device or inode than its path.
        try:
            held = self.path.lstat()
        except OSError:
            held = os.fstat(self._descriptor)
        self._identity = held.st_dev, held.st_ino

    def _reopen_if_replaced(self) -> None:
        """If the file was removed or replaced, continue in a new file with the same content."""
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
                # Something else was appended, perhaps half a line, which would swallow the next one.
                self._size = found.st_size
                self._write(b"\n")
            return
        content = _whole(self._descriptor, self._size)
        removed = self.path
        self.path, descriptor = _new_file(removed.parent, content, now())
        # With the same descriptor number, which the sync thread uses.
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

    It becomes visible with its content, so that an empty file is always one that was emptied.
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
    """Return the content of an open file, even if it has no name any more."""
    parts = bytearray()
    while len(parts) < size and (part := os.pread(descriptor, size - len(parts), len(parts))):
        parts += part
    return bytes(parts)


class _Syncer(threading.Thread):
    """Writes a file to the disk after appends, with a pause between two syncs."""

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
    """Write a folder's entries to the disk, if the file system supports it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems refuse this and store names safely by themselves.
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _keep_bytes(folder: Path) -> None:
    """Make git keep the files unchanged, including line ends, if the folder is published."""
    # An existing file is the user's, even a dangling link, which must not be followed.
    with suppress(FileExistsError), (folder / ".gitattributes").open("x", encoding="ascii") as file:
        file.write("*.jsonl -text\n")


def _lock(descriptor: int) -> None:
    # On file systems without locks, compacting uses only the file's age.
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
