"""What Snakemake has recorded about files, and which of them the workflow made, by these records.

They are read through Snakemake's own classes, from wherever a run in this folder kept them.
"""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

from afterimage.errors import AfterimageError
from afterimage.files.attempts import noted_answers
from afterimage.files.stimulus import read_images
from afterimage.stages.stale_results import half_written

_FOLDER = ".snakemake"
_METADATA = "metadata"
_DATABASE = "metadata.db"
# A parameter of every job of this workflow, and of no other's (``all_stages.code_of``).
_CODE = re.compile(r"code of (?P<stage>\w+) (?P<code>[0-9a-f]+)")


class Record(NamedTuple):
    """What is recorded about an output of a job.

    Attributes:
        output: Its path, relative to the folder of the run.
        start: When the job began, in seconds since 1970.
        end: When the output was written, its own time stamp.
        code: The fingerprint of the job's code (``all_stages.code_of``).
    """

    output: str
    rule: str
    logs: tuple[str, ...]
    start: float
    end: float
    code: str = ""

    @property
    def stage(self) -> str:
        """The job's stage (``all_stages.STAGES``)."""
        known = stage_and_code(self.code)
        return known[0] if known else ""


def stage_and_code(parameter: str) -> tuple[str, str] | None:
    """Return a job's stage and the fingerprint of its code, of the parameter that holds both; None of any other."""
    found = _CODE.fullmatch(parameter)
    return found and (found["stage"], found["code"])


class _Recorded(Protocol):
    """What Snakemake records about an output."""

    rule: str | None
    log: Iterable[str] | None


class _Store(Protocol):
    """The part of Snakemake's ``PersistenceBase`` that is used; ``tests/workflow/test_private_names.py`` looks for it.

    ``_filter_incomplete_keys`` is private. The public ``incomplete`` takes a job and looks for its outputs below the
    current folder, which need not be the run's.
    """

    def metadata(self, target: object) -> _Recorded | None: ...

    def cleanup_metadata(self, target: object) -> bool: ...

    def _filter_incomplete_keys(self, keys: Iterable[str]) -> set[str]: ...


class Records:
    """Snakemake's records of one folder, from its files, its database, or both."""

    def __init__(self, root: Path) -> None:
        """Open what there is; nothing is made where nothing is.

        Raises:
            AfterimageError: The records cannot be read.
        """
        self._folder = root.resolve() / _FOLDER
        try:
            self._stores = dict(_stores(self._folder))
        except _reading_errors() as error:
            raise self._unreadable(error) from error

    def of(self, output: str | os.PathLike[str]) -> Record | None:
        """Return the record of an output that this workflow made; None of any other file."""
        found = [
            record for store in self._stores.values() if (record := self._read(store, str(output)))
        ]
        return max(found, key=lambda record: record.end, default=None)

    def newest_store(self, outputs: Iterable[str | os.PathLike[str]]) -> str | None:
        """Return which persistence backend holds the newest record of these outputs; None if there is none."""
        found = [
            (record.end, name)
            for output in outputs
            for name, store in self._stores.items()
            if (record := self._read(store, os.fspath(output)))
        ]
        return max(found)[1] if found else None

    def incomplete(self, outputs: Iterable[str]) -> set[str]:
        """Return those of the outputs whose jobs were killed."""
        named = list(outputs)
        try:
            return {
                key
                for store in self._stores.values()
                for key in store._filter_incomplete_keys(named)
            }
        except _reading_errors() as error:
            raise self._unreadable(error) from error

    def forget(self, outputs: Iterable[str | os.PathLike[str]]) -> None:
        """Remove the records of outputs that are gone, so that later files of those names are others'."""
        from snakemake.io import IOFile

        named = [IOFile(os.fspath(output)) for output in outputs]
        try:
            for store in self._stores.values():
                for output in named:
                    store.cleanup_metadata(output)
        except _reading_errors() as error:
            raise self._unreadable(error) from error

    def _read(self, store: _Store, output: str) -> Record | None:
        from pydantic import ValidationError
        from snakemake.io import IOFile

        try:
            record = store.metadata(IOFile(output))
        except (ValidationError, ValueError, TypeError, AttributeError):
            # Another version's record, or one that a kill cut off, says nothing of use.
            return None
        except _reading_errors() as error:
            raise self._unreadable(error) from error
        # Texts among them are recorded in quotation marks.
        params = (str(param).strip("'") for param in getattr(record, "params", None) or ())
        code = next(filter(stage_and_code, params), None)
        start, end = getattr(record, "starttime", None), getattr(record, "endtime", None)
        if record is None or code is None or start is None or end is None:
            return None
        logs = tuple(record.log or ())
        return Record(output, record.rule or "", logs, start, end, code)

    def _unreadable(self, error: Exception) -> AfterimageError:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        return AfterimageError(
            f"{self._folder}: Snakemake's records of this run cannot be read ({first}); expected those that Snakemake "
            "left here."
        )


