"""JSON of others, whatever shape its records have: lines, an array, under a key, columns. Standard library only."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from afterimage.errors import AfterimageError, fault
from afterimage.files.json_text import RepeatedKeyError, parsed_rows, unique_keys
from afterimage.files.recorded_value import shown_value

#: A record and where it stands: ``line 3`` or ``record 3``, from 1.
Placed = tuple[str, dict[str, Any]]

#: What an object's key is called in its record, where records are kept by key.
KEY = "id"
_SHAPES = "one JSON object on each line, an array of objects, or objects under one key"
# Keys under which programs keep records beside other things.
_HOLDERS = frozenset(
    {
        *("results", "samples", "data", "records", "answers", "predictions", "responses", "items"),
        *("rows", "outputs", "examples", "logs", "instances", "questions", "annotations", "generations"),
    }
)  # fmt: skip


def placed_records(text: str, where: str) -> list[Placed]:
    """Return the records of a JSON text, in their order.

    Read are JSON lines, arrays, objects one behind the other, objects under one key, and what pandas makes of a frame:
    by column, by row, split, or as lists. Of objects by key each record has its key as ``id``.

    Args:
        text: The file's content.
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
    held = {key: records for key, one in value.items() if (records := _held(key, one, value))}
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


def _held(key: str, value: object, holder: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the records under a key of an object; none where it is a field like others."""
    if len(holder) > 1 and key not in _HOLDERS:
        return []
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
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
    places = list(held[0])
    if (
        _are_numbers(places)
        and not _are_numbers(value)
        and all(list(one) == places for one in held)
    ):
        return [{name: column[place] for name, column in value.items()} for place in places]
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
    """Return the JSON values that a text holds one behind the other; None where something in it is none."""
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
