"""What a study has fetched from the hub: its lock file, and the paths of the files. Standard library only.

The lock file is in the folder in which the study runs and is committed with it. Files are in the hub's own cache;
``data/hub/OWNER/NAME`` links to them, so that a path says the same on every machine.
"""

import fnmatch
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.command_line import afterimage
from afterimage.errors import AfterimageError, fault
from afterimage.files.paths import write_text

#: The lock file.
LOCK_FILE = "data.lock.json"
#: The folder of the links.
FOLDER = "data/hub"
#: What the address of a Git repository begins with.
GIT = "https://"
_ID = re.compile(
    rf"({GIT}[A-Za-z0-9][\w.-]*/([A-Za-z0-9][\w.-]*/)*)?[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*",
    re.ASCII,
)
_KEYS = ("commit", "licence", "fetched", "files")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class HubSet(NamedTuple):
    """A data set of the hub, or the needed part of it.

    Attributes:
        repository: ``OWNER/NAME``, or the address of a Git repository, ``https://HOST/OWNER/NAME``.
        patterns: Of the files that are needed, as the shell has them; each has to match one.
        revision: A commit, branch or tag; None for the newest at the first fetch.
    """

    repository: str
    patterns: tuple[str, ...]
    revision: str | None = None


def when_hub(*sets: HubSet) -> Callable[[Mapping[str, Any]], Sequence[HubSet]]:
    """Return a function of a suite's settings that returns these sets where its source is the hub."""
    return lambda settings: sets if settings.get("source") == "hub" else ()


class Locked(NamedTuple):
    """What the lock file says of a data set.

    Attributes:
        licence: As its card says; "" if it says none.
        fetched: The day of the first fetch of this commit, as 2026-11-26.
        files: Path in the repository to ``bytes`` and ``sha256``.
    """

    commit: str
    licence: str
    fetched: str
    files: Mapping[str, Mapping[str, Any]]


def is_repository(name: str) -> bool:
    """Tell whether a name is ``OWNER/NAME`` or a Git repository's address; "." and ".." are no names."""
    return _ID.fullmatch(name) is not None


def read_lock(file: str | Path = LOCK_FILE) -> dict[str, Locked]:
    """Return what was fetched, by repository; nothing if there is no lock file.

    Raises:
        AfterimageError: The file is not as it was written.
    """
    path = Path(file)
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        found = {name: Locked(*(entry[key] for key in _KEYS)) for name, entry in content.items()}
        sound = all(is_repository(name) and _is_sound(locked) for name, locked in found.items())
    except (ValueError, TypeError, KeyError, AttributeError):
        sound = False
    if not sound:
        raise AfterimageError(
            f"{file}: not a lock file as `{afterimage('fetch')}` writes it; expected the committed one, or none to "
            "fetch anew."
        )
    return found


def _is_sound(locked: Locked) -> bool:
    hashes = all(_SHA256.fullmatch(file["sha256"]) for file in locked.files.values())
    sizes = all(isinstance(file["bytes"], int) for file in locked.files.values())
    inside = not any({"", ".", ".."} & {*name.split("/")} for name in locked.files)
    return bool(_COMMIT.fullmatch(locked.commit)) and hashes and sizes and inside


def write_lock(entries: Mapping[str, Locked], file: str | Path = LOCK_FILE) -> None:
    """Write the lock file, sorted by repository and path."""
    content = {
        name: {**locked._asdict(), "files": dict(sorted(locked.files.items()))}
        for name, locked in sorted(entries.items())
    }
    write_text(file, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def link_of(repository: str) -> Path:
    """Return the path of a data set's files."""
    return Path(FOLDER, *repository.removeprefix(GIT).split("/"))


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """Return the paths that a pattern means, sorted."""
    return sorted(name for name in names if fnmatch.fnmatchcase(name, pattern))


def fetched_files(wanted: HubSet, where: str, named: str | None = None) -> dict[str, str]:
    """Return the files of a data set that were fetched: path in the repository to path here.

    Args:
        where: The key of the study that asks for it, for errors.
        named: What ``afterimage fetch`` calls it; the repository by default.

    Raises:
        AfterimageError: It was not fetched, or files are missing or of another size than the lock file says.
    """
    command = afterimage("fetch", named or wanted.repository)
    entry = read_lock().get(wanted.repository)
    if entry is None:
        raise fault(
            where,
            f"data set '{wanted.repository}' was not fetched; expected it to be: run `{command}` once.",
        )
    found: dict[str, str] = {}
    for pattern in wanted.patterns:
        names = matching(entry.files, pattern)
        if not names:
            raise fault(
                where,
                f"{LOCK_FILE} has no file '{pattern}' of '{wanted.repository}'; expected one: run `{command}`.",
            )
        for name in names:
            path = link_of(wanted.repository) / name
            size = path.stat().st_size if path.is_file() else None
            if size != entry.files[name]["bytes"]:
                state = "is not here" if size is None else f"has {size:,} bytes"
                raise fault(
                    where,
                    f"'{path.as_posix()}' {state}; expected the {entry.files[name]['bytes']:,} bytes of "
                    f"{LOCK_FILE}: run `{command}`.",
                )
            found[name] = path.as_posix()
    revision = wanted.revision
    if revision and _COMMIT.fullmatch(revision) and revision != entry.commit:
        raise fault(
            where,
            f"{LOCK_FILE} has commit {entry.commit} of '{wanted.repository}'; expected {revision}: run "
            f"`{afterimage('fetch', '--update', named or wanted.repository)}`.",
        )
    return found


def locked_hashes(wanted: HubSet) -> dict[str, str]:
    """Return the SHA-256 of each file of a fetched data set, by path in the repository."""
    entry = read_lock()[wanted.repository]
    names = dict.fromkeys(
        name for pattern in wanted.patterns for name in matching(entry.files, pattern)
    )
    return {name: entry.files[name]["sha256"] for name in names}