def _stores(folder: Path) -> Iterator[tuple[str, _Store]]:
    # Snakemake's classes make what they do not find.
    if (folder / _METADATA).is_dir():
        from snakemake.persistence.file import FilePersistence

        yield "file", FilePersistence(path=folder)
    if (folder / _DATABASE).is_file():
        from snakemake.persistence.db import DbPersistence

        yield "db", DbPersistence(path=folder)


def _reading_errors() -> tuple[type[Exception], ...]:
    import sqlite3

    from sqlalchemy.exc import SQLAlchemyError

    return OSError, SQLAlchemyError, sqlite3.Error


# ---- whose the files of a results folder are ----
#
# A file that the workflow did not record, that somebody changed since, or that is reached through a link is somebody
# else's, whatever it is called and wherever it lies.

_LINK = "reached through a link"
_UNKNOWN = "Snakemake has no record that this workflow made it"
_CHANGED = "changed since the workflow made it"
# What a copy to another file system may round a time stamp by.
_ROUNDED_SECONDS = 2.0
_STIMULI = "stimuli.parquet"


class Sorted(NamedTuple):
    """Files sorted by owner.

    Attributes:
        own: Those of the workflow, in order.
        others: All others, each with the reason.
    """

    own: list[Path]
    others: dict[Path, str]


class Ownership:
    """Tells whose the files of a results folder are."""

    def __init__(self, results: Path, root: Path) -> None:
        """Read what Snakemake has recorded.

        Args:
            results: The folder, as the study names it.

        Raises:
            AfterimageError: The records cannot be read.
        """
        self._results = results
        self._records = Records(root)

    def sort(self, files: Iterable[Path]) -> Sorted:
        """Sort files below the results folder."""
        made_here: list[Path] = []
        others: dict[Path, str] = {}
        for path in sorted(files):
            why = self._not_ours(path)
            if why is None:
                made_here.append(path)
            else:
                others[path] = why
        return Sorted(made_here, others)

    def remove(self, files: Iterable[Path]) -> None:
        """Remove files, and what Snakemake has recorded about them."""
        gone = list(files)
        for path in gone:
            path.unlink()
        self._records.forget(_key(path) for path in gone)

    def _not_ours(self, path: Path) -> str | None:
        """Return why a file is not the workflow's; None if the workflow made it."""
        if any(part.is_symlink() for part in self._down_to(path)):
            return _LINK
        if (target := half_written(path)) is not None:
            is_ours = self._record(target) or self._records.incomplete([_key(target)])
            return None if is_ours else _UNKNOWN
        if any(map(self._record, noted_answers(path))):
            return None
        if (record := self._record(path)) is not None:
            return None if _is_unchanged(path, record) else _CHANGED
        if path in self._logs or self._log_of(path) in self._logs or self._is_image(path):
            return None
        return _UNKNOWN

    def _record(self, path: Path) -> Record | None:
        return self._records.of(_key(path))

    def _down_to(self, path: Path) -> Iterator[Path]:
        """Yield a path and the folders above it; those above an absolute results folder are the computer's own."""
        yield from (path, *path.parents)[: len(path.parts) - len(self._results.parts) + 1]
        if not self._results.is_absolute():
            yield from self._results.parents

    @cached_property
    def _logs(self) -> set[Path]:
        records = (self._record(path) for path in all_files(self._results))
        return {Path(log) for record in records if record for log in record.logs}

    def _log_of(self, path: Path) -> Path | None:
        """Return the log of the job whose measured time and memory a file holds."""
        measured = self._results / "benchmarks"
        if path.suffix != ".tsv" or not path.is_relative_to(measured):
            return None
        return self._results / "logs" / path.relative_to(measured).with_suffix(".log")

    def _is_image(self, path: Path) -> bool:
        """Tell whether a file is, byte by byte, an image of the workflow's file next to it."""
        stimuli = path.parent / _STIMULI
        if path.suffix != ".png" or self._record(stimuli) is None:
            return False
        return _images(stimuli).get(path.stem) == sha256(path.read_bytes()).digest()


@cache
def _images(stimuli: Path) -> dict[str, bytes]:
    """Return the SHA-256 of each image's PNG bytes, by stimulus id; none where the file cannot be read."""
    try:
        return {record["stimulus_id"]: sha256(png).digest() for record, png in read_images(stimuli)}
    except (AfterimageError, OSError):
        return {}


def _is_unchanged(path: Path, record: Record) -> bool:
    return abs(path.stat().st_mtime - record.end) <= _ROUNDED_SECONDS


def all_files(folder: Path) -> Iterator[Path]:
    """Yield the files and links below a folder; no link is followed."""
    for parent, folders, names in os.walk(folder):
        linked = [name for name in folders if Path(parent, name).is_symlink()]
        yield from (Path(parent, name) for name in (*linked, *names))


def _key(path: Path) -> str:
    """Return a path as Snakemake records it."""
    return os.path.normpath(path)
