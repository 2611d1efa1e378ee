"""Others' Parquet files, as hubs hold them: some columns whole, and images row by row."""

import hashlib
import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from afterimage.errors import AfterimageError
from afterimage.files.paths import write_text
from afterimage.files.read_once import once_per_state

# Images that are decoded from a file's pages at a time, and how many such batches are kept: jobs go from row to row,
# several at a time, and a row group may be larger than the memory.
_ROWS_AT_A_TIME, _BATCHES_KEPT = 16, 4
_BUFFER_BYTES = 1 << 20
_DIGESTS = Path(".snakemake/afterimage/images")


def read_columns(path: str, columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rows of some columns.

    Args:
        columns: Each column to what it holds: ``text``, ``list`` (of texts), ``number`` (or a text), ``answer`` (any of
            these, or true and false), ``image`` (the name that it has inside, if any; bytes are not read), ``images``
            (an image or a list of them; nothing is read).

    Raises:
        AfterimageError: The file is not readable, or lacks a column, or one holds something else.
    """
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected a Parquet file of questions.")
    return _columns(path, tuple(columns.items()))


@once_per_state(32)
def _columns(path: str, columns: tuple[tuple[str, str], ...]) -> list[dict[str, Any]]:
    with _opened(path) as file:
        schema = file.schema_arrow
        for name, kind in columns:
            if name not in schema.names:
                found = ", ".join(schema.names)
                raise AfterimageError(
                    f"{path}: found the columns {found}; expected also '{name}' (was it renamed?)."
                )
            if not _KINDS[kind](schema.field(name).type):
                raise AfterimageError(
                    f"{path}: column '{name}' holds {schema.field(name).type}; expected {_WORDS[kind]}."
                )
        wanted = [
            f"{name}.path" if kind == "image" else name
            for name, kind in columns
            if kind != "images"
        ]
        rows: list[dict[str, Any]] = file.read(columns=wanted).to_pylist()
    for name, kind in columns:
        if kind == "image":
            for row in rows:
                row[name] = (row[name] or {}).get("path")
    return rows


#: How contents are hashed: by SHA-256, or as Git names files.
SHA256, GIT = "sha256", "git"


def image_digests(path: str, column: str, how: str = SHA256) -> list[list[str | None]]:
    """Return the hash of each row's images, in order; None in the place of one that has no content.

    A row of a column of images has one, of a column of lists any number. What is the same picture has the same. They
    are kept below ``.snakemake``, since reading all images takes seconds.

    Raises:
        AfterimageError: The file is not readable.
    """
    state = Path(path).stat()
    name = f"2\0{how}\0{Path(path).resolve()}\0{column}\0{state.st_size}\0{state.st_mtime_ns}"
    kept = _DIGESTS / f"{hashlib.sha256(name.encode()).hexdigest()}.json"
    with suppress(OSError, ValueError):
        known: list[list[str | None]] = json.loads(kept.read_text())
        return known
    found: list[list[str | None]] = []
    with _opened(path) as file:
        groups = file.num_row_groups
    try:
        # A row group after the other: all at once would be in memory together.
        for batch in (batch for group in range(groups) for batch in _images(path, column, group)):
            found += _digests(batch.column(0), how)
    except (pa.ArrowInvalid, OSError) as error:
        raise AfterimageError(
            f"{path}, row {len(found)}: its content is damaged ({error}); fetch it again."
        ) from error
    with suppress(OSError):
        write_text(kept, json.dumps(found))
    return found


def _digests(column: pa.Array, how: str) -> list[list[str | None]]:
    found = [
        _digest(image.as_buffer(), how) if image.is_valid else None for image in _contents(column)
    ]
    return [found[start:end] for start, end in pairwise(_starts(column))]


def _digest(data: pa.Buffer, how: str) -> str:
    if how == SHA256:
        return hashlib.sha256(data).hexdigest()
    digest = hashlib.sha1(b"blob %d\0" % data.size)
    digest.update(data)
    return digest.hexdigest()


def _contents(column: pa.Array) -> pa.Array:
    """Return the bytes of a column's images, those of lists one after the other."""
    return (column.flatten() if _is_listed(column.type) else column).field("bytes")


def _starts(column: pa.Array) -> list[int]:
    """Return the place of each row's first image among a column's, and at last their number."""
    if not _is_listed(column.type):
        return list(range(len(column) + 1))
    # A row without a list has no length.
    return [0, *accumulate(length or 0 for length in column.value_lengths().to_pylist())]


def _is_listed(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _is_text(kind: pa.DataType) -> bool:
    # A column of nothing has no type.
    texts = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return bool(texts or pa.types.is_null(kind))


def _is_list(kind: pa.DataType) -> bool:
    return _is_listed(kind) and _is_text(kind.value_type)


def _is_image(kind: pa.DataType) -> bool:
    names = {field.name for field in kind} if pa.types.is_struct(kind) else set()
    return {"bytes", "path"} <= names


def _are_images(kind: pa.DataType) -> bool:
    return _is_image(kind.value_type if _is_listed(kind) else kind)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind)) or _is_text(kind)


