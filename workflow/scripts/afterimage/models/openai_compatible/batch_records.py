"""Records of batches in progress, on disk, so that after a kill no batch is lost or submitted twice.

A batch has two files in a folder inside the model's journal: ``<token>.requests.jsonl``, the requests, and
``<token>.json``, the record of which requests these are and how far the submission is. The submitting job holds a lock
on the requests' file, which is removed when the API has named the batch. The record is removed when no answer of the
batch is wanted any more.
"""

import fcntl
import json
import os
import re
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from afterimage.errors import AfterimageError
from afterimage.files.json_files import parsed_json
from afterimage.files.paths import oddity, write_text
from afterimage.models.interface import Request
from afterimage.models.journaling.entries import (
    Answerer,
    DamagedLineError,
    decode,
    key_in,
)
from afterimage.models.journaling.files import journal_files, numbered_lines, undisturbed

#: Version of the format of records.
VERSION = 1
_VERSION_FIELD = "afterimage_batch"
_CUSTOM_ID = re.compile("[0-9a-f]{64}-[0-9]{1,9}")
# An API's names of files and batches, which become part of an address.
_API_NAME = re.compile(r"[\w-][\w.:-]{0,199}", re.ASCII)
_REQUESTS = ".requests.jsonl"
_RECORD = ".json"


@dataclass(frozen=True)
class BatchRecord:
    """The record of a batch.

    Attributes:
        token: Identifies it here and, as metadata, at the API.
        created_at: When it was begun, ISO 8601 in UTC.
        answerer: The model with everything that can change answers, as in the header of a journal's file.
        custom_ids: The requests whose answers are still wanted from it.
        file_id: The API's name for the requests' file; None before the upload.
        batch_id: The API's name for the batch; None before there is one.
    """

    token: str
    created_at: str
    answerer: Mapping[str, Any]
    custom_ids: tuple[str, ...] = ()
    file_id: str | None = None
    batch_id: str | None = None

    @property
    def made(self) -> datetime:
        """When it was begun."""
        return datetime.fromisoformat(self.created_at)


def custom_id(request: Request, repeat: int) -> str:
    """Return the name of one repeat of a request in a batch, derived from its content."""
    return f"{request.sha256}-{repeat}"


def is_api_name(value: object) -> bool:
    """Tell whether this can be an API's name of a file or a batch."""
    return isinstance(value, str) and bool(_API_NAME.fullmatch(value))


class BatchFolder:
    """The batches of one model."""

    def __init__(self, path: Path) -> None:
        """Take the folder; it need not exist."""
        self.path = path

    def record_file(self, token: str) -> Path:
        return self.path / f"{token}{_RECORD}"

    def records(self, answerer: Mapping[str, Any]) -> list[BatchRecord]:
        """Return the batches of an answerer, oldest first.

        Raises:
            AfterimageError: A record has another version of the format, or is invalid.
        """
        found = map(_read, self.path.glob(f"[!.]*{_RECORD}"))
        matching = [
            record for record in found if record is not None and record.answerer == answerer
        ]
        return sorted(matching, key=lambda record: (record.created_at, record.token))

    def new(self, answerer: Mapping[str, Any]) -> BatchRecord:
        """Return an empty record with a unique token; nothing is written yet."""
        moment = datetime.now(UTC)
        token = f"{moment:%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(8)}"
        return BatchRecord(token, moment.isoformat(), answerer)

    def write(self, record: BatchRecord) -> None:
        """Write a record to the disk; a record without wanted answers is removed.

        Raises:
            AfterimageError: It cannot be written.
        """
        file = self.record_file(record.token)
        with _in_words(file):
            if record.custom_ids:
                text = json.dumps({_VERSION_FIELD: VERSION, **asdict(record)}, indent=1)
                write_text(file, f"{text}\n")
            else:
                file.unlink(missing_ok=True)

    def keep(self, token: str, custom_ids: Collection[str]) -> None:
        """Remove all other requests from a record, as their answers are not wanted any more."""
        record = _read(self.record_file(token))
        if record is not None:
            remaining = tuple(name for name in record.custom_ids if name in custom_ids)
            self.write(replace(record, custom_ids=remaining))

    def drop(self, token: str, custom_ids: Collection[str]) -> None:
        record = _read(self.record_file(token))
        if record is not None:
            self.keep(token, set(record.custom_ids).difference(custom_ids))

    def writing(self, token: str) -> "RequestsFile":
        """Create the file of a new batch's requests, locked until it is closed.

        Raises:
            AfterimageError: It cannot be written.
        """
        path = self._requests_file(token)
        unlocked = path.with_name(f".{path.name}")
        with _in_words(path):
            self.path.mkdir(parents=True, exist_ok=True)
            file = unlocked.open("xb")
            _lock(file)
            unlocked.rename(path)
        return RequestsFile(path, file)

    @contextmanager
    def made(self, token: str) -> Iterator[BatchRecord | None]:
        """Wait until no job is submitting a batch, and yield its record; None if it is gone.

        No other process changes or removes it while the block runs.
        """
        path = self._requests_file(token)
        try:
            if oddity(path):
                raise FileNotFoundError
            file = path.open("rb")
        except FileNotFoundError:
            yield _read(self.record_file(token))
            return
        with file:
            _lock(file)
            yield _read(self.record_file(token))

    def named(self, record: BatchRecord) -> None:
        """Record the API's name for a batch whose job was killed; a batch that was never created is forgotten."""
        self.write(record if record.batch_id else replace(record, custom_ids=()))
        self._requests_file(record.token).unlink(missing_ok=True)

    def remove_abandoned(self) -> None:
        """Remove requests' files of jobs that were killed before they wrote a record."""
        for path in self.path.glob(f"[!.]*{_REQUESTS}"):
            if oddity(path):
                continue
            with suppress(OSError), path.open("rb") as file:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
                record = _read(self.record_file(path.name.removesuffix(_REQUESTS)))
                if record is None or record.batch_id is not None:
                    path.unlink(missing_ok=True)

    def _requests_file(self, token: str) -> Path:
        return self.path / f"{token}{_REQUESTS}"


