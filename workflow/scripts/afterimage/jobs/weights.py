"""Fetching a checkpoint before it is needed, for jobs that have no network (``files/hub.py``)."""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from afterimage.errors import AfterimageError
from afterimage.files.hub import Repository, RepositoryFile, fetch
from afterimage.files.whole import write_text
from afterimage.jobs.running import Files

_MODEL_FILE = re.compile(r"model(-\d+-of-\d+)?\.safetensors")
# What a checkpoint consists of beside its weights; templates may lie in a folder of their own.
_BESIDE_WEIGHTS = (".json", ".txt", ".model", ".jinja", ".tiktoken")


def fetch_weights(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> Sequence[RepositoryFile]:
    """Fetch the weights of ``model_id`` at ``revision`` of ``spec``, and write what is there as ``receipt``."""
    return fetch_checkpoint(spec["model_id"], spec["revision"], outputs["receipt"])


def fetch_checkpoint(
    model_id: str,
    revision: str | None,
    receipt: str | os.PathLike[str],
    endpoint: str | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Sequence[RepositoryFile]:
    """Fetch what is missing of a checkpoint, check all of it, and write down what is there.

    Args:
        model_id: The repository's id on the hub.
        revision: A commit, branch or tag; None for the branch main.
        receipt: The JSON file to write: repository, commit, and each file with size and hash.
        endpoint: Address of the hub; by default the library's (``HF_ENDPOINT``).
        cache: Folder of the cache; by default the library's (``HF_HOME``, ``HF_HUB_CACHE``).

    Raises:
        AfterimageError: As :func:`afterimage.files.hub.fetch`, and where the repository holds no safe weights.
    """

    def chosen(commit: str, there: Sequence[RepositoryFile]) -> Sequence[RepositoryFile]:
        files = chosen_files(there)
        _require_weights(model_id, commit, files)
        return files

    fetched = fetch(Repository("model", model_id), revision, chosen, endpoint, cache)
    written = _receipt(model_id, revision, fetched.commit, fetched.files)
    write_text(receipt, json.dumps(written, indent=2) + "\n")
    return fetched.files


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


def _require_weights(model_id: str, commit: str, files: Iterable[RepositoryFile]) -> None:
    if not any(file.path.endswith(".safetensors") for file in files):
        raise AfterimageError(
            f"model_id '{model_id}' at commit {commit}: the repository holds no weights that can be read safely; "
            "expected model.safetensors, in one or several files (pickled weights can run code and are never read)."
        )
