"""Journaled answers as a Parquet file."""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from afterimage.files.parquet import write_records
from afterimage.files.records import JOURNALED_ANSWER
from afterimage.models.interface import storable
from afterimage.models.journaling.entries import content_of, is_failure, reply_of
from afterimage.models.journaling.files import Entry, entries_in, journal_files, undisturbed
from afterimage.models.journaling.upkeep import standing_answers

_AS_REPLIED = (
    *("repeat", "text", "finish_reason", "prompt_tokens"),
    *("completion_tokens", "reasoning_tokens", "latency_seconds"),
    *("cached_tokens", "cache_written_tokens"),
)


def export_answers(folders: Iterable[Path], path: str | os.PathLike[str]) -> int:
    """Write all answers of some models to a Parquet file and return their number.

    Args:
        path: The file to write, schema JOURNALED_ANSWER.

    Raises:
        AfterimageError: A file follows another version of the form, or cannot be read.
    """
    folders = list(folders)
    return undisturbed(
        lambda: write_records(
            path, (row for folder in folders for row in _rows(folder)), JOURNALED_ANSWER
        )
    )


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    standing = standing_answers(folder)
    seen: set[tuple[str, str]] = set()
    answered: set[tuple[str, str | None]] = set()
    for file in journal_files(folder):
        for entry in entries_in(file):
            if isinstance(entry, Entry) and entry.is_answer and entry.identity not in seen:
                seen.add(entry.identity)
                # Each version of a folder's weights has its own answers.
                key = entry.record["key"], content_of(entry.record)
                in_force = (
                    entry.identity in standing
                    and key not in answered
                    and not entry.is_foreign
                    and not is_failure(entry.record)
                )
                if in_force:
                    answered.add(key)
                yield _row(folder.name, entry, in_force)


def _row(model: str, entry: Entry, in_force: bool) -> dict[str, Any]:
    who = entry.answerer
    reply, _ = storable(reply_of(entry.record, 0))
    return {
        "model": model,
        "key": entry.record["key"],
        "in_force": in_force,
        "backend": who and who.backend,
        "model_id": who and who.model_id,
        "revision": reply.revision or (who and who.revision),
        "settings": who and who.settings,
        "request_sha256": entry.record["request"],
        "answered_at": datetime.fromisoformat(entry.record["answered_at"]),
        **{name: getattr(reply, name) for name in _AS_REPLIED},
    }
