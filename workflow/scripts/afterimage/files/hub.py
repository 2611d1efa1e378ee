"""Files of a hub's repository, brought into its library's cache: resumed, pinned, and checked byte by byte.

They go into the cache of the library ``huggingface_hub`` (``HF_HOME``), in its documented layout (``blobs`` named by
their hashes, ``snapshots`` by commits, ``refs`` by branches), so that whatever reads them finds them. The library's own
download begins a file anew after a kill; here it goes on where it ended.
"""

import fcntl
import hashlib
import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote

from afterimage.command_line import install
from afterimage.errors import AfterimageError
from afterimage.files.paths import require_writable, write_text

logger = logging.getLogger(__name__)

_COMMIT = re.compile(r"[0-9a-f]{40}")
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FILES_AT_ONCE = 4
# Attempts in a row that brought nothing, with pauses of 1, 2, 4, ... seconds between them.
_FRUITLESS_ATTEMPTS = 6
_LONGEST_PAUSE_SECONDS = 30.0
_SECONDS_BETWEEN_LINES = 30.0
_TRANSIENT_STATUS = (408, 425, 429)


class Repository(NamedTuple):
    """A repository of the hub.

    Attributes:
        kind: ``model`` or ``dataset``; ``git`` for one elsewhere.
        id: ``organisation/name``; of one elsewhere, its address without ``https://``.
        key: The key of an entry that names a model's.
    """

    kind: str
    id: str
    key: str = "model_id"

    @property
    def address(self) -> str:
        """Its path on the hub's site."""
        return self.id if self.kind == "model" else f"{self.kind}s/{self.id}"

    @property
    def folder(self) -> str:
        """Its folder in the cache."""
        return "--".join([f"{self.kind}s", *self.id.split("/")])

    def __str__(self) -> str:
        """As messages name it: a model by the key of its entry."""
        return f"{self.key} '{self.id}'" if self.kind == "model" else f"data set '{self.id}'"


@dataclass(frozen=True)
class RepositoryFile:
    """A file of a repository at one commit.

    Attributes:
        size: Bytes.
        sha256: Hash of its content, for large files.
        git_sha1: Git's hash of it, for small files; None for large ones, where it is that of a pointer.
    """

    path: str
    size: int
    sha256: str | None
    git_sha1: str | None

    @property
    def blob(self) -> str:
        """The name of its content in the cache."""
        return self.sha256 or self.git_sha1 or ""


class Fetched(NamedTuple):
    """The cached content of a repository.

    Attributes:
        files: Its files that were wanted, by path.
        folder: The folder with them, under their own names.
        licence: As the repository's card says; "" if it says none.
    """

    commit: str
    files: tuple[RepositoryFile, ...]
    folder: Path
    licence: str


#: Takes the commit and the files of a repository and returns those that are wanted.
Choice = Callable[[str, Sequence[RepositoryFile]], Sequence[RepositoryFile]]


def fetch(
    repository: Repository,
    revision: str | None,
    choose: Choice,
    endpoint: str | None = None,
    cache: str | os.PathLike[str] | None = None,
    tell: Callable[[str], None] = logger.info,
) -> Fetched:
    """Fetch what is missing of a repository's files and check all of them.

    Args:
        revision: A commit, branch or tag; None for the branch main.
        choose: Which of its files are wanted; may raise.
        endpoint: Address of the hub; by default the library's (``HF_ENDPOINT``).
        cache: Folder of the cache; by default the library's (``HF_HOME``, ``HF_HUB_CACHE``).
        tell: Takes what is to be fetched and under which licence, before anything is.

    Raises:
        AfterimageError: The hub cannot be reached, does not know or does not show the repository or the revision, or
            sends something else than it announced, or the disk has no room. What was fetched so far is kept.
    """
    root = cache_folder(cache)
    require_writable(root, "HF_HOME names another folder for what is fetched")
    from huggingface_hub import HfApi, snapshot_download

    hub = HfApi(endpoint=endpoint)
    branch, kind = revision or "main", repository.kind
    with _explained(repository, branch):
        about = hub.repo_info(repository.id, revision=branch, repo_type=kind)
        commit = _commit(repository, branch, about.sha)
        tree = hub.list_repo_tree(repository.id, revision=commit, recursive=True, repo_type=kind)
        there = [_repository_file(entry) for entry in tree if hasattr(entry, "blob_id")]
        files = sorted(choose(commit, there), key=lambda file: file.path)
        for file in files:
            _require_inside(repository, file.path)
        folder = root / repository.folder
        if wanted := _require_room(repository, files, folder / "blobs", root):
            licence = _licence(about) or "none declared on its card"
            tell(f"{repository}: {_amount(wanted)} to fetch, licence: {licence}")
        fetcher = _Fetcher(hub.endpoint, repository, commit, folder / "blobs")
        with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
            for _ in pool.map(fetcher.fetch, files):
                pass
        # Everything is in the cache by now; this only gives it its names.
        named = snapshot_download(
            repository.id,
            repo_type=kind,
            revision=commit,
            cache_dir=root,
            endpoint=endpoint,
            allow_patterns=[file.path for file in files],
        )
    if branch != commit:
        write_text(folder / "refs" / branch, commit)
    return Fetched(commit, tuple(files), Path(named), _licence(about))


