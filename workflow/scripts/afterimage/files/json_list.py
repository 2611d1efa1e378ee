"""Others' JSON files that hold a list of objects. Standard library only."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError
from afterimage.files.json_text import parsed_json


def read_json_list(path: str | Path, what: str) -> list[Any]:
    """Return the entries of a list in UTF-8.

    Args:
        path: The file.
        what: What its entries are, in the plural, for the error.

    Raises:
        AfterimageError: The file is no JSON, or holds no list or an empty one.
    """
    try:
        entries = parsed_json(Path(path).read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise AfterimageError(f"{path}: not JSON in UTF-8 ({error}).") from None
    if not isinstance(entries, list) or not entries:
        raise AfterimageError(f"{path}: found no list of {what}; expected one object each.")
    return entries


def require_object(entry: object, keys: Sequence[str], where: str) -> Mapping[str, Any]:
    """Return an entry that is an object with these keys; raise one sentence otherwise."""
    if not isinstance(entry, Mapping) or any(key not in entry for key in keys):
        raise AfterimageError(f"{where}: expected an object with the keys {', '.join(keys)}.")
    return entry
