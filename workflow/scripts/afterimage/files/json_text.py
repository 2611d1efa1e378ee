"""JSON of others: what cannot be read is one kind of error, also where it is nested too deeply."""

import json
from collections.abc import Sequence
from typing import Any


class RepeatedKeyError(ValueError):
    """An object has one key twice, with two values, of which Python would drop the first."""


def parsed_json(content: str | bytes) -> Any:
    """Return the value of a JSON text; of a key that stands twice, the last counts.

    Raises:
        ValueError: It is none, or nested so deeply that nobody can read it.
    """
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None


def parsed_rows(content: str | bytes) -> Any:
    """Return the value of a JSON text whose objects may be rows by id: a key with two values is an error.

    Raises:
        RepeatedKeyError: A key of an object stands twice, with different values.
        ValueError: It is no JSON, or nested so deeply that nobody can read it.
    """
    try:
        return json.loads(content, object_pairs_hook=unique_keys)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of its keys and values, for ``object_pairs_hook``.

    Raises:
        RepeatedKeyError: A key stands twice, with different values.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        for key, value in pairs:
            if made[key] != value:
                raise RepeatedKeyError(
                    f"the key {key[:100]!r} stands twice in one object, with different values"
                )
    return made
