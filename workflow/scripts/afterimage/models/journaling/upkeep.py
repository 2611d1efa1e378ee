"""Looking after a journal: counting, verifying, compacting, and withdrawing answers so that they are asked again."""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.paths import atomic_path
from afterimage.models.journaling.appending import AppendOnlyFile, now, sync_folder
from afterimage.models.journaling.entries import (
    Answerer,
    DamagedLineError,
    header_line,
    is_failure,
    require_intact,
    withdrawal_line,
)
from afterimage.models.journaling.files import (
    Entry,
    Fault,
    entries_in,
    journal_files,
    numbered_lines,
    odd_files,
    read_header,
    undisturbed,
)
from afterimage.models.journaling.refreshing import note_refresh, undo_refresh
from afterimage.models.journaling.repairs import fault_of, faults_of_form
from afterimage.models.journaling.repairs import repair as mend


@dataclass
class Survey:
    """The contents of a model's folder.

    Attributes:
        files: Journal files.
        size: Their bytes.
        answers: Keys with a valid answer.
        duplicates: Further answers with the same keys; the first in the order of file names counts.
        withdrawn: Answers withdrawn by a refresh.
        first, last: Times of the first and the last answer, as ISO 8601; None without answers.
        faults: Lines that cannot be used.
        failures: Records that earlier versions mistook for answers; their requests are asked again.
        repairable: Descriptions of what :func:`repair` would change; reading already corrects it.
    """

    files: int = 0
    size: int = 0
    answers: int = 0
    duplicates: int = 0
    withdrawn: int = 0
    first: str | None = None
    last: str | None = None
    faults: list[Fault] = field(default_factory=list)
    failures: int = 0
    repairable: list[str] = field(default_factory=list)

    @property
    def damaged(self) -> list[Fault]:
        """Lost lines, except partial ones left by a kill, which are harmless."""
        return [fault for fault in self.faults if not fault.torn and not fault.is_headless]


def survey(folder: Path) -> Survey:
    """Read every line of a model's folder, check it, and count.

    Raises:
        AfterimageError: A file follows another version of the form, or cannot be read.
    """
    return undisturbed(lambda: _survey(folder))


def standing_answers(folder: Path) -> set[tuple[str, str]]:
    """Return the identity (key and checksum) of every answer that is not withdrawn."""
    return undisturbed(lambda: _standing(folder))


def _standing(folder: Path) -> set[tuple[str, str]]:
    given, withdrawn = set(), set()
    for entry in _entries(folder):
        if entry.is_answer:
            given.add(entry.identity)
        else:
            withdrawn.add(entry.withdraws)
    return given - withdrawn


def refresh(folder: Path, clock: Callable[[], datetime] = now) -> int:
    """Withdraw all answers of a model's folder, so that they are asked again; nothing is deleted.

    Returns:
        How many were withdrawn.

    Raises:
        AfterimageError: The withdrawals cannot be recorded.
    """
    standing = sorted(standing_answers(folder))
    moment = clock()
    if standing:
        note_refresh(folder, moment.isoformat())
    withdrawals = AppendOnlyFile(folder, header_line(None), moment)
    try:
        try:
            for key, crc in standing:
                withdrawals.append(withdrawal_line(key, crc, moment.isoformat()))
        finally:
            withdrawals.close()
    except OSError as error:
        raise AfterimageError(
            f"{withdrawals.path}: {withdrawals.lines} of {len(standing)} answers withdrawn, then the disk "
            f"failed ({error.strerror}); make room and refresh again."
        ) from error
    return len(standing)


def restore(folder: Path) -> tuple[str, int]:
    """Undo the last refresh of a model's folder: withdrawn answers count again, before those given since.

    Returns:
        The time of the refresh, and the number of answers that it had withdrawn; ("", 0) if there is none to undo.

    Raises:
        AfterimageError: Another process is compacting the folder, or a file cannot be written.
    """
    try:
        with _sole_compactor(folder):
            return undo_refresh(folder)
    except OSError as error:
        raise AfterimageError(
            f"{folder}: restoring did not finish ({error}); every answer is still there: restore again."
        ) from error


def repair(
    folder: Path, idle_seconds: float, clock: Callable[[], datetime] = now
) -> tuple[int, list[Path]]:
    """Repair a model's files: line ends, a lost first line, values that tables cannot store; nothing is asked again.

    Returns:
        The number of rewritten files, and the files that need it but have a live writer.

    Raises:
        AfterimageError: Another process is compacting the folder, a file follows another version, or the disk fails.
    """
    idle_since = clock().timestamp() - idle_seconds
    try:
        with _sole_compactor(folder):
            withdrawn = undisturbed(lambda: _withdrawn(folder))
            return mend(folder, withdrawn, lambda file: _has_no_writer(file, idle_since))
    except OSError as error:
        raise AfterimageError(
            f"{folder}: repairing did not finish ({error}); every answer is still there."
        ) from error


