"""Which weights a model's entry means: its adapter, and what a folder holds.

An answer counts only for the weights that gave it (docs/journal.md).
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.command_line import afterimage
from afterimage.contract.model import ADAPTER, Backend, ModelEntry, load_backend
from afterimage.errors import AfterimageError, fault, model_entry
from afterimage.files.checkpoint_folder import (
    ADAPTER_CONFIG,
    ADAPTER_WEIGHTS,
    adapter_files,
    checkpoint_files,
    content_sha256,
    files_sha256,
    require_adapter,
    require_no_pickles,
)
from afterimage.files.paths import oddity, write_text
from afterimage.models.interface import in_one_line
from afterimage.models.journaling.entries import Answerer
from afterimage.models.journaling.files import undisturbed
from afterimage.models.journaling.lookup import contents_of_answers

#: A repository's id on the hub.
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


@dataclass(frozen=True)
class Adapter:
    """An adapter that exists and can be read safely.

    Attributes:
        name: As the entry names it.
        commit: The commit of its repository; None for a folder of the user's.
    """

    name: str
    folder: Path
    commit: str | None

    def __str__(self) -> str:
        return f"adapter '{self.name}'"


def repository_of(adapter: str) -> tuple[str, str | None] | None:
    """Return the repository that an entry's adapter names, and its revision; None if it names a folder.

    A folder that is there comes before a repository of that name.
    """
    name, _, revision = adapter.partition("@")
    if Path(adapter).expanduser().is_dir() or not HUB_ID.fullmatch(name):
        return None
    return name, revision or None


def repositories_of(entry: ModelEntry) -> dict[str, Any]:
    """Return the repositories of the hub that a model on this machine is made of.

    Returns:
        Keys ``model_id`` and ``revision`` of its checkpoint, ``adapter`` (both in a list) of its adapter.
    """
    fetched: dict[str, Any] = {}
    if not Path(entry.model_id).expanduser().is_dir():
        fetched |= {"model_id": entry.model_id, "revision": entry.revision}
    if ADAPTER in entry.settings and (named := repository_of(entry.settings[ADAPTER])):
        fetched[ADAPTER] = list(named)
    return fetched


def find_adapter(entry: ModelEntry) -> Adapter | None:
    """Find the adapter that an entry names; of a repository, what is not on this machine is fetched.

    Returns:
        None if the entry names none.

    Raises:
        AfterimageError: There is no such folder, repository or revision, it cannot be reached, or holds no adapter that
            can be read safely.
    """
    name: str | None = entry.settings.get(ADAPTER)
    if name is None:
        return None
    repository = repository_of(name)
    if repository is not None:
        file = ""
        for file in (ADAPTER_CONFIG, ADAPTER_WEIGHTS):
            file = hub_file(
                ADAPTER, *repository, file, f"expected an adapter with {ADAPTER_WEIGHTS}"
            )
        # .../snapshots/<commit>/adapter_model.safetensors
        folder = Path(file).parent
        return Adapter(name, folder, folder.name)
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise AfterimageError(
            f"adapter '{name}': no such folder; expected a folder with an adapter, or a repository such as "
            "organisation/name@revision."
        )
    require_adapter(folder, f"adapter '{name}'")
    return Adapter(name, folder, None)


def hub_file(key: str, repository: str, revision: str | None, file: str, expected: str) -> str:
    """Return the path of a repository's file in the cache of the hub, where it is fetched to if it is not there.

    Args:
        key: The key of an entry that names the repository.
        revision: A commit, branch or tag; None for the branch main.
        expected: What is said of a repository that has no such file.

    Raises:
        AfterimageError: There is no such repository, revision or file, or it cannot be reached.
    """
    from huggingface_hub import errors, hf_hub_download

    named = f"{key} '{repository}'" + (f" at revision '{revision}'" if revision else "")
    try:
        return hf_hub_download(repository, file, revision=revision)
    except errors.GatedRepoError:
        raise AfterimageError(
            f"{named}: its owner has to grant access first, at https://huggingface.co/{repository}; then log in with "
            "`hf auth login`."
        ) from None
    except errors.RepositoryNotFoundError:
        raise AfterimageError(
            f"{named}: neither a folder nor a repository that the hub shows you."
        ) from None
    except errors.RevisionNotFoundError:
        raise AfterimageError(
            f"{named}: the repository has no such branch, tag or commit."
        ) from None
    except errors.LocalEntryNotFoundError:
        raise AfterimageError(
            f"{named}: neither a folder nor in this machine's cache of the hub, and the hub cannot be reached."
        ) from None
    except errors.EntryNotFoundError:
        raise AfterimageError(f"{named}: the repository has no {file}; {expected}.") from None
    except (errors.HfHubHTTPError, OSError) as error:
        raise AfterimageError(f"{named}: cannot be fetched ({in_one_line(error)}).") from None


# ---- what a folder holds ----

# Beside the journal's files, and none of them: what was worked out from the folder, and how its files stood then.
_MEMORY, _ADAPTERS_MEMORY = ".weights.json", ".adapter.json"
#: Of a large file, so many blocks of so many bytes were looked at for the names that older answers carry.
_SAMPLED_BLOCKS = 64
_BLOCK_BYTES = 65_536
_HASH_DIGITS = 16


class _Weights(NamedTuple):
    """A folder that an entry names, or named: its checkpoint's, or its adapter's.

    Attributes:
        key: The key or setting that names it.
        memory: The file in the journal that remembers what was in it.
    """

    key: str
    folder: Path
    memory: Path

    def content(self) -> str | None:
        """Return its hash; of a folder that is gone, the last one that is known; None if it never was one."""
        if self.folder.is_dir():
            return _contents(self)[0]
        known = _read_memory(self.memory)
        return known["contents"][0] if known.get("folder") == str(self.folder.resolve()) else None


def _weights(entry: ModelEntry, journal: Path) -> list[_Weights]:
    adapter = entry.settings.get(ADAPTER)
    named = [("model_id", entry.model_id, _MEMORY)]
    named += [] if adapter is None else [(ADAPTER, adapter, _ADAPTERS_MEMORY)]
    return [_Weights(key, Path(path).expanduser(), journal / file) for key, path, file in named]


def _joined(contents: Sequence[str]) -> str:
    """Return the hash of a checkpoint with an adapter, where both are folders; a single one as it is."""
    if len(contents) == 1:
        return contents[0]
    return f"sha256-{hashlib.sha256(' '.join(contents).encode()).hexdigest()[:_HASH_DIGITS]}"


def present_contents(
    entry: ModelEntry, backend: Backend, answerer: Answerer, journal: Path
) -> tuple[str, ...]:
    """Return the hashes of what the folders that a model's entry names hold now; of which an answer may carry any.

    Args:
        backend: The entry's; only of one that says so a ``model_id`` may be a folder.
        journal: The model's folder in the journal; hashes are remembered there until a file changes.

    Returns:
        The hash for new answers first; nothing if neither checkpoint nor adapter is a folder, or one that was is not
        there (journaled answers then stand as they are).

    Raises:
        AfterimageError: The entry pins ``revision``, and answers under it came from other weights.
    """
    if not backend.weights_in_folder:
        return ()
    weights = _weights(entry, journal)
    present = [source for source in weights if source.folder.is_dir()]
    if not present or any(
        source.content() is not None for source in weights if source not in present
    ):
        return ()
    found = [_contents(source) for source in present]
    contents = found[0] if len(found) == 1 else (_joined([first for first, *_ in found]),)
    # Of a repository, it names the commit that an adapter in a folder is put on.
    if entry.revision is not None and weights[0] in present:
        _require_same(entry, undisturbed(lambda: contents_of_answers(journal, answerer)), contents)
    return contents


def known_content(entry: ModelEntry, journal: Path) -> str | None:
    """Return the hash for new answers: what a job that asks the model depends on.

    Args:
        journal: The model's folder in the journal.

    Returns:
        Of a folder that is gone, the last one that is known; None if there is none, or neither checkpoint nor
        adapter is a folder.

    Raises:
        AfterimageError: A file of the folder cannot be read.
    """
    if not load_backend(entry.backend).weights_in_folder:
        return None
    known = [
        content for source in _weights(entry, journal) if (content := source.content()) is not None
    ]
    return _joined(known) if known else None


def sampled_sha256(folder: Path) -> str:
    """Return the hash of the names and sizes of a folder's files and of samples of their content.

    Answers carried it before whole files were hashed; samples change with any training.
    """
    digest = hashlib.sha256()
    for file in checkpoint_files(folder):
        size = file.stat().st_size
        digest.update(f"{file.name}\0{size}\0".encode())
        step = max(_BLOCK_BYTES, size // _SAMPLED_BLOCKS)
        with file.open("rb") as content:
            for start in range(0, size, step):
                content.seek(start)
                digest.update(content.read(_BLOCK_BYTES))
    return f"sampled-sha256-{digest.hexdigest()[:_HASH_DIGITS]}"


def _contents(weights: _Weights) -> tuple[str, ...]:
    """Return a folder's hashes, worked out only where a file is not as it was when they were last."""
    key, folder, memory = weights
    is_adapter = key == ADAPTER
    (require_adapter if is_adapter else require_no_pickles)(folder, f"{key} '{folder}'")
    try:
        read = adapter_files(folder) if is_adapter else checkpoint_files(folder)
        now = {"folder": str(folder.resolve()), "files": [_stamp(file) for file in read]}
        known = _read_memory(memory)
        if now == {key: known.get(key) for key in now}:
            return tuple(known["contents"])
        contents = (
            (files_sha256(read),)
            if is_adapter
            else (content_sha256(folder), sampled_sha256(folder))
        )
    except OSError as error:
        raise AfterimageError(
            f"{key} '{folder}': {error.filename or folder} cannot be read ({error.strerror})."
        ) from error
    # A journal that can only be read is a good one; another job works the hashes out again.
    with suppress(OSError):
        write_text(memory, json.dumps({**now, "contents": contents}))
    return contents


def _read_memory(memory: Path) -> dict[str, Any]:
    """Return what is remembered; nothing if that is missing or is not what was written."""
    if oddity(memory):
        return {}
    try:
        known = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) and known.get("contents") else {}


def _stamp(file: Path) -> list[Any]:
    status = file.stat()
    # The last time tells of every change of the file, also by who sets the time before it back.
    return [file.name, status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns]


def _require_same(entry: ModelEntry, given: Counter[str], contents: tuple[str, ...]) -> None:
    others = {content: count for content, count in given.items() if content not in contents}
    if others:
        raise fault(
            model_entry(entry.name),
            f"revision '{entry.revision}' is pinned, and {sum(others.values())} of its "
            f"journaled answers came from other weights than lie in {entry.model_id} now (found {contents[0]}, "
            f"expected {' or '.join(sorted(others))}); put those back, give the entry another 'revision', or withdraw "
            f"the answers (`{afterimage('journal', 'refresh', entry.name)}`).",
        )
