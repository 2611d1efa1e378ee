"""Repairs a journal's files: damage from outside, and mistakes of earlier versions.

Repairing does not change which answers count: a study reads the same from a file before and after it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from afterimage.files.paths import atomic_path
from afterimage.models.interface import storable
from afterimage.models.journaling.entries import (
    Answerer,
    answer_line,
    header_line,
    reply_of,
    withdrawal_line,
)
from afterimage.models.journaling.files import (
    WINDOWS_END,
    Entry,
    entries_in,
    journal_files,
    numbered_lines,
    read_header,
)


def faults_of_form(file: Path) -> list[str]:
    """Describe what is wrong with a file as a whole: a lost first line, Windows line ends."""
    found = []
    if (fault := read_header(file).fault) is not None and not fault.torn:
        found.append(str(fault))
    with file.open("rb") as lines:
        ends = sum(line.endswith(WINDOWS_END) for line in lines)
    if ends:
        found.append(f"{file}: {ends} lines have the line ends of Windows")
    return found


def unstorable(record: dict[str, Any]) -> str:
    """Describe the values of an answer that tables cannot store or trust; empty if there are none."""
    reply = reply_of(record, 0)
    words = [storable(reply)[1]]
    if reply.finish_reason != record["finish_reason"]:
        words.append("its finish_reason is a word of this package's own and not believed")
    return "; ".join(filter(None, words))


def fault_of(entry: Entry) -> str:
    """Describe what has to be repaired in a valid answer; empty if nothing."""
    if entry.is_foreign:
        return "its key is not that of its request and repeat, so it answers neither"
    return unstorable(entry.record)


def repair(
    folder: Path, withdrawn: set[tuple[str, str]], is_idle: Callable[[Path], bool]
) -> tuple[int, list[Path]]:
    """Rewrite the files of a model that need it: same answers, none asked again, damaged lines unchanged.

    Args:
        withdrawn: Identities of withdrawn answers, which stay unchanged, so that they stay withdrawn.
        is_idle: Tells whether a file's writer has ended.

    Returns:
        The number of rewritten files, and the files that need it but have a live writer.
    """
    busy = []
    mended = 0
    for file in journal_files(folder):
        try:
            is_empty = not file.stat().st_size
            is_broken = faults_of_form(file) or any(_needs_mending(file, withdrawn))
        except FileNotFoundError:
            # A job that ends without an answer removes its file.
            continue
        if is_empty and is_idle(file):
            file.unlink()
            mended += 1
        elif is_broken and not is_idle(file):
            busy.append(file)
        elif is_broken:
            _rewrite(file, withdrawn)
            mended += 1
    return mended, busy


def _needs_mending(file: Path, withdrawn: set[tuple[str, str]]) -> Iterator[bool]:
    for entry in entries_in(file):
        if isinstance(entry, Entry):
            yield _mended(entry, withdrawn) != entry.line


def _rewrite(file: Path, withdrawn: set[tuple[str, str]]) -> None:
    header = read_header(file)
    answerer = header.answerer if header.fault is None else _answerer_by_keys(file)
    entries = {entry.number: entry for entry in entries_in(file) if isinstance(entry, Entry)}
    with atomic_path(file) as path, path.open("wb") as mended:
        mended.write(header_line(answerer))
        for number, line in numbered_lines(file):
            entry = entries.get(number)
            mended.write(line if entry is None else _mended(entry, withdrawn))


def _mended(entry: Entry, withdrawn: set[tuple[str, str]]) -> bytes:
    if not entry.is_answer or entry.identity in withdrawn:
        return entry.line
    if entry.is_foreign:
        return entry.line.removesuffix(b"\n") + b"\n" + withdrawal_line(*entry.identity)
    if not unstorable(entry.record):
        return entry.line
    reply, _ = storable(reply_of(entry.record, 0))
    record = entry.record
    return answer_line(record["key"], record["request"], record["answered_at"], reply)


def _answerer_by_keys(file: Path) -> Answerer | None:
    """Return the answerer of a file without header: the one of the folder's answerers whose keys match."""
    headers = map(read_header, journal_files(file.parent))
    others = {header.answerer for header in headers if header.answerer is not None}
    for entry in entries_in(file):
        if isinstance(entry, Entry) and entry.is_answer:
            record = entry.record
            for answerer in others:
                if answerer.keys().key(record["request"], record["repeat"]) == record["key"]:
                    return answerer
            return None
    return None