def compact(
    folder: Path, idle_seconds: float, clock: Callable[[], datetime] = now
) -> tuple[int, int]:
    """Merge a model's files into one per answerer; what can be looked up stays exactly the same.

    Every intact line is kept, word for word and in order; only exact repeats and torn ends go. Left alone are files
    of living writers (locked, or written to within ``idle_seconds``) and files with damaged lines; files on
    both sides of one that is left alone are not merged with each other, since their order decides which answer
    counts. Files are removed after the merged one is on the disk.

    Returns:
        The number of files before and after.

    Raises:
        AfterimageError: Another process is compacting the folder, or a file follows another version.
    """
    try:
        with _sole_compactor(folder):
            before = journal_files(folder)
            for parts in _mergeable(before, clock().timestamp() - idle_seconds):
                _merge(parts)
            return len(before), len(journal_files(folder))
    except (OSError, DamagedLineError) as error:
        raise AfterimageError(
            f"{folder}: compacting did not finish ({error}); every answer is still there."
        ) from error


def _survey(folder: Path) -> Survey:
    found = Survey()
    for fault in odd_files(folder):
        # An emptied file can be removed.
        if fault.torn:
            found.repairable.append(str(fault))
        else:
            found.faults.append(fault)
    files = journal_files(folder)
    found.files = len(files)
    found.size = sum(file.stat().st_size for file in files)
    given: set[tuple[str, str]] = set()
    withdrawn = _withdrawn(folder)
    for file in files:
        found.repairable += faults_of_form(file)
        for entry in entries_in(file):
            if isinstance(entry, Fault):
                found.faults.append(entry)
            elif entry.is_answer:
                words = fault_of(entry)
                if words and entry.identity not in withdrawn:
                    found.repairable.append(f"{file}, line {entry.number}: {words}")
                if entry.is_foreign:
                    continue
                given.add(entry.identity)
                found.failures += is_failure(entry.record)
                when = entry.record["answered_at"]
                found.first = min(found.first or when, when)
                found.last = max(found.last or when, when)
    standing = given - withdrawn
    found.answers = len({key for key, _ in standing})
    found.duplicates = len(standing) - found.answers
    found.withdrawn = len(given & withdrawn)
    return found


def _withdrawn(folder: Path) -> set[tuple[str, str]]:
    return {entry.withdraws for entry in _entries(folder) if not entry.is_answer}


def _entries(folder: Path) -> Iterator[Entry]:
    for file in journal_files(folder):
        yield from (entry for entry in entries_in(file) if isinstance(entry, Entry))


@contextmanager
def _sole_compactor(folder: Path) -> Iterator[None]:
    lock = os.open(folder / ".compacting", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    try:
        if _is_locked(lock):
            raise AfterimageError(f"{folder}: another process is compacting this folder.")
        yield
    finally:
        os.close(lock)


def _mergeable(files: Iterable[Path], idle_since: float) -> Iterator[list[Path]]:
    """Yield the runs of two or more files that may become one file."""
    by_answerer: dict[Answerer | None, list[Path]] = {}
    for file in files:
        # A job that ends without an answer removes its file.
        with suppress(FileNotFoundError):
            header = read_header(file)
            if header.fault is None:
                by_answerer.setdefault(header.answerer, []).append(file)
    for group in by_answerer.values():
        for idle, run in groupby(group, lambda file: _is_idle(file, idle_since)):
            parts = list(run)
            if idle and len(parts) > 1:
                yield parts


def _is_idle(file: Path, idle_since: float) -> bool:
    """Tell whether a file is undamaged and its writer has ended, so that it never changes again."""
    return _has_no_writer(file, idle_since) and not any(
        isinstance(entry, Fault) and not entry.torn for entry in entries_in(file)
    )


def _has_no_writer(file: Path, idle_since: float) -> bool:
    try:
        if file.stat().st_mtime > idle_since:
            return False
        # Open for writing: over NFS no other descriptor can be locked.
        descriptor = os.open(file, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _is_locked(descriptor)
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        # A file system without locks.
        return False
    return False


def _merge(parts: list[Path]) -> None:
    """Write the lines of all parts into the first file, then remove the others."""
    sizes = {part: part.stat().st_size for part in parts}
    with atomic_path(parts[0]) as merged:
        written = _write_merged(parts, merged)
        if _count_intact(merged) != written:
            raise AfterimageError(
                f"{parts[0]}: the merged file is not as it was written; nothing was changed."
            )
        _require_unchanged(sizes)
    sync_folder(parts[0].parent)
    del sizes[parts[0]]
    _require_unchanged(sizes)
    for part in parts[1:]:
        part.unlink()
    sync_folder(parts[0].parent)


def _write_merged(parts: Iterable[Path], merged: Path) -> int:
    seen: set[tuple[str, str, bool]] = set()
    with merged.open("wb") as file:
        for number, part in enumerate(parts):
            if not number:
                file.write(header_line(read_header(part).answerer))
            for entry in entries_in(part):
                if not isinstance(entry, Entry):
                    continue
                # A withdrawal and an answer of one key may carry the same checksum.
                mark = (*entry.identity, entry.is_answer)
                if mark not in seen:
                    seen.add(mark)
                    file.write(entry.line.removesuffix(b"\n") + b"\n")
    return len(seen)


def _count_intact(file: Path) -> int:
    count = 0
    for _, line in numbered_lines(file):
        require_intact(line)
        count += 1
    return count


def _require_unchanged(sizes: Mapping[Path, int]) -> None:
    for part, size in sizes.items():
        if part.stat().st_size != size:
            raise AfterimageError(
                f"{part}: grew while it was being compacted, so its writer lives; every answer is still there: "
                "compact again when no job runs."
            )
