"""JSON files of others: values, lists, rows and columns, packed or not. Standard library only."""

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError, fault
from afterimage.files.external_text import gunzipped, read_text_file
from afterimage.files.recorded_value import shown_value


class RepeatedKeyError(ValueError):
    """An object has a key twice with two values; Python would drop the first."""


def parsed_json(content: str | bytes) -> Any:
    """Return the value of a JSON text; of a key that occurs twice, the last counts.

    Raises:
        ValueError: It is not JSON, or nested too deeply.
    """
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None


def parsed_rows(content: str | bytes) -> Any:
    """Return the value of a JSON text whose objects may be rows by id: a key with two values is an error.

    Raises:
        RepeatedKeyError: A key of an object occurs twice, with different values.
        ValueError: It is not JSON, or nested too deeply.
    """
    try:
        return json.loads(content, object_pairs_hook=unique_keys)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of its keys and values, for ``object_pairs_hook``.

    Raises:
        RepeatedKeyError: A key occurs twice, with different values.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        for key, value in pairs:
            if made[key] != value:
                raise RepeatedKeyError(
                    f"the key {key[:100]!r} occurs twice in one object, with different values"
                )
    return made


#: A record and its location: ``line 3`` or ``record 3``, from 1.
Located = tuple[str, dict[str, Any]]

#: What an object's key is called in its record, where records are kept by key.
KEY = "id"
_SHAPES = "one JSON object on each line, an array of objects, or objects under one key"
# Keys under which programs keep records among other things.
_HOLDERS = frozenset(
    {
        *("results", "samples", "data", "records", "answers", "predictions", "responses", "items"),
        *("rows", "outputs", "examples", "logs", "instances", "questions", "annotations", "generations"),
    }
)  # fmt: skip


def located_records(text: str, where: str) -> list[Located]:
    """Return the records of a JSON text, in their order.

    Read are JSON lines, arrays, objects one behind the other, objects under one key, and what pandas makes of a frame:
    by column, by row, split, or as lists. Of objects by key each record has its key as ``id``.

    Args:
        where: The file, for messages.

    Raises:
        AfterimageError: It is no JSON or holds something else; says what, and the line where it can.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        placed = [(f"line {number}", json_object(line, number, where)) for number, line in lines]
    except AfterimageError:
        values = _values(text, where)
        if values is None:
            raise
    else:
        if len(placed) != 1:
            return placed
        values = [placed[0][1]]
        if records_of(values[0], where) == values:
            return placed
    records = (record for value in values for record in records_of(value, where))
    return [(f"record {number}", record) for number, record in enumerate(records, start=1)]


def records_of(value: object, where: str) -> list[dict[str, Any]]:
    """Return the records in one JSON value; of an object that holds no others, itself.

    Raises:
        AfterimageError: It holds something else; says what.
    """
    if isinstance(value, list):
        return _objects(value, where)
    if not isinstance(value, dict):
        raise fault(where, f"found {shown_value(value)}; expected {_SHAPES}.")
    split = _split(value, where)
    if split is not None:
        return split
    held = {
        key: records
        for key, inner in value.items()
        if (records := _nested_records(key, inner, value))
    }
    if len(held) > 1:
        raise fault(
            where, f"found objects under several keys ({', '.join(held)}); expected {_SHAPES}."
        )
    return next(iter(held.values()), None) or _by_column_or_key(value) or [value]


def json_object(line: str | bytes, number: int, where: str) -> dict[str, Any]:
    """Return the object of a line.

    Raises:
        AfterimageError: The line is something else.
        UnicodeDecodeError: The line is bytes that are not UTF-8.
    """
    try:
        value = parsed_rows(line)
    except UnicodeDecodeError:
        raise
    except RepeatedKeyError as error:
        raise AfterimageError(f"{where}, line {number}: {error}; expected each key once.") from None
    except ValueError as error:
        begins = line if isinstance(line, str) else line.decode(errors="replace")
        hint = "" if begins.lstrip().startswith(("{", "[")) else f", found {shown_value(begins)}"
        raise AfterimageError(
            f"{where}, line {number}: not a JSON object ({error}{hint}); expected {_SHAPES}."
        ) from None
    if not isinstance(value, dict):
        raise AfterimageError(
            f"{where}, line {number}: not a JSON object (found {shown_value(value)}); expected {_SHAPES}."
        )
    return value


def _nested_records(key: str, value: object, holder: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the records under a key of an object; none where it is a field like others."""
    if len(holder) > 1 and key not in _HOLDERS:
        return []
    if isinstance(value, list) and all(isinstance(record, dict) for record in value):
        return list(value)
    return _by_column_or_key(value) if isinstance(value, dict) else []


