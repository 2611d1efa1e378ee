"""Data sets of the hub: fetched once, held to the lock file, and linked to where studies read them."""

import fcntl
import hashlib
import logging
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.hub import Choice, Fetched, Repository, RepositoryFile, cache_folder, fetch
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
from afterimage.files.paths import atomic_path, require_writable

# Files of a Git repository, at one commit, brought into the cache of the hub's library.
#
# Git itself talks to the server and checks what it sends against the hashes of the commit. Only the files that are
# wanted are fetched, where the server can do that (GitHub, GitLab and Forgejo can). What Git LFS keeps elsewhere is
# asked for as its protocol has it, without credentials, and compared with the hash in its place.

# The pointer that replaces a file kept by Git LFS.
_POINTER = b"version https://git-lfs.github.com/spec/"
_POINTS_AT = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize ([0-9]{1,15})\n"
)
#: How long the server of Git LFS may be silent.
_PATIENCE_SECONDS = 60.0
_LFS_JSON = "application/vnd.git-lfs+json"
# Modes of files that are neither links nor other repositories.
_REGULAR = ("100644 ", "100755 ")
# Git repositories have no card that names it.
_LICENCE = "see the repository"
_OFFLINE = ("1", "ON", "YES", "TRUE")
# By these a program that git started, such as a hook, would work on the user's own repository.
_OF_ANOTHER = {
    *("GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE"),
}


def fetch_git(
    repository: Repository,
    revision: str | None,
    choose: Choice,
    tell: Callable[[str], None],
) -> Fetched:
    """Fetch files of a Git repository and return the cache's content; sizes are known only for the chosen ones.

    Args:
        repository: Its kind is ``git``, its id the address without ``https://``.
        revision: A commit, branch or tag; None for the branch that the server names first.
        choose: Which of its files are wanted; may raise.
        tell: Takes what is to be fetched, before it is.

    Raises:
        AfterimageError: Git is not installed, the server does not show the repository, the revision or a file, or there
            is no room. Nothing is left.
    """
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in _OFFLINE:
        raise AfterimageError(
            f"{repository}: cannot be fetched while HF_HUB_OFFLINE is set; expected it to be set for the jobs only."
        )
    root = cache_folder()
    root.mkdir(parents=True, exist_ok=True)
    require_writable(root, "HF_HOME names another folder for what is fetched")
    with tempfile.TemporaryDirectory(dir=root, prefix=".git-") as work:
        git = _Git(repository, work)
        git("init", "--quiet", "--bare")
        git("remote", "add", "origin", f"https://{repository.id}")
        # Behind "--" a revision is no option, whatever it is called.
        wanted = ("--", "origin", revision or "HEAD")
        git("fetch", "--quiet", "--depth=1", "--no-tags", "--filter=blob:none", *wanted)
        commit = git("rev-parse", "FETCH_HEAD^{commit}").decode().strip()
        listed = git("ls-tree", "-r", "-z", commit).decode(errors="replace").split("\0")
        files = [_file(entry) for entry in listed if entry.startswith(_REGULAR)]
        chosen = choose(commit, [file for file in files if _is_inside(file.path)])
        tell(f"{repository}: {len(chosen)} files to fetch, licence: {_LICENCE}")
        folder = root / repository.folder / "snapshots" / commit
        brought = tuple(_brought(git, repository, file, folder) for file in chosen)
    return Fetched(commit, brought, folder, _LICENCE)


