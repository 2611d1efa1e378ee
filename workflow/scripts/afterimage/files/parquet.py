"""Records as Parquet files: checked against a schema, streamed, written atomically."""

import base64
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from afterimage.errors import AfterimageError
from afterimage.files.paths import atomic_path

_MEANING = b"description"
_OF_FEW = b"of_few"


def column(
    name: str, kind: pa.DataType, meaning: str, nullable: bool = False, of_few: bool = False
) -> pa.Field:
    """Return a column that says in every file what it means; docs/data_dictionary.md is made from this.

    Args:
        meaning: One line of Markdown for readers.
        of_few: Whether it is empty in most rows, so that one without a word of it may be written.
    """
    more = {_OF_FEW: b"true"} if of_few else {}
    return pa.field(name, kind, nullable or of_few, {_MEANING: meaning, **more})


def columns_of_few(schema: pa.Schema) -> dict[str, None]:
    """Return the columns that a row may leave out, each with what it then holds."""
    return dict.fromkeys(field.name for field in schema if _OF_FEW in (field.metadata or {}))


def meaning_of(field: pa.Field) -> str:
    metadata: dict[bytes, bytes] = field.metadata or {}
    return metadata.get(_MEANING, b"").decode()


# Repeated images inside a row group are stored once, as long as the dictionary may grow this large.
_LAYOUT = {"compression": "zstd", "dictionary_pagesize_limit": 1 << 28}

#: Bytes that many records of a table share, as memory holds them; the file holds plain bytes.
_SHARED = pa.dictionary(pa.int32(), pa.binary())


#: Values by column.
Row = Mapping[str, object]
#: Texts by name, as a column that other programs read, too: Arrow's own type for them, a map, is unknown to many.
TEXTS = pa.list_(pa.struct([pa.field("name", pa.string()), pa.field("value", pa.string())]))


def write_records(
    path: str | os.PathLike[str],
    rows: Iterable[Row],
    schema: pa.Schema,
    batch_size: int = 256,
    about: Mapping[str, str] | None = None,
) -> int:
    """Write ``rows`` to ``path`` and return their number; memory holds ``batch_size`` rows.

    Args:
        batch_size: Rows of a row group.
        about: What the file says of itself in its metadata (:func:`read_about`).

    Raises:
        AfterimageError: A row lacks a column, has one too many, or a value does not fit its type.
    """
    return write_groups(path, _batches(rows, batch_size), with_about(schema, about), **_LAYOUT)


def with_about(schema: pa.Schema, about: Mapping[str, str] | None) -> pa.Schema:
    """Return a schema whose files say something of themselves: texts by name, in the file's metadata."""
    return schema.with_metadata({**(schema.metadata or {}), **about}) if about else schema


def read_about(path: str | os.PathLike[str], schema: pa.Schema) -> dict[str, str]:
    """Return what a file says of itself in its metadata."""
    with open_records(path, schema) as file:
        metadata = file.schema_arrow.metadata or {}
    known = schema.metadata or {}
    return {name.decode(): text.decode() for name, text in metadata.items() if name not in known}


def write_groups(
    path: str | os.PathLike[str],
    groups: Iterable[list[Row]],
    schema: pa.Schema,
    **layout: object,
) -> int:
    """Write each list of rows as a row group, with the checks of :func:`write_records`.

    Args:
        layout: Page settings of ``pyarrow.parquet.ParquetWriter``.
    """
    count = 0
    written = _with_shared_bytes(schema)
    with _writer(path, schema, written, **layout) as writer:
        for group in groups:
            table = _checked_table(group, written, path)
            writer.write_table(table, row_group_size=len(group))
            count += len(group)
    return count


def columns_but(schema: pa.Schema, *names: str) -> tuple[str, ...]:
    """Return the columns of a schema without these, such as ``images``, which most do not need."""
    return tuple(name for name in schema.names if name not in names)


