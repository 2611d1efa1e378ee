"""How fast a model has answered, by the times in its journal."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from afterimage.models.journaling.entries import Answerer
from afterimage.models.journaling.files import Entry, entries_in, journal_files, read_header

# The newest jobs tell how fast the model is now; older ones may have run on other machines.
_NEWEST_FILES = 20
# Answers of one batch follow each other at once: gaps this much shorter than the mean belong to one batch.
_SHARE_OF_MEAN_GAP = 0.1
# Of less, no rate is formed.
_LEAST_SECONDS = 1.0


def answers_per_second(folder: Path, answerer: Answerer) -> float | None:
    """Return how many answers a job of the model has given per second, while it answered.

    A journal file is one job's. What came with its first answer had been waited for before the first time that is
    known, so it does not count; neither does the loading of the model.

    Args:
        folder: The model's folder in the journal; it need not exist.
        answerer: Who answers, since other settings have other speeds.

    Returns:
        None where there are not enough answers to tell.
    """
    files = [file for file in journal_files(folder) if read_header(file).answerer == answerer]
    spans = [_span(_times(file)) for file in files[-_NEWEST_FILES:]]
    answers, seconds = (sum(part) for part in zip((0, 0.0), *spans, strict=True))
    return answers / seconds if seconds >= _LEAST_SECONDS and answers else None


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
