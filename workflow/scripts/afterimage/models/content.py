"""Which weights a folder holds, so that an answer counts only for the weights that gave it (docs/journal.md)."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.command_line import afterimage
from afterimage.contract.backend import Backend, load_backend
from afterimage.contract.model import ADAPTER, ModelEntry
from afterimage.errors import AfterimageError, fault, model_entry
from afterimage.files.checkpoint_folder import (
    adapter_files,
    checkpoint_files,
    content_sha256,
    files_sha256,
    require_adapter,
    require_no_pickles,
)
from afterimage.files.paths import oddity
from afterimage.files.whole import write_text
from afterimage.models.journaling.entries import Answerer
from afterimage.models.journaling.files import undisturbed
from afterimage.models.journaling.lookup import contents_of_answers

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
        folder: Where it is.
        memory: The file in the journal that remembers what was in it.
    """

    key: str
    folder: Path
    memory: Path

    def content(self) -> str | None:
        """Return its hash; of a folder that is gone, the last one that is known; None where it never was one."""
        if self.folder.is_dir():
            return _contents(self)[0]
        known = _read(self.memory)
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
        entry: The model.
        backend: The entry's; only of one that says so a ``model_id`` may be a folder.
        answerer: Who answers, according to the entry.
        journal: The model's folder in the journal; hashes are remembered there until a file changes.

    Returns:
        The hash for new answers first; nothing where neither checkpoint nor adapter is a folder, or one that was is not
        there (journaled answers then stand as they are).

    Raises:
        AfterimageError: The entry pins ``revision``, and answers under it came from other weights.
    """
    if not backend.weights_in_folder:
        return ()
    weights = _weights(entry, journal)
    here = [one for one in weights if one.folder.is_dir()]
    if not here or any(one.content() is not None for one in weights if one not in here):
        return ()
    found = [_contents(one) for one in here]
    contents = found[0] if len(found) == 1 else (_joined([first for first, *_ in found]),)
    # Of a repository, it names the commit that an adapter in a folder is put on.
    if entry.revision is not None and weights[0] in here:
        _require_same(entry, undisturbed(lambda: contents_of_answers(journal, answerer)), contents)
    return contents


def known_content(entry: ModelEntry, journal: Path) -> str | None:
    """Return the hash for new answers: what a job that asks the model depends on.

    Args:
        entry: The model.
        journal: The model's folder in the journal.

    Returns:
        Of a folder that is gone, the last one that is known; None where there is none, or neither checkpoint nor
        adapter is a folder.

    Raises:
        AfterimageError: A file of the folder cannot be read.
    """
    if not load_backend(entry.backend).weights_in_folder:
        return None
    known = [content for one in _weights(entry, journal) if (content := one.content()) is not None]
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
        known = _read(memory)
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


def _read(memory: Path) -> dict[str, Any]:
    """Return what is remembered; nothing where that is missing or is not what was written."""
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
