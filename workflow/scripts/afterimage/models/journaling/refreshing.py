"""What a refresh withdraws, what it comes to, and how it is undone.

A refresh appends a withdrawal for each answer, with the moment of the refresh in it; the answers stay. The moments of
the refreshes in force stand in a file of their own, so that whoever plans a run sees at once that there are answers to
be asked again, whatever results are there. Undoing one removes its withdrawals and its moment.
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
    """What some answers took.

    Attributes:
        answers: How many there are.
        prompt_tokens, completion_tokens: Theirs, as far as they are known.
        cached_tokens, cache_written_tokens: Those of the prompts that a cache had, and got.
        uncounted: Answers of which the tokens are not known.
    """

    answers: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    uncounted: int = 0


def spent_on(folder: Path, standing: Collection[tuple[str, str]]) -> Spent:
    """Return what answers of a model's folder took.

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
            # Answers of earlier versions do not say.
            spent.cached_tokens += entry.record.get("cached_tokens") or 0
            spent.cache_written_tokens += entry.record.get("cache_written_tokens") or 0
    return spent


def last_refresh(folder: Path) -> str:
    """Return the moment of the last refresh in force of a model's folder; "" where there is none."""
    return next(reversed(_moments(folder)), "")


def note_refresh(folder: Path, moment: str) -> None:
    """Note that a refresh is in force.

    Raises:
        AfterimageError: Nothing can be written there.
    """
    _write_moments(folder, [*_moments(folder), moment])


def undo_refresh(folder: Path) -> tuple[str, int]:
    """Undo the last refresh in force of a model's folder: its withdrawals go, and the answers count again.

    Call it only while nobody else merges or mends the folder's files.

    Returns:
        The moment of the refresh and how many withdrawals were removed; ("", 0) where there is none.

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
    """Remove a refresh's withdrawals from a file, and a file that then holds nothing; returns how many there were."""
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
