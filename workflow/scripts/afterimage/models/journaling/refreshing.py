"""Refreshes: the cost of withdrawn answers, the list of refreshes, and how to undo one.

A refresh appends a withdrawal for each answer, with the time of the refresh; the answers stay. The times of the active
refreshes are in a separate file, so that planning sees quickly that answers have to be asked again, even if results
exist. Undoing a refresh removes its withdrawals and its time.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.json_files import parsed_json
from afterimage.files.paths import atomic_path, oddity, write_text
from afterimage.models.journaling.files import Entry, entries_in, journal_files, undisturbed

_MOMENTS = ".refreshed.json"


@dataclass
class Spent:
    """The tokens of some answers.

    Attributes:
        answers: Number of answers.
        prompt_tokens, completion_tokens: Their tokens, as far as known.
        cached_tokens, cache_written_tokens: Prompt tokens read from a cache, and written to it.
        uncounted: Answers with unknown tokens.
    """

    answers: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    uncounted: int = 0


def spent_on(folder: Path, standing: Collection[tuple[str, str]]) -> Spent:
    """Return the tokens of answers in a model's folder.

    Args:
        standing: The answers, by their identities.
    """
    return undisturbed(lambda: _spent_on(folder, standing))


def _spent_on(folder: Path, standing: Collection[tuple[str, str]]) -> Spent:
    spent = Spent()
    seen: set[tuple[str, str]] = set()
    for file in journal_files(folder):
        for entry in entries_in(file):
            if not isinstance(entry, Entry) or not entry.is_answer:
                continue
            if entry.identity not in standing or entry.identity in seen:
                continue
            seen.add(entry.identity)
            tokens = [entry.record.get(f"{kind}_tokens") for kind in ("prompt", "completion")]
            spent.answers += 1
            spent.uncounted += None in tokens
            spent.prompt_tokens += tokens[0] or 0
            spent.completion_tokens += tokens[1] or 0
            # Answers of earlier versions have no such fields.
            spent.cached_tokens += entry.record.get("cached_tokens") or 0
            spent.cache_written_tokens += entry.record.get("cache_written_tokens") or 0
    return spent


def last_refresh(folder: Path) -> str:
    """Return the time of the last active refresh of a model's folder; "" if there is none."""
    return next(reversed(_moments(folder)), "")


def note_refresh(folder: Path, moment: str) -> None:
    """Note an active refresh.

    Raises:
        AfterimageError: The file cannot be written.
    """
    _write_moments(folder, [*_moments(folder), moment])


def undo_refresh(folder: Path) -> tuple[str, int]:
    """Undo the last active refresh of a model's folder: its withdrawals are removed, and the answers count again.

    Call it only while no other process merges or repairs the folder's files.

    Returns:
        The time of the refresh and the number of removed withdrawals; ("", 0) if there is none.

    Raises:
        AfterimageError: A file cannot be written.
    """
    moments = _moments(folder)
    if not moments:
        return "", 0
    last = moments.pop()
    removed = sum(_without(file, last) for file in journal_files(folder))
    _write_moments(folder, moments)
    return last, removed


def _without(file: Path, moment: str) -> int:
    """Remove a refresh's withdrawals from a file, and the file if nothing is left; return their number."""
    try:
        entries = [entry for entry in entries_in(file) if isinstance(entry, Entry)]
    except FileNotFoundError:
        # A job that ends without an answer removes its file.
        return 0
    removed = {entry.number for entry in entries if entry.record.get("refreshed_at") == moment}
    if not removed:
        return 0
    if len(removed) == len(entries):
        file.unlink()
        return len(removed)
    lines = file.read_bytes().splitlines(keepends=True)
    with atomic_path(file) as written:
        written.write_bytes(
            b"".join(line for number, line in enumerate(lines, start=1) if number not in removed)
        )
    return len(removed)


def _moments(folder: Path) -> list[str]:
    path = folder / _MOMENTS
    if oddity(path):
        return []
    try:
        noted = parsed_json(path.read_bytes())
    except (OSError, ValueError):
        return []
    is_sound = isinstance(noted, list) and all(isinstance(moment, str) for moment in noted)
    return noted if is_sound else []


def _write_moments(folder: Path, moments: list[str]) -> None:
    path = folder / _MOMENTS
    try:
        if moments:
            write_text(path, json.dumps(moments) + "\n")
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise AfterimageError(f"{path}: cannot be written ({error.strerror}).") from error
