"""A column of a file's schema, and what it means for readers."""

import pyarrow as pa

_MEANING = b"description"
_OF_FEW = b"of_few"


def column(
    name: str, kind: pa.DataType, meaning: str, nullable: bool = False, of_few: bool = False
) -> pa.Field:
    """Return a column that says in every file what it means; docs/data_dictionary.md is made from this.

    Args:
        name: The column's name.
        kind: What it holds.
        meaning: One line of Markdown for readers.
        nullable: Whether it may be empty.
        of_few: Whether it is empty in most rows, so that one without a word of it may be written.
    """
    more = {_OF_FEW: b"true"} if of_few else {}
    return pa.field(name, kind, nullable or of_few, {_MEANING: meaning, **more})


def columns_of_few(schema: pa.Schema) -> dict[str, None]:
    """Return the columns that a row may leave out, each with what it then holds."""
    return dict.fromkeys(field.name for field in schema if _OF_FEW in (field.metadata or {}))


def meaning_of(field: pa.Field) -> str:
    """Return what a column means; "" where nothing is said."""
    metadata: dict[bytes, bytes] = field.metadata or {}
    return metadata.get(_MEANING, b"").decode()
