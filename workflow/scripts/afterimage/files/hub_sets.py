"""Data sets of the hub: fetched once, held to the lock file, and linked to where studies read them."""

import fcntl
import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.git_files import fetch_git
from afterimage.files.hub import Fetched, Repository, RepositoryFile, cache_folder, fetch
from afterimage.files.hub_lock import (
    FOLDER,
    GIT,
    LOCK_FILE,
    HubSet,
    Locked,
    is_repository,
    link_of,
    matching,
    read_lock,
    write_lock,
)

logger = logging.getLogger(__name__)


class Change(NamedTuple):
    """What a fetch has done to the lock file.

    Attributes:
        before: What it said of the data set; None where it said nothing.
        after: What it says now.
    """

    before: Locked | None
    after: Locked


def fetch_set(
    wanted: HubSet,
    update: bool = False,
    endpoint: str | None = None,
    tell: Callable[[str], None] = logger.info,
) -> Change:
    """Bring a data set here: of the commit of the lock file or, without one, of the newest, which is written there.

    Without network, files that are in the cache are checked and linked.

    Args:
        wanted: The data set.
        update: Whether to go on to what its branch is now, and rewrite the lock file.
        endpoint: Address of the hub; by default the library's (``HF_ENDPOINT``).
        tell: Takes what is to be fetched and under which licence, before anything is.

    Raises:
        AfterimageError: It cannot be fetched, lacks a file, or is not what the lock file says. The lock file and the
            link stay as they were.
    """
    if not is_repository(wanted.repository):
        raise AfterimageError(
            f"data set '{wanted.repository}': no repository id; expected OWNER/NAME, or https://HOST/OWNER/NAME."
        )
    before = None if update else read_lock().get(wanted.repository)
    snapshot = before and _snapshot(wanted.repository, before.commit)
    if before and snapshot and _is_complete(before, wanted, snapshot):
        return _settled(wanted.repository, before, snapshot)
    found = _fetched(wanted, before, endpoint, tell)
    files: dict[str, dict[str, Any]] = {
        file.path: {
            "bytes": file.size,
            "sha256": file.sha256 or _sha256(found.folder / file.path),
        }
        for file in found.files
    }
    for name, locked in (before.files if before else {}).items():
        if files[name] != locked:
            raise AfterimageError(
                f"data set '{wanted.repository}': {name} at commit {found.commit} has the SHA-256 "
                f"{files[name]['sha256'][:16]}...; expected {locked['sha256'][:16]}..., as {LOCK_FILE} says."
            )
    day = before.fetched if before else datetime.now(UTC).date().isoformat()
    return _settled(
        wanted.repository, Locked(found.commit, found.licence, day, files), found.folder
    )


def _fetched(
    wanted: HubSet, before: Locked | None, endpoint: str | None, tell: Callable[[str], None]
) -> Fetched:
    def chosen(commit: str, there: Sequence[RepositoryFile]) -> list[RepositoryFile]:
        return _chosen(wanted, before, commit, there)

    source, revision = _source(wanted.repository), before.commit if before else wanted.revision
    if source.kind == "git":
        return fetch_git(source, revision, chosen, tell)
    return fetch(source, revision, chosen, endpoint, tell=tell)


def _source(repository: str) -> Repository:
    kind = "git" if repository.startswith(GIT) else "dataset"
    return Repository(kind, repository.removeprefix(GIT))


def described(repository: str, change: Change) -> str:
    """Return what lies here of a data set after a fetch, in a line, and what changed."""
    before, after = change
    size = sum(file["bytes"] for file in after.files.values())
    licence = after.licence or "none declared on its card"
    amount = f"{len(after.files)} files, {size / 1e6:,.1f} MB"
    said = f"{repository}: {amount}, commit {after.commit[:12]}, licence: {licence}"
    if before is None or before == after:
        return said
    names = sorted({*before.files, *after.files})
    changed = [name for name in names if before.files.get(name) != after.files.get(name)]
    files = f"changed: {', '.join(changed)}" if changed else "no file changed"
    return f"{said} (was {before.commit[:12]}; {files})"


def _chosen(
    wanted: HubSet, before: Locked | None, commit: str, there: Sequence[RepositoryFile]
) -> list[RepositoryFile]:
    by_path = {file.path: file for file in there}
    names = dict.fromkeys(before.files if before else ())
    for pattern in wanted.patterns:
        found = matching(by_path, pattern)
        if not found:
            has = ", ".join(sorted(by_path)[:8]) or "no file at all"
            raise AfterimageError(
                f"data set '{wanted.repository}' at commit {commit}: no file '{pattern}'; found {has}."
            )
        names |= dict.fromkeys(found)
    if missing := [name for name in names if name not in by_path]:
        raise AfterimageError(
            f"data set '{wanted.repository}' at commit {commit}: no file '{missing[0]}', which {LOCK_FILE} names."
        )
    return [by_path[name] for name in names]


def _snapshot(repository: str, commit: str) -> Path:
    return cache_folder() / _source(repository).folder / "snapshots" / commit


def _is_complete(locked: Locked, wanted: HubSet, snapshot: Path) -> bool:
    """Tell whether all files that are needed are in the cache, with the lock file's hashes."""
    if not all(matching(locked.files, pattern) for pattern in wanted.patterns):
        return False
    return all(
        (snapshot / name).is_file()
        and (snapshot / name).stat().st_size == file["bytes"]
        and _sha256(snapshot / name) == file["sha256"]
        for name, file in locked.files.items()
    )


def _settled(repository: str, entry: Locked, snapshot: Path) -> Change:
    """Write the lock file and the link, one fetch after the other."""
    with _alone():
        entries = read_lock()
        before = entries.get(repository)
        if before != entry:
            write_lock({**entries, repository: entry})
        link = link_of(repository)
        link.parent.mkdir(parents=True, exist_ok=True)
        if link.exists() and not link.is_symlink():
            raise AfterimageError(
                f"{link.as_posix()}: found a folder of yours; expected none, or a link."
            )
        fresh = link.with_name(f".{link.name}.{os.getpid()}")
        fresh.symlink_to(snapshot.resolve(), target_is_directory=True)
        fresh.replace(link)
    return Change(before, entry)


@contextmanager
def _alone() -> Iterator[None]:
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _sha256(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
