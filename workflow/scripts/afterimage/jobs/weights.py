"""Fetching a checkpoint before it is needed, for jobs that have no network: resumed, pinned, and checked byte by byte.

Files go into the cache of the library ``huggingface_hub`` (``HF_HOME``), in its documented layout (``blobs`` named by
their hashes, ``snapshots`` by commits, ``refs`` by branches), so that whatever loads the model finds them. The
library's own download begins a file anew after a kill; here it goes on where it ended.
"""

import fcntl
import hashlib
import json
import logging
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from afterimage.command_line import install
from afterimage.errors import AfterimageError
from afterimage.files.whole import write_text
from afterimage.jobs.running import Files

logger = logging.getLogger(__name__)

_COMMIT = re.compile(r"[0-9a-f]{40}")
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MODEL_FILE = re.compile(r"model(-\d+-of-\d+)?\.safetensors")
# What a checkpoint consists of beside its weights; templates may lie in a folder of their own.
_BESIDE_WEIGHTS = (".json", ".txt", ".model", ".jinja", ".tiktoken")
_FILES_AT_ONCE = 4
# Attempts in a row that brought nothing, with pauses of 1, 2, 4, ... seconds between them.
_FRUITLESS_ATTEMPTS = 6
_LONGEST_PAUSE_SECONDS = 30.0
_SECONDS_BETWEEN_LINES = 30.0
_TRANSIENT_STATUS = (408, 425, 429)


@dataclass(frozen=True)
class RepositoryFile:
    """A file of a repository at one commit.

    Attributes:
        path: Its path there.
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


def fetch_weights(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> list["RepositoryFile"]:
    """Fetch the weights of ``model_id`` at ``revision`` of ``spec``, and write what is there as ``receipt``."""
    return fetch_checkpoint(spec["model_id"], spec["revision"], outputs["receipt"])


def fetch_checkpoint(
    model_id: str,
    revision: str | None,
    receipt: str | os.PathLike[str],
    endpoint: str | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> list[RepositoryFile]:
    """Fetch what is missing of a checkpoint, check all of it, and write down what is there.

    Args:
        model_id: The repository's id on the hub.
        revision: A commit, branch or tag; None for the branch main.
        receipt: The JSON file to write: repository, commit, and each file with size and hash.
        endpoint: Address of the hub; by default the library's (``HF_ENDPOINT``).
        cache: Folder of the cache; by default the library's (``HF_HOME``, ``HF_HUB_CACHE``).

    Raises:
        AfterimageError: The hub cannot be reached, does not know or does not show the repository or the revision, or
            sends something else than it announced. What was fetched so far is kept.
    """
    if find_spec("huggingface_hub") is None:
        raise AfterimageError(
            f"fetching weights needs the package huggingface_hub; run `{install('[transformers]')}` in the "
            "environment of this job."
        )
    from huggingface_hub import HfApi, constants, snapshot_download

    root = Path(cache or constants.HF_HUB_CACHE)
    _require_writable(root)
    hub = HfApi(endpoint=endpoint)
    branch = revision or "main"
    with _explained(model_id, branch):
        commit = _commit(model_id, branch, hub.model_info(model_id, revision=branch).sha)
        tree = hub.list_repo_tree(model_id, revision=commit, recursive=True)
        files = chosen_files(_repository_file(entry) for entry in tree if hasattr(entry, "blob_id"))
        _require_weights(model_id, commit, files)
        folder = root / "--".join(["models", *model_id.split("/")])
        fetcher = _Fetcher(hub.endpoint, model_id, commit, folder / "blobs")
        with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
            for _ in pool.map(fetcher.fetch, files):
                pass
        # Everything is in the cache by now; this only gives it its names.
        snapshot_download(
            model_id,
            revision=commit,
            cache_dir=root,
            endpoint=endpoint,
            allow_patterns=[file.path for file in files],
        )
    if branch != commit:
        write_text(folder / "refs" / branch, commit)
    write_text(receipt, json.dumps(_receipt(model_id, revision, commit, files), indent=2) + "\n")
    return files


def _require_writable(cache: Path) -> None:
    """Refuse a cache into which nothing can be written, as in containers without a home folder."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache):
            pass
    except OSError as error:
        raise AfterimageError(
            f"{cache}: cannot be written ({error.strerror}); expected a folder for weights: HF_HOME names another one."
        ) from None