def _by_column_or_key(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of columns, or the objects by key with their keys; none where there are none."""
    held = list(value.values())
    if len(held) < 2:
        return []
    if all(isinstance(one, list) for one in held) and len({len(one) for one in held}) == 1:
        return [dict(zip(value, row, strict=True)) for row in zip(*held, strict=True)]
    if not all(isinstance(one, dict) for one in held):
        return []
    keys = list(held[0])
    if _are_numbers(keys) and not _are_numbers(value) and all(list(one) == keys for one in held):
        return [{name: column[place] for name, column in value.items()} for place in keys]
    return [{KEY: key, **one} for key, one in value.items()]


def _split(value: Mapping[str, Any], where: str) -> list[dict[str, Any]] | None:
    """Return the rows of a frame that pandas split into ``columns`` and ``data``; None of anything else."""
    columns, rows = value.get("columns"), value.get("data")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return None
    if any(not isinstance(row, list) or len(row) != len(columns) for row in rows):
        raise fault(
            where,
            "found 'columns' and 'data' of which a row has other cells; expected one for each column.",
        )
    return [dict(zip(map(str, columns), row, strict=True)) for row in rows]


def _are_numbers(keys: Sequence[str] | Mapping[str, Any]) -> bool:
    # The rows of a frame that was filtered do not count from 0.
    return bool(keys) and all(key.isascii() and key.isdecimal() for key in keys)


def _objects(entries: list[Any], where: str) -> list[dict[str, Any]]:
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise fault(
                where,
                f"found {shown_value(entries)}, whose entry {number} is no object; expected objects.",
            )
    return entries


def _values(text: str, where: str) -> list[Any] | None:
    """Return the JSON values that a text holds one behind the other; None if something in it is none."""
    decoder = json.JSONDecoder(object_pairs_hook=unique_keys)
    found, rest = [], text.strip()
    at = 0
    try:
        while at < len(rest):
            value, at = decoder.raw_decode(rest, at)
            found.append(value)
            # Some programs put a comma behind each object.
            while at < len(rest) and (rest[at].isspace() or rest[at] == ","):
                at += 1
    except RepeatedKeyError as error:
        raise fault(where, f"{error}; expected each key once.") from None
    except (ValueError, RecursionError):
        return None
    return found


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
        expected: What it should be, for errors.
        lists: Each list, and the keys of its entries.

    Raises:
        AfterimageError: The file is missing or is no JSON, or it lacks a list or one of its entries a key.
    """
    content: Mapping[str, Any] = read_json(path, expected)
    for name, keys in lists.items():
        if not isinstance(content, Mapping) or not isinstance(content.get(name), list):
            raise AfterimageError(f"{path}: it has no list '{name}'; expected {expected}.")
        for index, entry in enumerate(content[name]):
            require_object(entry, keys, f"{path}: {name}, entry {index}")
    return content


def read_json_list(path: str | Path, what: str) -> list[Any]:
    """Return the entries of a list, also of one under a key or of JSON lines.

    Args:
        what: What its entries are, in the plural, for the error.

    Raises:
        AfterimageError: The file is no JSON, or holds no list or an empty one.
    """
    text = read_text_file(path, f"a list of {what}", "save it with the encoding UTF-8")
    try:
        entries = parsed_rows(text)
    except ValueError as error:
        try:
            entries = [record for _, record in located_records(text, str(path))]
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
