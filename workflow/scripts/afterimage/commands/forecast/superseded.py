"""Journaled answers that no longer serve, since the model's entry says something else than when they were given."""

import json
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from afterimage.models.journaling.entries import Answerer, content_of
from afterimage.models.journaling.files import Entry, entries_in, journal_files, read_header
from afterimage.models.journaling.upkeep import standing_answers

_UNSET = "unset"


def superseded(
    folder: Path, serving: Collection[Answerer], contents: Collection[str] = ()
) -> Counter[str]:
    """Count a model's answers that no request of a study can meet, by what has changed since they were given.

    Args:
        folder: The model's folder in the journal; it need not exist.
        serving: Who answers by the entry as it is, the entry's own first.
        contents: The hashes of the folder with the model's weights, where there is one.

    Returns:
        What has changed to the number of answers in force, such as ``settings.temperature 0, now unset``.
    """
    others = {
        file: answerer
        for file in journal_files(folder)
        if (answerer := read_header(file).answerer) is not None
        and (contents or answerer not in serving)
    }
    # Whoever changed nothing does not wait for the reading of a long journal.
    standing = standing_answers(folder) if others else set()
    found: Counter[str] = Counter()
    for file, answerer in others.items():
        change = None if answerer in serving else _change(answerer, next(iter(serving)))
        for entry in entries_in(file):
            if isinstance(entry, Entry) and entry.is_answer and entry.identity in standing:
                standing.remove(entry.identity)
                content = content_of(entry.record)
                if change is not None:
                    found[change] += 1
                elif content is not None and content not in contents:
                    found["the weights in the folder"] += 1
    return found


def _change(given: Answerer, now: Answerer) -> str:
    before, after = _flat(given), _flat(now)
    return "; ".join(
        f"{name} {_said(before, name)}, now {_said(after, name)}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    )


def _flat(answerer: Answerer) -> dict[str, Any]:
    said = answerer.header()
    settings = {f"settings.{name}": value for name, value in said.pop("settings").items()}
    return {name: value for name, value in {**said, **settings}.items() if value is not None}


def _said(fields: dict[str, Any], name: str) -> str:
    if name not in fields:
        return _UNSET
    value = fields[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