class _Git:
    """Runs git in a folder of its own and returns what it prints."""

    def __init__(self, repository: Repository, folder: str) -> None:
        self._repository = repository
        self._folder = folder

    def __call__(self, *words: str) -> bytes:
        # Nobody is there to be asked for a password; the user's credential helpers answer.
        environment = {
            **{name: value for name, value in os.environ.items() if name not in _OF_ANOTHER},
            **{"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        }
        try:
            command = ["git", "-C", self._folder, *words]
            done = subprocess.run(command, capture_output=True, env=environment, check=False)
        except FileNotFoundError:
            raise AfterimageError(
                f"{self._repository}: fetching it needs the program git, which is not installed."
            ) from None
        if done.returncode:
            lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise AfterimageError(
                f"{self._repository}: cannot be fetched (git: {lines[-1][:200].rstrip('.')}); expected a repository, a "
                "revision and files that can be read from here."
            )
        return done.stdout


def _file(entry: str) -> RepositoryFile:
    head, path = entry.split("\t", 1)
    return RepositoryFile(path, 0, None, head.split(" ")[2])


def _is_inside(path: str) -> bool:
    """Tell whether a path leads out of no folder; a server may send any name."""
    parts = path.split("/")
    return "" not in parts and ".." not in parts


class _Pointer(NamedTuple):
    """What Git LFS keeps elsewhere.

    Attributes:
        size: Bytes.
    """

    sha256: str
    size: int


def _brought(
    git: _Git, repository: Repository, file: RepositoryFile, folder: Path
) -> RepositoryFile:
    content = git("cat-file", "blob", file.blob)
    pointer = _pointer(content, f"{repository}: {file.path}")
    try:
        with atomic_path(folder / file.path) as path:
            if pointer is None:
                path.write_bytes(content)
            else:
                _fetch_kept_elsewhere(git, f"{repository}: {file.path}", pointer, path)
    except OSError as error:
        raise AfterimageError(
            f"{repository}: {file.path} cannot be written ({error.strerror}); expected room for it in {folder}."
        ) from None
    if pointer is not None:
        return RepositoryFile(file.path, pointer.size, pointer.sha256, None)
    return RepositoryFile(file.path, len(content), None, file.git_sha1)


def _pointer(content: bytes, where: str) -> _Pointer | None:
    """Return what a pointer of Git LFS says; None for a file itself."""
    if not content.startswith(_POINTER):
        return None
    found = _POINTS_AT.fullmatch(content)
    if found is None:
        raise AfterimageError(
            f"{where} is kept by Git LFS under a pointer that cannot be read; expected a SHA-256 and a size."
        )
    return _Pointer(found[1].decode(), int(found[2]))


def _fetch_kept_elsewhere(git: _Git, where: str, pointer: _Pointer, path: Path) -> None:
    """Write a file that Git LFS keeps: asked for at the repository, checked byte by byte.

    Raises:
        AfterimageError: The server has it not, wants credentials, or sends something else.
    """
    import httpx2

    where += ", kept by Git LFS,"
    digest, size = hashlib.sha256(), 0
    try:
        href, headers = _download(git, pointer)
        with (
            _session().stream(
                "GET", href, headers=headers, follow_redirects=True, timeout=_PATIENCE_SECONDS
            ) as answer,
            path.open("wb") as file,
        ):
            answer.raise_for_status()
            for piece in answer.iter_bytes():
                digest.update(piece)
                size += len(piece)
                if size > pointer.size:
                    break
                file.write(piece)
    except (
        *(httpx2.HTTPError, httpx2.InvalidURL, ValueError, LookupError, TypeError),
        # The hub's library in its offline mode.
        ConnectionError,
    ) as error:
        reason = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
        raise AfterimageError(
            f"{where} cannot be fetched ({reason}); expected a file that can be read without credentials: else "
            "download it and name it by its path here (without `hub`)."
        ) from None
    if (digest.hexdigest(), size) != pointer:
        raise AfterimageError(
            f"{where} is not what its pointer says; expected {pointer.size:,} bytes with the SHA-256 "
            f"{pointer.sha256[:16]}...: run again."
        )


def _download(git: _Git, pointer: _Pointer) -> tuple[str, Mapping[str, str]]:
    """Ask the repository where a file is; raises what a wrong answer raises."""
    # As git itself resolves it, through any configured mirror.
    address = git("ls-remote", "--get-url", "origin").decode().strip().removesuffix(".git")
    _require_encrypted(address)
    wanted = {"oid": pointer.sha256, "size": pointer.size}
    answer = _session().post(
        f"{address}.git/info/lfs/objects/batch",
        json={"operation": "download", "transfers": ["basic"], "objects": [wanted]},
        headers={"Accept": _LFS_JSON, "Content-Type": _LFS_JSON},
        follow_redirects=True,
        timeout=_PATIENCE_SECONDS,
    )
    answer.raise_for_status()
    (found,) = answer.json()["objects"]
    if "error" in found:
        raise ValueError(str(found["error"]["message"]))
    action: Mapping[str, Any] = found["actions"]["download"]
    _require_encrypted(action["href"])
    return action["href"], {str(key): str(value) for key, value in action.get("header", {}).items()}


def _require_encrypted(address: str) -> None:
    if not address.startswith("https://"):
        raise ValueError("its address does not begin with https://")


def _session() -> Any:
    # Public by its documents, though not by its list of names.
    from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

    return get_session()


logger = logging.getLogger(__name__)


class Change(NamedTuple):
    """What a fetch has done to the lock file.

    Attributes:
        before: What it said of the data set; None if it said nothing.
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
    """Return a line on what a fetch left here of a data set, and on what changed."""
    before, after = change
    size = sum(file["bytes"] for file in after.files.values())
    licence = after.licence or "none declared on its card"
    amount = f"{len(after.files)} files, {size / 1e6:,.1f} MB"
    line = f"{repository}: {amount}, commit {after.commit[:12]}, licence: {licence}"
    if before is None or before == after:
        return line
    names = sorted({*before.files, *after.files})
    changed = [name for name in names if before.files.get(name) != after.files.get(name)]
    files = f"changed: {', '.join(changed)}" if changed else "no file changed"
    return f"{line} (was {before.commit[:12]}; {files})"


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
