"""The files of a journal folder, line by line."""

import errno
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from afterimage.errors import AfterimageError
from afterimage.files.json_files import parsed_json
from afterimage.files.paths import LINK_OUT, oddity
from afterimage.models.journaling.entries import (
    VERSION,
    VERSION_FIELD,
    Answerer,
    DamagedLineError,
    answerer_in,
    crc_of,
    decode,
    has_checksum,
    key_in,
    require_matching_key,
)

#: What git on Windows makes of a line break.
WINDOWS_END = b"\r\n"
_PATTERN = "*.jsonl"
_BUFFER_BYTES = 1 << 20
_GONE = {errno.ENOENT, errno.ESTALE}

T = TypeVar("T")


@dataclass(frozen=True)
class Fault:
    """An unusable line: damaged, cut off at the end of a file when its writer was killed, or lost.

    ``line`` 0 means the whole file.
    """

    file: Path
    line: int
    torn: bool
    reason: str
    is_headless: bool = False

    @property
    def is_usual(self) -> bool:
        """Whether it is a partial line, which any kill may leave."""
        return self.torn and self.line > 0

    def __str__(self) -> str:
        """Name the file, the line and what is wrong with it."""
        if self.is_headless:
            return f"{self.file} {self.reason}; its answers are found all the same, by their keys."
        if not self.line:
            return f"{self.file} {self.reason}; it is passed over."
        what = "was torn off when its writer ended" if self.torn else f"is damaged: {self.reason}"
        return f"{self.file}, line {self.line} {what}; it is passed over."


@dataclass(frozen=True)
class Header:
    """The first line of a file: its answerer, None for all of the folder's; or what is wrong with the line."""

    answerer: Answerer | None = None
    fault: Fault | None = None


def journal_files(folder: Path) -> list[Path]:
    """Return the journal files of a model's folder in their order of priority; there may be none."""
    return [file for file in _named(folder) if oddity(file) is None]


def odd_files(folder: Path) -> list[Fault]:
    """Return faults for files that only look like journal files: pipes, devices, links, emptied files."""
    odd = [(file, oddity(file)) for file in _named(folder)]
    faults = [
        Fault(file, 0, torn=False, reason=f"is {kind} and no file of the journal's")
        for file, kind in odd
        if kind is not None
    ]
    empty = (file for file, kind in odd if kind is None and not file.stat().st_size)
    words = "is empty: what it held is lost, and asked again"
    return faults + [Fault(file, 0, torn=True, reason=words) for file in empty]


def require_no_links_out(folder: Path) -> None:
    """Refuse links to files elsewhere: answers in them would be asked and paid for again.

    Raises:
        AfterimageError: There is one.
    """
    for file in _named(folder):
        if oddity(file) == LINK_OUT:
            raise AfterimageError(
                f"{file}: found a link to a file outside this folder; expected the file itself, moved or copied here, "
                "or no such link."
            )


def _named(folder: Path) -> list[Path]:
    # A file whose name begins with a dot is not complete yet.
    return sorted(file for file in folder.glob(_PATTERN) if not file.name.startswith("."))


def numbered_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each line after the header; only the last may lack its line break.

    Windows line ends, which git may insert, are converted back; blank lines are skipped.
    """
    with file.open("rb", buffering=_BUFFER_BYTES) as lines:
        for number, line in enumerate(lines, start=1):
            if line.endswith(WINDOWS_END):
                line = line.removesuffix(WINDOWS_END) + b"\n"
            # The first line is the header, unless that was lost.
            if (number > 1 or key_in(line) is not None) and line != b"\n":
                yield number, line


def fault_in(file: Path, number: int, line: bytes, damage: DamagedLineError) -> Fault:
    """Return a damaged line as a fault; without its line break it was cut off."""
    return Fault(file, number, not line.endswith(b"\n"), str(damage))


def read_header(file: Path) -> Header:
    """Read the first line of a file.

    Raises:
        AfterimageError: The file follows another version of the form.
    """
    with file.open("rb") as lines:
        line = lines.readline()
    if not line:
        return Header()
    if line.endswith(WINDOWS_END):
        line = line.removesuffix(WINDOWS_END) + b"\n"
    if key_in(line) is not None:
        lost = "has lost its first line, which says who answered"
        return Header(fault=Fault(file, 1, torn=False, reason=lost, is_headless=True))
    try:
        header = decode(line)
    except DamagedLineError as damage:
        # Another version may have no checksum; with a wrong one, a wrong version proves nothing.
        if not has_checksum(line):
            _require_version(file, _version_of(line))
        return Header(fault=fault_in(file, 1, line, damage))
    _require_version(file, header.get(VERSION_FIELD))
    try:
        return Header(answerer_in(header))
    except DamagedLineError as damage:
        return Header(fault=fault_in(file, 1, line, damage))


@dataclass(frozen=True)
class Entry:
    """An intact line after the first: an answer or a withdrawal, and whose answers the file holds."""

    file: Path
    number: int
    line: bytes
    record: dict[str, Any]
    answerer: Answerer | None

    @property
    def is_answer(self) -> bool:
        return "withdraws" not in self.record

    @property
    def identity(self) -> tuple[str, str]:
        """Key and checksum, which identify an answer in any copy."""
        return self.record["key"], crc_of(self.line)

    @property
    def is_foreign(self) -> bool:
        """Whether it is an answer whose key does not match its request and repeat."""
        if not self.is_answer or self.answerer is None:
            return False
        try:
            require_matching_key(self.record, self.answerer)
        except DamagedLineError:
            return True
        return False

    @property
    def withdraws(self) -> tuple[str, str]:
        """The identity of the answer that is withdrawn."""
        return self.record["key"], self.record["withdraws"]


def entries_in(file: Path) -> Iterator[Entry | Fault]:
    """Yield every answer, withdrawal and fault of a file, in order."""
    header = read_header(file)
    if header.fault is not None:
        yield header.fault
    for number, line in numbered_lines(file):
        try:
            record = decode(line)
        except DamagedLineError as damage:
            yield fault_in(file, number, line, damage)
        else:
            if key_in(line) is not None:
                yield Entry(file, number, line, record, header.answerer)


def undisturbed(read: Callable[[], T]) -> T:
    """Return what ``read`` returns; read again if files are merged meanwhile.

    Compacting writes the merged file before it removes the parts, so that a second attempt finds everything; on a
    network file system the old list of names may be visible for another minute.
    """
    for pause in (0, 0.1, 0.5, 2, 5, 10, 20, 30):
        time.sleep(pause)
        try:
            return read()
        except OSError as error:
            last = error
            if error.errno not in _GONE:
                break
    raise AfterimageError(f"{last.filename}: cannot be read ({last.strerror}).") from last


def _version_of(line: bytes) -> object:
    try:
        header = parsed_json(line)
    except ValueError:
        return VERSION
    return header.get(VERSION_FIELD, VERSION) if isinstance(header, dict) else VERSION


def _require_version(file: Path, version: object) -> None:
    if version != VERSION:
        raise AfterimageError(
            f"{file}: a journal of version {version}; this Afterimage reads and writes version {VERSION}: use the "
            "one that wrote it, or name another folder in config key 'journal'."
        )
