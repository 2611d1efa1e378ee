"""A column of a file's schema, and what it means for readers."""

import pyarrow as pa

_MEANING = b"description"


def column(name: str, kind: pa.DataType, meaning: str, nullable: bool = False) -> pa.Field:
    """Return a column that says in every file what it means; docs/data_dictionary.md is made from this.

    Args:
        name: The column's name.
        kind: What it holds.
        meaning: One line of Markdown for readers.
        nullable: Whether it may be empty.
    """
    return pa.field(name, kind, nullable, {_MEANING: meaning})


def meaning_of(field: pa.Field) -> str:
    """Return what a column means; "" where nothing is said."""
    metadata: dict[bytes, bytes] = field.metadata or {}
    return metadata.get(_MEANING, b"").decode()
