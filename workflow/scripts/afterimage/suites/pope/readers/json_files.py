"""JSON as datasets ship it: one value, an array, or one object per line, packed or not."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError


def read_bytes(path: str | Path, expected: str) -> bytes:
    """Return the content of a file, unpacked if its name ends in ``.gz``.

    Raises:
        AfterimageError: The file is missing or is not what its name says.
    """
    file = Path(path)
    if not file.is_file():
        raise AfterimageError(f"{path}: no such file; expected {expected}.")
    try:
        return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise AfterimageError(f"{path}: cannot be read ({error}); expected {expected}.") from None


def read_json(path: str | Path, expected: str) -> object:
    """Return the one JSON value of a file.

    Raises:
        AfterimageError: The file is missing or is not JSON.
    """
    try:
        return _parsed(read_bytes(path, expected))
    except ValueError as error:
        raise AfterimageError(f"{path}: not valid JSON ({error}); expected {expected}.") from None


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


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _array(content: bytes, path: str | Path, expected: str) -> list[tuple[int, object]]:
    try:
        return list(enumerate(_parsed(content), start=1))
    except ValueError as error:
        raise AfterimageError(f"{path}: not valid JSON ({error}); expected {expected}.") from None


def _lines(content: bytes, path: str | Path, expected: str) -> list[tuple[int, object]]:
    values = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            values.append((number, _parsed(line)))
        except ValueError as error:
            raise AfterimageError(
                f"{path}, line {number}: not valid JSON ({error}); expected {expected}."
            ) from None
    return values
