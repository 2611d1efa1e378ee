"""Fetching from the hub before it is needed: what a study reads, and checkpoints for jobs without network.

The data sets are known before the study is planned, which needs them.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.model import ADAPTER
from afterimage.errors import AfterimageError, config_key
from afterimage.files.checkpoint_folder import ADAPTER_CONFIG, ADAPTER_WEIGHTS
from afterimage.files.hub import Repository, RepositoryFile, fetch
from afterimage.files.hub_lock import HubSet
from afterimage.files.hub_sets import described, fetch_set
from afterimage.files.paths import write_text
from afterimage.files.yaml import read_yaml_mapping
from afterimage.models.weights import repositories_of
from afterimage.stages.stage import Stage, each

if TYPE_CHECKING:
    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


logger = logging.getLogger(__name__)


# ---- data sets ----


def sets_of(config: Mapping[str, Any]) -> list[HubSet]:
    """Return the data sets that a study reads, from its settings as they are written; each once.

    Benchmarks, and of its models, from the registry or under ``own_models``, the answers that were given elsewhere.

    Raises:
        AfterimageError: The registry cannot be read.
    """
    return list(dict.fromkeys((*_benchmarks(config), *_answers(config))))


def _suites(config: Mapping[str, Any]) -> Mapping[str, Any]:
    suites, known = config.get("suites"), suite_names()
    written = suites if isinstance(suites, Mapping) else {}
    return {name: settings for name, settings in written.items() if name in known}


def _benchmarks(config: Mapping[str, Any]) -> Iterator[HubSet]:
    for name, settings in _suites(config).items():
        if isinstance(settings, Mapping):
            yield from load_suite(name).hub(settings)


def _answers(config: Mapping[str, Any]) -> Iterator[HubSet]:
    from afterimage.planning.recorded_answers import answers_of_hub

    models = config.get("models")
    entries = _entries(config)
    for name in models if isinstance(models, list) else ():
        entry = entries.get(name) if isinstance(name, str) else None
        settings = entry.get("settings") if isinstance(entry, Mapping) else None
        if isinstance(settings, Mapping) and {"hub", "file"} <= settings.keys():
            wanted = (answers_of_hub(settings, suite) for suite in _suites(config))
            yield from filter(None, wanted)


def _entries(config: Mapping[str, Any]) -> Mapping[str, Any]:
    from afterimage.planning.entries import REGISTRY

    own_models, named = config.get("own_models"), config.get("model_registry")
    path = named if isinstance(named, str) else REGISTRY
    listed = read_yaml_mapping(path, config_key("model_registry"))
    return {**listed, **(own_models if isinstance(own_models, Mapping) else {})}


def fetch_data(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Fetch the data sets of ``spec``: ``sets``, each the fields of a :class:`HubSet`."""
    for repository, patterns, revision in spec["sets"]:
        change = fetch_set(HubSet(repository, tuple(patterns), revision))
        logger.info("%s", described(repository, change))


# ---- weights ----


def weights_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return which weights are fetched."""
    return repositories_of(plan.models_and_judge[at.model])


#: Takes the files of a repository and returns those that are wanted.
Chosen = Callable[[Iterable[RepositoryFile]], list[RepositoryFile]]


_MODEL_FILE = re.compile(r"model(-\d+-of-\d+)?\.safetensors")


# Endings of a checkpoint's other files; templates may be in a separate folder.
_COMPANION_ENDINGS = (".json", ".txt", ".model", ".jinja", ".tiktoken")


def fetch_weights(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> Sequence[RepositoryFile]:
    """Fetch the repositories of ``spec`` and write the list of their files as ``receipt``."""
    return fetch_named(spec, outputs["receipt"])


def fetch_named(
    spec: Mapping[str, Any],
    receipt: str | os.PathLike[str],
    endpoint: str | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Sequence[RepositoryFile]:
    """Fetch missing files of a checkpoint and an adapter, check all files, and write the list of them.

    Args:
        spec: ``model_id`` and ``revision`` (a commit, branch or tag; None for the branch main) of the checkpoint's
            repository, ``adapter`` (both in a list) of the adapter's; either may be missing.
        receipt: The JSON file to write: repository, commit, and each file with size and hash; of an adapter as
            ``adapter``.
        endpoint: Address of the hub; by default the library's (``HF_ENDPOINT``).
        cache: Folder of the cache; by default the library's (``HF_HOME``, ``HF_HUB_CACHE``).

    Raises:
        AfterimageError: As :func:`afterimage.files.hub.fetch`, and where a repository holds no safe weights.
    """
    written: dict[str, Any] = {}
    files: list[RepositoryFile] = []

    def fetched(repository: Repository, revision: str | None, choose: Chosen) -> dict[str, Any]:
        def chosen(commit: str, there: Sequence[RepositoryFile]) -> Sequence[RepositoryFile]:
            _require_weights(repository, commit, wanted := choose(there))
            return wanted

        found = fetch(repository, revision, chosen, endpoint, cache)
        files.extend(found.files)
        return _receipt(repository.id, revision, found.commit, found.files)

    if "model_id" in spec:
        checkpoint = Repository("model", spec["model_id"])
        written |= fetched(checkpoint, spec["revision"], chosen_files)
    if ADAPTER in spec:
        name, revision = spec[ADAPTER]
        written[ADAPTER] = fetched(Repository("model", name, ADAPTER), revision, _adapter_files)
    write_text(receipt, json.dumps(written, indent=2) + "\n")
    return files


def _receipt(
    model_id: str, revision: str | None, commit: str, files: Sequence[RepositoryFile]
) -> dict[str, Any]:
    """Return the receipt of a repository."""
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


def _adapter_files(files: Iterable[RepositoryFile]) -> list[RepositoryFile]:
    return [file for file in files if file.path in (ADAPTER_CONFIG, ADAPTER_WEIGHTS)]


def chosen_files(files: Iterable[RepositoryFile]) -> list[RepositoryFile]:
    """Return the files of a checkpoint that transformers reads, by path.

    Repositories often contain the same weights several times, for other libraries; pickled ones are never fetched.
    """
    by_path = {file.path: file for file in files}
    names = [path for path in by_path if "/" not in path]
    weights = [name for name in names if _MODEL_FILE.fullmatch(name)]
    weights = weights or [name for name in names if name.endswith(".safetensors")]
    companions = [
        path
        for path in by_path
        if path.endswith(_COMPANION_ENDINGS) and ("/" not in path or path.endswith(".jinja"))
    ]
    return [by_path[path] for path in sorted({*weights, *companions})]


def _require_weights(repository: Repository, commit: str, files: Iterable[RepositoryFile]) -> None:
    if not any(file.path.endswith(".safetensors") for file in files):
        expected = (
            f"{ADAPTER_CONFIG} and {ADAPTER_WEIGHTS}"
            if repository.key == ADAPTER
            else "model.safetensors, in one or several files"
        )
        raise AfterimageError(
            f"{repository} at commit {commit}: the repository holds no weights that can be read safely; "
            f"expected {expected} (pickled weights can run code and are never read)."
        )


# ---- stages ----


STAGES = (
    # What is fetched is the rule's to say: it runs where no study can be planned (data.smk).
    Stage("fetch_data", fetch_data, "inference", jobs=lambda plan: []),
    Stage(
        "fetch_weights",
        fetch_weights,
        "inference",
        spec=weights_spec,
        jobs=each("model", lambda plan: plan.fetched),
    ),
)
