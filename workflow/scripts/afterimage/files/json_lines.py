"""Folders of JSON lines, plain or gzipped: recorded answers as their authors publish them."""

import gzip
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError

_ENDINGS = (".jsonl", ".jsonl.gz")


class Line(NamedTuple):
    """One object, and where it stands for a message: ``file``, line ``number`` (from 1)."""

    file: Path
    number: int
    values: dict[str, Any]

    @property
    def where(self) -> str:
        """File and line, as a message names them."""
        return f"{self.file}, line {self.number}"


def json_line_files(folder: str | os.PathLike[str]) -> list[Path]:
    """Return the JSON-lines files of a folder by name.

    Raises:
        AfterimageError: There is no such folder, or no such file in it.
    """
    root = Path(folder)
    if not root.is_dir():
        raise AfterimageError(f"{root}: no such folder; expected one with *.jsonl.gz files.")
    found = sorted(path for path in root.iterdir() if path.name.endswith(_ENDINGS))
    if not found:
        raise AfterimageError(
            f"{root}: no *.jsonl or *.jsonl.gz file in it; expected at least one."
        )
    return found


def read_json_lines(path: Path) -> Iterator[Line]:
    """Yield the objects of one file; blank lines are passed over.

    Raises:
        AfterimageError: The file cannot be unpacked or decoded, or a line is not a JSON object.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield Line(path, number, _object(path, number, line))
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise AfterimageError(f"{path}: cannot be read as JSON lines in UTF-8 ({error}).") from None


def require_keys(line: Line, keys: Sequence[str]) -> None:
    """Raise one sentence if the object lacks a key."""
    missing = [key for key in keys if key not in line.values]
    if missing:
        raise AfterimageError(
            f"{line.where}: found the keys {', '.join(sorted(line.values)) or 'none'}; expected also: "
            f"{', '.join(missing)}."
        )


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except json.JSONDecodeError as error:
        raise AfterimageError(
            f"{path}, line {number}: not JSON ({error.msg} at column {error.colno}); expected one object a line."
        ) from None
    if not isinstance(values, dict):
        raise AfterimageError(
            f"{path}, line {number}: found a {type(values).__name__}; expected a JSON object."
        )
    return values