def _is_answer(kind: pa.DataType) -> bool:
    return bool(pa.types.is_boolean(kind)) or _is_number(kind) or _is_list(kind)


_KINDS = {
    "text": _is_text,
    "list": _is_list,
    "image": _is_image,
    "images": _are_images,
    "number": _is_number,
    "answer": _is_answer,
}
_WORDS = {
    "text": "texts",
    "list": "lists of texts",
    "image": "images (a struct of bytes and path)",
    "images": "images (a struct of bytes and path) or lists of them",
    "number": "whole numbers or texts",
    "answer": "texts, whole numbers, true and false, or lists of texts",
}


def read_image(path: str, column: str, row: int, index: int = 0) -> bytes:
    """Return the bytes of a row's image; quick where rows are asked for in order. Threads wait for each other.

    Args:
        column: A column of images, or of lists of images.
        row: From 0.
        index: Of the image in the row's list, from 0.

    Raises:
        AfterimageError: The file cannot be read there, or has no image in the row.
    """
    images = _cursor(path, column).images_of(row)
    data = images[index] if index < len(images) else None
    if not data:
        raise AfterimageError(f"{path}, row {row}, column '{column}': no image; expected one.")
    return data


@once_per_state(4)
def _cursor(path: str, column: str) -> "_Cursor":
    return _Cursor(path, column)


class _Cursor:
    """Goes through a column of images; goes back to the beginning of a row group where an earlier row is asked for."""

    def __init__(self, path: str, column: str) -> None:
        self._path, self._column, self._alone = path, column, Lock()
        with _opened(path) as file:
            sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
        self._starts = [sum(sizes[:n]) for n in range(len(sizes) + 1)]
        self._kept: deque[tuple[int, pa.Array, list[int]]] = deque(maxlen=_BATCHES_KEPT)
        self._batches: Iterator[pa.RecordBatch] = iter(())
        self._next = -1

    def images_of(self, row: int) -> list[bytes | None]:
        with self._alone:
            if not 0 <= row < self._starts[-1]:
                raise AfterimageError(
                    f"{self._path}: no row {row}; expected one of the {self._starts[-1]} rows."
                )
            try:
                return self._found(row)
            except (pa.ArrowInvalid, OSError) as error:
                raise AfterimageError(
                    f"{self._path}, row {row}: its content is damaged ({error}); fetch it again."
                ) from error

    def _found(self, row: int) -> list[bytes | None]:
        while True:
            for first, images, starts in self._kept:
                if first <= row < first + len(starts) - 1:
                    start, end = starts[row - first : row - first + 2]
                    found: list[bytes | None] = images[start:end].to_pylist()
                    return found
            self._advance(row)

    def _advance(self, row: int) -> None:
        group = next(n for n, end in enumerate(self._starts[1:]) if row < end)
        is_ahead = self._starts[group] <= self._next <= row
        batch = next(self._batches, None) if is_ahead else None
        if batch is None:
            self._batches = _images(self._path, self._column, group)
            self._next = self._starts[group]
            batch = next(self._batches)
        column = batch.column(0)
        self._kept.append((self._next, _contents(column), _starts(column)))
        self._next += len(batch)


def _images(path: str, column: str, group: int) -> Iterator[pa.RecordBatch]:
    with _opened(path, buffer_size=_BUFFER_BYTES, pre_buffer=False) as file:
        # Lists have levels of their own between the column and what its images hold.
        paths = [file.schema.column(index).path for index in range(len(file.schema))]
        wanted = [
            path for path in paths if path.startswith(f"{column}.") and path.endswith(".bytes")
        ]
        yield from file.iter_batches(batch_size=_ROWS_AT_A_TIME, row_groups=[group], columns=wanted)


@contextmanager
def _opened(path: str, **how: int) -> Iterator[pq.ParquetFile]:
    try:
        with pq.ParquetFile(path, **how) as file:
            yield file
    except (pa.ArrowInvalid, OSError) as error:
        raise AfterimageError(
            f"{path}: not a readable Parquet file ({error}); fetch it again."
        ) from error


def rows_of(
    paths: Sequence[str], columns: Mapping[str, str]
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield file, row and values of several files' rows."""
    for path in paths:
        for row, values in enumerate(read_columns(path, columns)):
            yield path, row, values