def cache_folder(cache: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of the cache: the library's (``HF_HOME``, ``HF_HUB_CACHE``) unless another is named.

    Raises:
        AfterimageError: The library is not installed.
    """
    if find_spec("huggingface_hub") is None:
        raise AfterimageError(
            f"fetching from the hub needs the package huggingface_hub; run `{install('[transformers]')}` in the "
            "environment of this job."
        )
    from huggingface_hub import constants

    return Path(cache or constants.HF_HUB_CACHE)


def _licence(about: Any) -> str:
    card = getattr(about, "card_data", None)
    found = card.get("license") if card is not None else None
    return ", ".join(found) if isinstance(found, list) else str(found or "")


def _require_room(
    repository: Repository, files: Sequence[RepositoryFile], blobs: Path, root: Path
) -> int:
    """Return how many bytes are to be fetched, for which there has to be room."""

    def there(file: RepositoryFile) -> int:
        found = (blobs / name for name in (file.blob, f"{file.blob}.part"))
        return max((path.stat().st_size for path in found if path.is_file()), default=0)

    wanted = sum(max(0, file.size - there(file)) for file in files)
    free = shutil.disk_usage(
        next(parent for parent in (root, *root.parents) if parent.exists())
    ).free
    if wanted > free:
        raise AfterimageError(
            f"{repository}: {_amount(wanted)} are to be fetched, and {_amount(free)} are free in {root}; expected room "
            "for them (HF_HOME names another folder)."
        )
    return wanted


class _Fetcher:
    """Brings files of one commit into the cache, each under the hash of its content."""

    def __init__(self, endpoint: str, repository: Repository, commit: str, blobs: Path) -> None:
        self._address = f"{endpoint}/{repository.address}/resolve/{commit}"
        self._repository = repository
        self._blobs = blobs

    def fetch(self, file: RepositoryFile) -> None:
        """Fetch what is missing of a file; a copy that is there and damaged is replaced."""
        target = self._blobs / file.blob
        part = self._blobs / f"{file.blob}.part"
        with _opened_alone(part) as content:
            if target.exists():
                if _is_intact(target, file):
                    part.unlink(missing_ok=True)
                    return
                logger.warning(
                    "%s: %s in the cache is damaged; fetched again", self._repository.id, file.path
                )
                target.unlink()
            started, before = time.monotonic(), part.stat().st_size
            self._complete(content, part, file)
            os.fsync(content.fileno())
            if not _is_intact(part, file):
                part.unlink()
                raise AfterimageError(
                    f"{self._repository}: {file.path} is not as the hub announced it (its hash differs); "
                    "it was removed: run again."
                )
            part.replace(target)
        seconds = max(time.monotonic() - started, 1e-3)
        logger.info(
            "%s: %s, %s, %s of them now, %s per second",
            self._repository.id,
            file.path,
            _amount(file.size),
            _amount(file.size - before),
            _amount((file.size - before) / seconds),
        )

    def _complete(self, content: BinaryIO, part: Path, file: RepositoryFile) -> None:
        import httpx2

        # Public by its documents, though not by its list of names.
        from huggingface_hub.utils import (  # type: ignore[attr-defined]
            build_hf_headers,
            get_session,
            hf_raise_for_status,
        )

        headers = {**build_hf_headers(), "Accept-Encoding": "identity"}
        fruitless, reported = 0, time.monotonic()
        while (have := part.stat().st_size) < file.size:
            wanted = {**headers, "Range": f"bytes={have}-"} if have else headers
            try:
                with get_session().stream(
                    "GET",
                    f"{self._address}/{quote(file.path)}",
                    headers=wanted,
                    follow_redirects=True,
                ) as response:
                    if response.status_code in _TRANSIENT_STATUS or response.status_code >= 500:
                        raise httpx2.ReadError(f"HTTP status {response.status_code}")
                    hf_raise_for_status(response)
                    if have and response.status_code != 206:
                        # The server does not send parts.
                        content.truncate(0)
                    # As the pieces come: a larger one that is still being filled would be lost.
                    for piece in response.iter_bytes():
                        content.write(piece)
                        content.flush()
                        # Whoever sends more than was announced fills no disk with it.
                        if content.tell() > file.size:
                            break
                        fruitless = 0
                        if time.monotonic() - reported > _SECONDS_BETWEEN_LINES:
                            reported = time.monotonic()
                            there = _amount(part.stat().st_size)
                            logger.info("%s: %s of %s", file.path, there, _amount(file.size))
                if part.stat().st_size < file.size:
                    raise httpx2.ReadError("the connection was closed")
            except httpx2.TransportError as error:
                fruitless += 1
                if fruitless >= _FRUITLESS_ATTEMPTS:
                    raise
                logger.info("%s: %s; going on", file.path, error)
                time.sleep(min(2.0 ** (fruitless - 1), _LONGEST_PAUSE_SECONDS))


@contextmanager
def _opened_alone(part: Path) -> Iterator[BinaryIO]:
    """Open a file for appending when no other process has it open; who waited finds what the other one made of it."""
    part.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with part.open("ab") as content:
            # Where a file system has no locks, two jobs of one repository must not run at once.
            with suppress(OSError):
                fcntl.flock(content, fcntl.LOCK_EX)
            # The other may have given it its final name, or removed it.
            if _is_named(part, content):
                yield content
                return


def _is_named(path: Path, content: BinaryIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(content.fileno()))
    except FileNotFoundError:
        return False


def _repository_file(entry: Any) -> RepositoryFile:
    large = entry.lfs is not None
    file = RepositoryFile(
        entry.path,
        entry.lfs.size if large else entry.size,
        entry.lfs.sha256 if large else None,
        None if large else entry.blob_id,
    )
    # It becomes the name of a file here.
    if not _HASH.fullmatch(file.blob):
        raise AfterimageError(
            f"{file.path}: the hub gives '{file.blob}' for its hash; expected hexadecimal digits."
        )
    return file


def _is_intact(path: Path, file: RepositoryFile) -> bool:
    if path.stat().st_size != file.size:
        return False
    with path.open("rb") as content:
        if file.sha256:
            return hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
        digest = hashlib.sha1(f"blob {file.size}\0".encode() + content.read())
        return digest.hexdigest() == file.git_sha1


def _commit(repository: Repository, branch: str, commit: str | None) -> str:
    """Return the commit that the hub gives for a branch or a commit."""
    if (
        not isinstance(commit, str)
        or not _COMMIT.fullmatch(commit)
        or (_COMMIT.fullmatch(branch) and commit != branch)
    ):
        raise AfterimageError(
            f"{repository}: the hub gives commit {commit} for revision '{branch}'; expected that one itself."
        )
    return commit


def _require_inside(repository: Repository, path: str) -> None:
    """Refuse a name that a hub may give a file and that leads out of its repository, or is no name of a file."""
    if not path.isprintable() or {"", ".", ".."} & {*path.split("/")}:
        raise AfterimageError(
            f"{repository}: the hub names a file {path[:200]!a}; expected a path inside the repository."
        )


@contextmanager
def _explained(repository: Repository, branch: str) -> Iterator[None]:
    """Turn what the library raises into one sentence."""
    import httpx2
    from huggingface_hub import errors

    named = f"{repository} at revision '{branch}'"
    try:
        yield
    except errors.GatedRepoError:
        raise AfterimageError(
            f"{named}: its owner has to grant access first, at https://huggingface.co/{repository.address}; "
            "then log in with `hf auth login`."
        ) from None
    except errors.RepositoryNotFoundError:
        raise AfterimageError(f"{named}: no repository that the hub shows you.") from None
    except errors.RevisionNotFoundError:
        raise AfterimageError(
            f"{named}: the repository has no such branch, tag or commit."
        ) from None
    except errors.OfflineModeIsEnabled:
        raise AfterimageError(
            f"{named}: cannot be fetched while HF_HUB_OFFLINE is set; expected it to be set for the jobs only."
        ) from None
    except errors.HFValidationError:
        raise AfterimageError(
            f"{repository}: no such folder, and no repository id such as 'organisation/name'."
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError, httpx2.InvalidURL) as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise AfterimageError(
            f"{named}: what the hub says of its files cannot be read ({words})."
        ) from error
    except (errors.HfHubHTTPError, httpx2.HTTPError, OSError) as error:
        words = " ".join(str(error).split())[:200] or type(error).__name__
        raise AfterimageError(
            f"{named}: cannot be fetched ({words}); what is there is kept: run again."
        ) from None


def _amount(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if abs(size) < 1000:
            return f"{size:.3g} {unit}" if unit != "bytes" else f"{size:.0f} bytes"
        size /= 1000
    return f"{size:.3g} GB"
