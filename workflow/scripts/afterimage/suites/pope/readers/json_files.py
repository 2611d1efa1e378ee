"""JSON objects as datasets ship them: an array, or one object per line, packed or not."""

import json
import re
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.json_list import read_bytes
from afterimage.files.json_text import parsed_rows


def read_objects(path: str | Path, expected: str) -> list[tuple[int, dict]]:
    """Return the objects of a JSON array or of a file of JSON lines, with their number from 1 on.

    Raises:
        AfterimageError: The file is missing, is not JSON, or holds something else than objects.
    """
    text = _text(read_bytes(path, expected), path, expected)
    values = (
        _array(text, path, expected)
        if text.lstrip().startswith("[")
        else _lines(text, path, expected)
    )
    for number, value in values:
        if not isinstance(value, dict):
            raise AfterimageError(
                f"{path}: entry {number} is {json.dumps(value)[:40]}; expected {expected}."
            )
    return values


def _text(content: bytes, path: str | Path, expected: str) -> str:
    try:
        return content.decode(json.detect_encoding(content)).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise AfterimageError(f"{path}: not in UTF-8 ({error}); expected {expected}.") from None


def _array(text: str, path: str | Path, expected: str) -> list[tuple[int, object]]:
    try:
        return list(enumerate(parsed_rows(text), start=1))
    except ValueError as error:
        raise AfterimageError(f"{path}: not valid JSON ({error}); expected {expected}.") from None


def _lines(text: str, path: str | Path, expected: str) -> list[tuple[int, object]]:
    values = []
    # Not splitlines: a text may hold what ends a line elsewhere, such as U+2028.
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        if not line.strip():
            continue
        try:
            values.append((number, parsed_rows(line)))
        except ValueError as error:
            raise AfterimageError(
                f"{path}, line {number}: not valid JSON ({error}); expected {expected}."
            ) from None
    return values
