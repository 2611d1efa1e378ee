"""JSON of others: what cannot be read is one kind of error, also where it is nested too deeply."""

import json
from typing import Any


def parsed_json(content: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: It is none, or nested so deeply that nobody can read it.
    """
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
