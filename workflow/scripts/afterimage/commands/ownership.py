"""Which files of a results folder the workflow made, by Snakemake's records, and why others are left alone.

A file that the workflow did not record, that somebody changed since, or that is reached through a link is somebody
else's, whatever it is called and wherever it lies.
"""

import os
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from afterimage.commands.records import Record, Records
from afterimage.errors import AfterimageError
from afterimage.files.attempts import noted_answers
from afterimage.files.stimulus import read_images
from afterimage.planning.belonging import half_written

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
        others: All others, each with why it is taken for somebody else's.
    """

    own: list[Path]
    others: dict[Path, str]


class Ownership:
    """Tells whose the files of a results folder are."""

    def __init__(self, results: Path, root: Path) -> None:
        """Read what Snakemake has recorded.

        Args:
            results: The folder, as the study names it.
            root: The folder in which the workflow ran.

        Raises:
            AfterimageError: The records cannot be read.
        """
        self._results = results
        self._records = Records(root)

    def sort(self, files: Iterable[Path]) -> Sorted:
        """Sort files that lie below the results folder."""
        own: list[Path] = []
        others: dict[Path, str] = {}
        for path in sorted(files):
            why = self._not_ours(path)
            if why is None:
                own.append(path)
            else:
                others[path] = why
        return Sorted(own, others)

    def remove(self, files: Iterable[Path]) -> None:
        """Remove files, and what Snakemake has recorded about them."""
        gone = list(files)
        for path in gone:
            path.unlink()
        self._records.forget(_key(path) for path in gone)

    def _not_ours(self, path: Path) -> str | None:
        """Return why a file is somebody else's; None where the workflow made it."""
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
        """Return the log of the job whose measured time and memory stand in a file."""
        measured = self._results / "benchmarks"
        if path.suffix != ".tsv" or not path.is_relative_to(measured):
            return None
        return self._results / "logs" / path.relative_to(measured).with_suffix(".log")

    def _is_image(self, path: Path) -> bool:
        """Tell whether a file is, byte by byte, an image out of the workflow's file beside it."""
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
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if Path(place, name).is_symlink()]
        yield from (Path(place, name) for name in (*linked, *names))


def _key(path: Path) -> str:
    """Return a path as Snakemake records it."""
    return os.path.normpath(path)
