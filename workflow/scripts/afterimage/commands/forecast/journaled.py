"""What a model's journal tells beforehand: how fast it has answered, and which answers no longer serve."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from afterimage.models.journaling.entries import Answerer, content_of
from afterimage.models.journaling.files import Entry, entries_in, journal_files, read_header
from afterimage.models.journaling.upkeep import standing_answers

# The newest jobs tell how fast the model is now; older ones may have run on other machines.
_NEWEST_FILES = 20
# Answers of one batch follow each other at once: gaps this much shorter than the mean belong to one batch.
_SHARE_OF_MEAN_GAP = 0.1
# Of less, no rate is formed.
_MIN_SECONDS = 1.0


def answers_per_second(folder: Path, answerer: Answerer) -> float | None:
    """Return how many answers a job of the model has given per second, while it answered.

    A journal file is one job's. What came with its first answer had been waited for before the first time that is
    known, so it does not count; neither does the loading of the model.

    Args:
        folder: The model's folder in the journal; it need not exist.
        answerer: Who answers, since other settings have other speeds.

    Returns:
        None if there are not enough answers to tell.
    """
    files = [file for file in journal_files(folder) if read_header(file).answerer == answerer]
    spans = [_span(_times(file)) for file in files[-_NEWEST_FILES:]]
    answers, seconds = (sum(part) for part in zip((0, 0.0), *spans, strict=True))
    return answers / seconds if seconds >= _MIN_SECONDS and answers else None


def _times(file: Path) -> list[float]:
    answers = (entry for entry in entries_in(file) if isinstance(entry, Entry) and entry.is_answer)
    moments = (datetime.fromisoformat(entry.record["answered_at"]) for entry in answers)
    return sorted(moment.timestamp() for moment in moments)


def _span(times: Sequence[float]) -> tuple[int, float]:
    """Return how many answers came after the first ones, and in how many seconds."""
    if len(times) < 2:
        return 0, 0.0
    seconds = times[-1] - times[0]
    together = _SHARE_OF_MEAN_GAP * seconds / (len(times) - 1)
    return len(times) - _leading(times, together), seconds


def _leading(times: Iterable[float], together: float) -> int:
    count, last = 0, None
    for moment in times:
        if last is not None and moment - last > together:
            break
        count, last = count + 1, moment
    return count


# ---- answers that no longer serve ----

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
        f"{name} {_stated(before, name)}, now {_stated(after, name)}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    )


def _flat(answerer: Answerer) -> dict[str, Any]:
    header = answerer.header()
    settings = {f"settings.{name}": value for name, value in header.pop("settings").items()}
    return {name: value for name, value in {**header, **settings}.items() if value is not None}


def _stated(fields: dict[str, Any], name: str) -> str:
    if name not in fields:
        return _UNSET
    value = fields[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