def read_records(
    path: str | os.PathLike[str],
    schema: pa.Schema,
    columns: Sequence[str] | None = None,
    batch_size: int = 64,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``path`` as plain dicts, columns of :data:`TEXTS` too; memory holds ``batch_size`` rows.

    Raises:
        AfterimageError: The file is missing, is not Parquet, is damaged, or follows another schema.
    """
    with open_records(path, schema) as file:
        batches = file.iter_batches(batch_size=batch_size, columns=columns)
        while (batch := _sound(path, next, batches, None)) is not None:
            texts = [field.name for field in batch.schema if field.type == TEXTS]
            for row in batch.to_pylist(maps_as_pydicts="strict"):
                for name in texts:
                    row[name] = {entry["name"]: entry["value"] for entry in row[name]}
                yield row


def read_table(
    path: str | os.PathLike[str], schema: pa.Schema, columns: Sequence[str] | None = None
) -> pa.Table:
    """Read ``path`` whole, or some of its columns, after the same checks as :func:`read_records`."""
    with open_records(path, schema) as file:
        return _sound(path, file.read, columns)


def merge_records(
    path: str | os.PathLike[str], parts: Iterable[str | os.PathLike[str]], schema: pa.Schema
) -> int:
    """Concatenate the record files ``parts`` into ``path``, one part in memory at a time."""
    return write_tables(path, (read_table(part, schema) for part in parts), schema)


def write_tables(
    path: str | os.PathLike[str], tables: Iterable[pa.Table], schema: pa.Schema
) -> int:
    """Write tables of one schema one after the other and return how many rows they have; one is in memory at a time."""
    count = 0
    with _writer(path, schema, **_LAYOUT) as writer:
        for table in tables:
            writer.write_table(table)
            count += len(table)
    return count


@contextmanager
def _writer(
    path: str | os.PathLike[str],
    schema: pa.Schema,
    written: pa.Schema | None = None,
    **layout: object,
) -> Iterator[pq.ParquetWriter]:
    """Open a file of a schema for tables of a schema, where that is another one for the same columns."""
    same = written is None or written.equals(schema)
    how = {"schema": schema} if same else {"schema": written, "store_schema": False}
    with atomic_path(path) as temporary, pq.ParquetWriter(temporary, **how, **layout) as writer:
        yield writer
        if not same:
            # As Arrow itself stores it, so that readers find the file's own schema.
            encoded = base64.b64encode(schema.serialize().to_pybytes())
            writer.add_key_value_metadata({**(schema.metadata or {}), "ARROW:schema": encoded})


def open_records(path: str | os.PathLike[str], schema: pa.Schema) -> pq.ParquetFile:
    """Open a file of records to read it; where its pages have checksums, they are checked.

    Raises:
        AfterimageError: The file is missing, is not Parquet, or follows another schema.
    """
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected a Parquet file of records.")
    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
    except (pa.ArrowInvalid, OSError) as error:
        raise AfterimageError(
            f"{path}: not a readable Parquet file ({error}); delete it and run again."
        ) from error
    if not file.schema_arrow.equals(schema):
        found, expected = set(file.schema_arrow.names), set(schema.names)
        difference = ", ".join(sorted(found ^ expected)) or "column types or their order"
        file.close()
        raise AfterimageError(
            f"{path}: its columns are not those of this version (differing: {difference}); "
            "delete it and run again."
        )
    return file


def _sound(path: str | os.PathLike[str], read: Callable[..., Any], *arguments: object) -> Any:
    try:
        return read(*arguments)
    except (pa.ArrowInvalid, OSError) as error:
        raise AfterimageError(
            f"{path}: its content is damaged ({error}); delete it and run again."
        ) from error


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    batch = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _checked_table(rows: list[Row], schema: pa.Schema, path: str | os.PathLike[str]) -> pa.Table:
    expected = set(schema.names)
    if few := columns_of_few(schema):
        rows = [{**few, **row} for row in rows]
    for row in rows:
        if set(row) != expected:
            difference = ", ".join(sorted(set(row) ^ expected))
            raise AfterimageError(
                f"{path}: a row's columns differ from the schema in: {difference}."
            )
    texts = [field.name for field in schema if field.type == TEXTS]
    shared = [field for field in schema if _shares_bytes(field)]
    plain = pa.schema([field for field in schema if field not in shared], schema.metadata)
    try:
        table = pa.Table.from_pylist([_listed(row, texts) for row in rows], schema=plain)
        for field in shared:
            column = _shared_column([row[field.name] for row in rows], field.type)
            table = table.add_column(schema.get_field_index(field.name), field, column)
        table.validate(full=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise AfterimageError(f"{path}: a value does not fit its column: {error}.") from error
    for field in schema:
        if not field.nullable and table[field.name].null_count:
            raise AfterimageError(f"{path}: column '{field.name}' must not be empty in any row.")
    return table


def _with_shared_bytes(schema: pa.Schema) -> pa.Schema:
    """Return a schema for the same columns in which bytes inside lists, such as images, are held once a table."""
    fields = []
    for field in schema:
        kind = field.type
        if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
            inside = [
                inner.with_type(_SHARED) if pa.types.is_binary(inner.type) else inner
                for inner in kind.value_type
            ]
            field = field.with_type(pa.list_(kind.value_field.with_type(pa.struct(inside))))
        fields.append(field)
    return pa.schema(fields, schema.metadata)


def _shares_bytes(field: pa.Field) -> bool:
    kind = field.type
    is_listed = pa.types.is_list(kind) and pa.types.is_struct(kind.value_type)
    return is_listed and any(inner.type == _SHARED for inner in kind.value_type)


def _shared_column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return a column of lists of records; what is the same bytes in many of them is copied once."""
    records = [record for listed in values for record in listed or ()]
    parts = []
    for field in kind.value_type:
        of_field = [record.get(field.name) for record in records]
        if field.type == _SHARED:
            indices: dict[Any, int] = {}
            numbers = [
                None if record is None else indices.setdefault(record, len(indices))
                for record in of_field
            ]
            distinct = pa.array(list(indices), _SHARED.value_type)
            parts.append(pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), distinct))
        else:
            parts.append(pa.array(of_field, field.type))
        if not field.nullable and parts[-1].null_count:
            raise pa.ArrowInvalid(f"'{field.name}' is empty in an entry")
    ends = accumulate((len(listed or ()) for listed in values), initial=0)
    starts = pa.array(ends, pa.int32())
    structs = pa.StructArray.from_arrays(parts, fields=list(kind.value_type))
    missing = pa.array([listed is None for listed in values])
    return pa.ListArray.from_arrays(starts, structs, type=kind, mask=missing)


def _listed(row: Row, texts: Sequence[str]) -> Row:
    """Return a row with its texts by name as the file holds them."""
    listed = {}
    for name in texts:
        value = row[name]
        if isinstance(value, Mapping):
            listed[name] = [{"name": key, "value": text} for key, text in value.items()]
    return {**row, **listed} if listed else row
