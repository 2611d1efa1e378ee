"""Others' JSON files: one value, a list of objects, or several lists, packed or not. Standard library only."""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError, fault
from afterimage.files.gunzipped import gunzipped
from afterimage.files.json_text import parsed_rows
from afterimage.files.others_text import read_text_file
from afterimage.files.record_shapes import placed_records, records_of


def read_bytes(path: str | Path, expected: str) -> bytes:
    """Return the content of a file, unpacked if its name ends in ``.gz``.

    Raises:
        AfterimageError: The file is missing or is not what its name says.
    """
    file = Path(path)
    if not file.is_file():
        found = "is a folder" if file.is_dir() else "no such file"
        raise AfterimageError(f"{path}: {found}; expected {expected}.")
    try:
        return gunzipped(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise AfterimageError(f"{path}: cannot be read ({error}); expected {expected}.") from None


def read_json(path: str | Path, expected: str) -> Any:
    """Return the one JSON value of a file.

    Raises:
        AfterimageError: The file is missing or is not JSON.
    """
    try:
        return parsed_rows(read_bytes(path, expected))
    except ValueError as error:
        raise AfterimageError(f"{path}: not valid JSON ({error}); expected {expected}.") from None


def read_lists(
    path: str | Path, expected: str, lists: Mapping[str, Sequence[str]]
) -> Mapping[str, Any]:
    """Return the object of a file whose lists hold objects, as COCO's annotations do.

    Args:
        path: The file.
        expected: What it should be, for errors.
        lists: Each list, and the keys of its entries.

    Raises:
        AfterimageError: The file is missing or is no JSON, or it lacks a list or one of its entries a key.
    """
    content: Mapping[str, Any] = read_json(path, expected)
    for name, keys in lists.items():
        if not isinstance(content, Mapping) or not isinstance(content.get(name), list):
            raise AfterimageError(f"{path}: it has no list '{name}'; expected {expected}.")
        for place, entry in enumerate(content[name]):
            require_object(entry, keys, f"{path}: {name}, entry {place}")
    return content


def read_json_list(path: str | Path, what: str) -> list[Any]:
    """Return the entries of a list, also of one under a key or of JSON lines.

    Args:
        path: The file.
        what: What its entries are, in the plural, for the error.

    Raises:
        AfterimageError: The file is no JSON, or holds no list or an empty one.
    """
    text = read_text_file(path, f"a list of {what}", "save it with the encoding UTF-8")
    try:
        entries = parsed_rows(text)
    except ValueError as error:
        try:
            entries = [record for _, record in placed_records(text, str(path))]
        except AfterimageError:
            raise AfterimageError(f"{path}: not JSON in UTF-8 ({error}).") from None
    if isinstance(entries, dict):
        entries = [record for record in records_of(entries, str(path)) if record is not entries]
    if not isinstance(entries, list) or not entries:
        raise AfterimageError(f"{path}: found no list of {what}; expected one object each.")
    return entries


def require_object(entry: object, keys: Sequence[str], where: str) -> Mapping[str, Any]:
    """Return an entry that is an object with these keys; raise one sentence otherwise."""
    if not isinstance(entry, Mapping) or any(key not in entry for key in keys):
        raise fault(where, f"expected an object with the keys {', '.join(keys)}.")
    return entry
