"""Log-probabilities of answers: how they are asked for, and the form in which journal and responses keep them.

What is kept is a mapping with one key, the way in which it came:

* ``first_token``: the first tokens of the answer, each with ``token``, ``logprob``, ``top`` (its alternatives, itself
  among them where it was) and, where they were given, ``bytes``; an alternative has the same but ``top``.
* ``options``: the options, each with ``text``, ``logprob`` of all of its text, and ``tokens``, how many it takes.

Log-probabilities are natural logarithms, at most 0; None if what was given is no number. Standard library only.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

#: The setting of a model's entry.
SETTING = "scores"
FIRST_TOKEN = "first_token"
OPTIONS = "options"
#: Tokens of an answer that are kept, and alternatives of each.
MAX_TOKENS = 16
MAX_ALTERNATIVES = 20

Scores = Mapping[str, Any]


def is_scored(settings: Mapping[str, Any]) -> bool:
    """Tell whether a model with these settings has log-probabilities."""
    return settings.get(SETTING) is not None


def as_json(scores: Scores | None) -> str | None:
    """Return scores as a column of a file holds them: JSON in ASCII."""
    return None if scores is None else json.dumps(scores, separators=(",", ":"))


def from_json(text: str | None) -> Scores | None:
    """Return what a column of scores holds; None if there is nothing."""
    return None if text is None else json.loads(text)


def way_of(scores: Scores | None) -> str | None:
    """Return in which way scores came; None if there are none."""
    return next((way for way in (FIRST_TOKEN, OPTIONS) if scores and scores.get(way)), None)


def is_sound(scores: Scores) -> bool:
    """Tell whether scores have the form above; an edited journal may hold anything."""
    way = way_of(scores)
    listed = scores.get(way) if way and len(scores) == 1 else None
    if not isinstance(listed, list):
        return False
    if way == OPTIONS:
        return all(_is_scored(each, "text") and _is_count(each.get("tokens")) for each in listed)
    return len(listed) <= MAX_TOKENS and all(
        _is_scored(each, "token")
        and isinstance(each.get("top"), list)
        and len(each["top"]) <= MAX_ALTERNATIVES
        and all(_is_scored(other, "token") for other in each["top"])
        for each in listed
    )


def _is_scored(given: object, name: str) -> bool:
    if not isinstance(given, Mapping) or not isinstance(given.get(name), str):
        return False
    value, encoded = given.get("logprob"), given.get("bytes", [])
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (value is None or (is_number and -math.inf < value <= 0)) and (
        isinstance(encoded, list) and all(_is_count(each) and each <= 255 for each in encoded)
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
