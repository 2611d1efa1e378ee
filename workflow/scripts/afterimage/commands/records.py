"""What Snakemake has recorded about files, read through its own classes from wherever a run in this folder kept it."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from afterimage.errors import AfterimageError

_FOLDER = ".snakemake"
_METADATA = "metadata"
_DATABASE = "metadata.db"
# A parameter of every job of this workflow, and of no other's (``stages.code_of``), as Snakemake records it.
_CODE = re.compile(r"'code of \w+ [0-9a-f]+'")


class Record(NamedTuple):
    """What is recorded about an output of a job.

    Attributes:
        output: Its path, relative to the folder of the run.
        rule: The rule that made it.
        logs: The job's log files.
        start: When the job began, in seconds since 1970.
        end: When the output was written, its own time stamp.
        code: The fingerprint of the job's code (``stages.code_of``).
    """

    output: str
    rule: str
    logs: tuple[str, ...]
    start: float
    end: float
    code: str = ""


class _Store(Protocol):
    """The part of Snakemake's ``PersistenceBase`` that is used; ``tests/workflow/test_private_names.py`` looks for it.

    ``_filter_incomplete_keys`` is private. The public ``incomplete`` takes a job and looks for its outputs below the
    current folder, which need not be the run's.
    """

    def metadata(self, target: object) -> object: ...

    def cleanup_metadata(self, target: object) -> bool: ...

    def _filter_incomplete_keys(self, keys: Iterable[str]) -> set[str]: ...


class Records:
    """Snakemake's records of one folder, from its files, its database, or both."""

    def __init__(self, root: Path) -> None:
        """Open what there is; nothing is made where nothing is.

        Args:
            root: The folder in which the workflow ran.

        Raises:
            AfterimageError: The records cannot be read.
        """
        self._folder = root.resolve() / _FOLDER
        try:
            self._stores = dict(_stores(self._folder))
        except (OSError, *_database_errors()) as error:
            raise self._unreadable(error) from error

    def of(self, output: str | os.PathLike[str]) -> Record | None:
        """Return the record of an output that this workflow made; None of any other file."""
        found = [one for store in self._stores.values() if (one := self._read(store, str(output)))]
        return max(found, key=lambda one: one.end, default=None)

    def newest_store(self, outputs: Iterable[str | os.PathLike[str]]) -> str | None:
        """Return which persistence backend holds the newest record of these outputs; None where there is none."""
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
        except (OSError, *_database_errors()) as error:
            raise self._unreadable(error) from error

    def forget(self, outputs: Iterable[str | os.PathLike[str]]) -> None:
        """Remove the records of outputs that are gone; another file of that name is then nobody's of ours."""
        from snakemake.io import IOFile

        named = [IOFile(os.fspath(output)) for output in outputs]
        try:
            for store in self._stores.values():
                for output in named:
                    store.cleanup_metadata(output)
        except (OSError, *_database_errors()) as error:
            raise self._unreadable(error) from error

    def _read(self, store: _Store, output: str) -> Record | None:
        from pydantic import ValidationError
        from snakemake.io import IOFile

        try:
            record = store.metadata(IOFile(output))
        except (ValidationError, ValueError, TypeError, AttributeError):
            # Another version's record, or one that a kill cut off, says nothing of use.
            return None
        except (OSError, *_database_errors()) as error:
            raise self._unreadable(error) from error
        params = map(str, getattr(record, "params", None) or ())
        code = next((one for one in params if _CODE.fullmatch(one)), None)
        times = getattr(record, "starttime", None), getattr(record, "endtime", None)
        if code is None or None in times:
            return None
        return Record(output, record.rule or "", tuple(record.log or ()), *times, code.strip("'"))

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


def _database_errors() -> tuple[type[Exception], ...]:
    import sqlite3

    from sqlalchemy.exc import SQLAlchemyError

    return SQLAlchemyError, sqlite3.Error