class RequestsFile:
    """The requests of a batch as they are written, one line each."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._bytes = self._lines = 0

    def holds(self, size: int, max_lines: int, max_bytes: int) -> bool:
        """Tell whether there is room for one more line of ``size`` bytes."""
        return self._lines < max_lines and self._bytes + size <= max_bytes

    def append(self, line: bytes) -> None:
        """Add a line.

        Raises:
            AfterimageError: There is no room.
        """
        with _in_words(self.path):
            self._file.write(line)
        self._bytes += len(line)
        self._lines += 1

    def flush(self) -> None:
        """Bring everything to the disk.

        Raises:
            AfterimageError: There is no room.
        """
        with _in_words(self.path):
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self, keep: bool) -> None:
        """Release the file, and remove it if it is not needed any more."""
        if not keep:
            self.path.unlink(missing_ok=True)
        # A full disk was reported before.
        with suppress(OSError):
            self._file.close()


def _read(file: Path) -> BatchRecord | None:
    no_record = AfterimageError(
        f"{file}: not a record of a batch under way; expected one, or no such file."
    )
    if oddity(file):
        raise no_record
    try:
        content = parsed_json(file.read_bytes())
        version = content.pop(_VERSION_FIELD)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, AttributeError):
        raise no_record from None
    if version != VERSION:
        raise AfterimageError(
            f"{file}: a record of version {version}; this Afterimage reads and writes version {VERSION}: let the one "
            "that wrote it fetch the batch's answers."
        )
    try:
        record = BatchRecord(**{**content, "custom_ids": tuple(content["custom_ids"])})
        names = [name for name in (record.file_id, record.batch_id) if name is not None]
        is_whole = (
            # The token becomes a path, which must be that of this file.
            record.token == file.name.removesuffix(_RECORD)
            and is_api_name(record.token)
            and isinstance(record.answerer, Mapping)
            and record.made.tzinfo
            and all(map(_CUSTOM_ID.fullmatch, record.custom_ids))
            and all(map(is_api_name, names))
        )
    except (ValueError, KeyError, TypeError):
        raise no_record from None
    if not is_whole:
        raise no_record
    return record


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AfterimageError(
            f"{path}: cannot be written ({error.strerror}); expected to note there what is asked, before it is."
        ) from error


def _lock(file: BinaryIO) -> None:
    # On file systems without locks, a job may mistake a batch in creation for one that was never created.
    with suppress(OSError):
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)


# ---- answers of batches that are in the journal already ----


def forget_recorded(folder: BatchFolder, answerer: Answerer) -> None:
    """Remove requests from the records whose answers were journaled since.

    A job that is killed while it fetches answers leaves its record unchanged. Without this, a request whose answer was
    withdrawn in order to ask it again would get the old one, from the old batch.

    Args:
        folder: Batches of a model; its parent folder is the model's journal.
    """
    records = folder.records(answerer.header())
    if not records:
        return
    keys = answerer.keys()
    wanted: dict[bytes, list[tuple[BatchRecord, str]]] = {}
    for record in records:
        for name in record.custom_ids:
            request_sha256, _, repeat = name.partition("-")
            key = keys.key(request_sha256, int(repeat)).encode("ascii")
            wanted.setdefault(key, []).append((record, name))
    for token, names in undisturbed(lambda: _recorded(folder, wanted)).items():
        folder.drop(token, names)


def _recorded(
    folder: BatchFolder, wanted: dict[bytes, list[tuple[BatchRecord, str]]]
) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file in journal_files(folder.path.parent):
        for _, line in numbered_lines(file):
            matches = wanted.get(key_in(line) or b"")
            if matches is None:
                continue
            try:
                answered_at = decode(line).get("answered_at")
            except DamagedLineError:
                continue
            # Even if it was withdrawn: the batch has no other answer.
            for record, name in matches:
                if answered_at and _moment(answered_at) >= record.made:
                    found.setdefault(record.token, set()).add(name)
    return found


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=moment.tzinfo or UTC)
