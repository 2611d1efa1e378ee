"""Recording the answers of one model in a journal file that no other process writes."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType

from afterimage.errors import AfterimageError
from afterimage.models.interface import Reply
from afterimage.models.journaling.appending import AppendOnlyFile, now
from afterimage.models.journaling.entries import Answerer, Keys, answer_line, header_line


class Journalist:
    """Records the answers of one answerer as they come; a context manager that closes its file."""

    def __init__(
        self, folder: Path, answerer: Answerer, clock: Callable[[], datetime] = now
    ) -> None:
        """Open a new file.

        Args:
            folder: The model's folder in the journal; made if it does not exist.

        Raises:
            AfterimageError: No file can be written there.
        """
        self._keys: Keys = answerer.keys()
        self._clock = clock
        self._file = AppendOnlyFile(folder, header_line(answerer), clock())

    @property
    def path(self) -> Path:
        return self._file.path

    def record(self, request_sha256: str, reply: Reply) -> None:
        """Record one answer; after this it survives a kill of the process.

        Raises:
            AfterimageError: It could not be recorded.
        """
        key = self._keys.key(request_sha256, reply.repeat)
        answered_at = self._clock().isoformat(timespec="microseconds")
        try:
            self._file.append(answer_line(key, request_sha256, answered_at, reply))
        except OSError as error:
            raise AfterimageError(
                f"{self.path}: the answer just received could not be recorded ({error.strerror}); the "
                f"{self._file.lines} before it are; make room and run again, and only what is missing is asked."
            ) from error

    def close(self) -> None:
        """Write everything to the disk and close the file; a file without answers is removed.

        Raises:
            AfterimageError: The disk did not take everything.
        """
        self._finish(self._file.close)

    def sync(self) -> None:
        """Write everything to the disk, so that other computers see it.

        Raises:
            AfterimageError: The disk did not take everything.
        """
        self._finish(self._file.sync)

    def _finish(self, act: Callable[[], None]) -> None:
        try:
            act()
        except OSError as error:
            raise AfterimageError(
                f"{self.path}: the disk did not take every answer ({error.strerror}); make room and run again, "
                "and only what is missing is asked."
            ) from error

    def __enter__(self) -> "Journalist":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file; an exception in flight is not replaced by another."""
        try:
            self.close()
        except AfterimageError:
            if error is None:
                raise
