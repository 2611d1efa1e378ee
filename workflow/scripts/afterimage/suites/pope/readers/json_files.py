"""JSON objects as datasets ship them: an array, or one object per line, packed or not."""

import json
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.json_list import read_bytes
from afterimage.files.json_text import parsed_json


def read_objects(path: str | Path, expected: str) -> list[tuple[int, dict]]:
    """Return the objects of a JSON array or of a file of JSON lines, with their number from 1 on.

    Raises:
        AfterimageError: The file is missing, is not JSON, or holds something else than objects.
    """
    content = read_bytes(path, expected)
    values = (
        _array(content, path, expected)
        if content.lstrip()[:1] == b"["
        else _lines(content, path, expected)
    )
    for number, value in values:
        if not isinstance(value, dict):
            raise AfterimageError(
                f"{path}: entry {number} is {json.dumps(value)[:40]}; expected {expected}."
            )
    return values


def _array(content: bytes, path: str | Path, expected: str) -> list[tuple[int, object]]:
    try:
        return list(enumerate(parsed_json(content), start=1))
    except ValueError as error:
        raise AfterimageError(f"{path}: not valid JSON ({error}); expected {expected}.") from None


def _lines(content: bytes, path: str | Path, expected: str) -> list[tuple[int, object]]:
    values = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            values.append((number, parsed_json(line)))
        except ValueError as error:
            raise AfterimageError(
                f"{path}, line {number}: not valid JSON ({error}); expected {expected}."
            ) from None
    return values