def _receipt(
    model_id: str, revision: str | None, commit: str, files: Sequence[RepositoryFile]
) -> dict[str, Any]:
    """Return what is written down of a checkpoint that is there."""
    return {
        "model_id": model_id,
        "revision": revision,
        "commit": commit,
        "bytes": sum(file.size for file in files),
        "files": {
            file.path: {"bytes": file.size, "sha256" if file.sha256 else "git_sha1": file.blob}
            for file in files
        },
    }


def chosen_files(files: Iterable[RepositoryFile]) -> list[RepositoryFile]:
    """Return the files of a checkpoint that transformers reads, by path.

    Repositories often hold the same weights several times over, for other libraries; pickled ones are never fetched.
    """
    by_path = {file.path: file for file in files}
    names = [path for path in by_path if "/" not in path]
    weights = [name for name in names if _MODEL_FILE.fullmatch(name)]
    weights = weights or [name for name in names if name.endswith(".safetensors")]
    beside = [
        path
        for path in by_path
        if path.endswith(_BESIDE_WEIGHTS) and ("/" not in path or path.endswith(".jinja"))
    ]
    return [by_path[path] for path in sorted({*weights, *beside})]


class _Fetcher:
    """Brings files of one commit into the cache, each under the hash of its content."""

    def __init__(self, endpoint: str, model_id: str, commit: str, blobs: Path) -> None:
        self._address = f"{endpoint}/{model_id}/resolve/{commit}"
        self._model_id = model_id
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
                    "%s: %s in the cache is damaged; fetched again", self._model_id, file.path
                )
                target.unlink()
            started, before = time.monotonic(), part.stat().st_size
            self._complete(content, part, file)
            os.fsync(content.fileno())
            if not _is_intact(part, file):
                part.unlink()
                raise AfterimageError(
                    f"model_id '{self._model_id}': {file.path} is not as the hub announced it (its hash differs); "
                    "it was removed: run again."
                )
            part.replace(target)
        seconds = max(time.monotonic() - started, 1e-3)
        logger.info(
            "%s: %s, %s, %s of them now, %s per second",
            self._model_id,
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
        fruitless, said = 0, time.monotonic()
        while (have := part.stat().st_size) < file.size:
            wanted = {**headers, "Range": f"bytes={have}-"} if have else headers
            try:
                with get_session().stream(
                    "GET", f"{self._address}/{file.path}", headers=wanted, follow_redirects=True
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
                        fruitless = 0
                        if time.monotonic() - said > _SECONDS_BETWEEN_LINES:
                            said = time.monotonic()
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
            if part.exists() and part.stat().st_ino == os.fstat(content.fileno()).st_ino:
                yield content
                return


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


def _commit(model_id: str, branch: str, commit: str | None) -> str:
    """Return the commit that the hub gives for a branch or a commit."""
    if commit is None or (_COMMIT.fullmatch(branch) and commit != branch):
        raise AfterimageError(
            f"model_id '{model_id}': the hub gives commit {commit} for revision '{branch}'; expected that one itself."
        )
    return commit


def _require_weights(model_id: str, commit: str, files: Iterable[RepositoryFile]) -> None:
    if not any(file.path.endswith(".safetensors") for file in files):
        raise AfterimageError(
            f"model_id '{model_id}' at commit {commit}: the repository holds no weights that can be read safely; "
            "expected model.safetensors, in one or several files (pickled weights can run code and are never read)."
        )


@contextmanager
def _explained(model_id: str, branch: str) -> Iterator[None]:
    """Turn what the library raises into one sentence."""
    import httpx2
    from huggingface_hub import errors

    named = f"model_id '{model_id}' at revision '{branch}'"
    try:
        yield
    except errors.GatedRepoError:
        raise AfterimageError(
            f"{named}: its owner has to grant access first, at https://huggingface.co/{model_id}; then log in with "
            "`hf auth login`."
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
            f"model_id '{model_id}': no such folder, and no repository id such as 'organisation/name'."
        ) from None
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
