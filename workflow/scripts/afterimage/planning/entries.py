"""A model's entry in the registry or below ``own_models``: found by its name, checked, completed with defaults.

Imported whenever the Snakefile is parsed; besides the standard library it needs YAML and JSON Schema only.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from afterimage.contract.model import ADAPTER, ASKED_AS, MERGED, ModelEntry
from afterimage.errors import Faults, Setting, fault, model_entry, model_settings, unknown_name
from afterimage.files.paths import anchored
from afterimage.models.openai_compatible.options import (
    ANTHROPIC,
    BATCH,
    NOT_IN_BATCHES,
    batch_form_of,
)
from afterimage.models.served.command import adapter_names, checked_command
from afterimage.planning.efforts import of_family, require_room, with_effort
from afterimage.planning.schemas import completed, read_schema

#: The registry, unless the study names another (key ``model_registry``).
REGISTRY = "config/models.yaml"
_SERVED = "served"
#: The backend whose models may be folders: those of the user, or what comes with the workflow.
_LOCAL = "transformers"
#: What the address of an API is completed with.
_ENDPOINT = "/chat/completions"
#: Keys of an entry that say nothing to the workflow once the model can be asked.
_FOR_READERS = ("description", "label", "gpu_memory_gb", "replaced_by", "unavailable", "efforts")
#: File systems allow 255 bytes, and a file name holds more than the model's name.
_LONGEST_NAME = 100


def require_name(kind: str, name: object, valid: Iterable[str], where: str) -> None:
    """Raise the error for an unknown name unless ``name`` is among ``valid``."""
    valid = list(valid)
    if name not in valid:
        raise unknown_name(kind, name, valid, where)


def require_model(name: object, entries: Mapping[str, Any], where: Setting) -> None:
    """Raise the error for an unknown model unless it has an entry; it suggests one that can still be asked.

    Raises:
        AfterimageError: There is no such entry.
    """
    if name in entries:
        return
    written = {
        candidate: entry if isinstance(entry, Mapping) else {}
        for candidate, entry in entries.items()
    }
    alive = [candidate for candidate, entry in written.items() if "unavailable" not in entry]
    published = [candidate for candidate in alive if written[candidate].get("model_id") == name]
    # Of entries with one checkpoint the first one; of the versions of a model the last one; dates are sorted as texts.
    begun = re.compile(rf"{re.escape(str(name))}[-.@]?v?\d", re.IGNORECASE)
    versions = [candidate for candidate in alive if begun.match(candidate)]
    if meant := published[:1] or versions:
        raise fault(where, f"unknown model '{name}': did you mean '{max(meant)}'?")
    raise unknown_name("model", name, alive, where)


def require_distinct(names: Iterable[object], where: Setting) -> None:
    """Refuse names that are one file on file systems which do not tell capitals apart, or compose letters.

    Raises:
        AfterimageError: There are two such names; both are named.
    """
    seen: dict[str, str] = {}
    for name in dict.fromkeys(map(str, names)):
        first = seen.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
        if first != name:
            raise fault(
                where,
                f"'{first}' and '{name}' differ in capitals or composed letters alone; expected names that "
                "differ otherwise: macOS and Windows keep one file for both.",
            )


def checked_model(
    name: str, entries: Mapping[str, Any], given: Mapping[str, Any], schemas: Path, where: Setting
) -> ModelEntry:
    """Return a model's entry as a job takes it.

    Args:
        name: The model.
        entries: All entries, by name.
        given: The study with its defaults.
        schemas: The folder ``workflow/schemas``.
        where: The key that names the model.

    Raises:
        AfterimageError: There is no such entry, or what it holds is not what it should be.
    """
    require_model(name, entries, where)
    _require_file_name(str(name), where)
    setting = model_entry(name)
    schema = read_schema(schemas / "models.schema.yaml")
    inner = {
        key: outer
        for outer, part in schema["properties"].items()
        for key in part.get("properties", ())
    }
    backends = {
        path.name.removesuffix(".schema.yaml"): path for path in (schemas / "backends").iterdir()
    }
    found = of_family(name, entries)
    written = found if isinstance(found, Mapping) else {}
    backend, settings = str(written.get("backend")), written.get("settings", {})
    written_settings = entries[name].get("settings") if written else None
    backend_schema = read_schema(backends[backend]) if backend in backends else {"properties": {}}
    faults = Faults()
    with faults.noted():
        entry = completed(
            found, schema, setting, inner | dict.fromkeys(backend_schema["properties"], "settings")
        )
    if isinstance(written.get("backend"), str):
        with faults.noted():
            _require_backend(backend, backends, schemas, setting.inside("backend"))
    if backend in backends and isinstance(settings, Mapping):
        with faults.noted():
            settings = with_effort(name, written, written_settings) or settings
            settings = completed(settings, backend_schema, model_settings(name), inner)
            require_room(name, written.get("effort"), settings)
    faults.raise_any()
    entry["settings"] = settings
    _note_folders(entry, model_settings(name))
    _note_server(name, entry, setting, given["results_folder"])
    _require_address(entry["settings"].get("base_url"), model_settings(name))
    _require_available(name, entry, Path(given["journal"]), where)
    if entry["client"].get("mode") == BATCH:
        _require_batchable(entry, model_settings(name))
        # Beside the model's answers: what was paid for must survive the removal of results.
        entry["client"]["batches"] = f"{given['journal']}/{name}/batches"
    family = entry.get("family", name)
    defaults = {"model_id": family, "shard_size": given["shard_size"]}
    return ModelEntry(
        name, **{key: value for key, value in (defaults | entry).items() if key not in _FOR_READERS}
    )


def _require_backend(
    name: str, backends: Mapping[str, Path], schemas: Path, where: Setting
) -> None:
    if name not in backends and (schemas.parent / f"scripts/afterimage/models/{name}.py").is_file():
        raise fault(
            where,
            f"backend '{name}' has no schema of its settings; expected the file "
            f"{name}.schema.yaml beside those of the other backends (docs/extending.md).",
        )
    require_name("backend", name, backends, where)


def _require_batchable(entry: Mapping[str, Any], settings: Setting) -> None:
    backend_settings = entry["settings"]
    form = entry["client"].get("batch_form") or batch_form_of(backend_settings.get("base_url"))
    for setting in NOT_IN_BATCHES[form]:
        if backend_settings.get(setting) is not None:
            raise fault(
                settings.inside(setting),
                f"found {backend_settings[setting]!r}; expected none, since batches of {form} have nothing for it.",
            )
    if form == ANTHROPIC and not (
        backend_settings["max_tokens"] or backend_settings["max_completion_tokens"]
    ):
        raise fault(
            settings.inside("max_tokens"),
            "is not set; expected a number of tokens, which batches of anthropic cannot do without.",
        )


def _require_file_name(name: str, where: Setting) -> None:
    is_usable = name[:1].isalnum() and all(part.isalnum() or part in "._-" for part in name)
    if not is_usable or len(name.encode()) > _LONGEST_NAME:
        found = name if len(name) <= _LONGEST_NAME else f"{name[:40]}..."
        raise fault(
            where,
            f"model name {found!r} is not usable in file names; expected at most {_LONGEST_NAME} letters, "
            "digits, '.', '_' and '-', a letter or digit first.",
        )


def _require_address(address: str | None, settings: Setting) -> None:
    try:
        parts = urlsplit(address or "")
        # Read when it is asked for: a port may be too large.
        _ = parts.port
        if address and not parts.hostname:
            raise ValueError("it names no server")
        if parts.path.rstrip("/").endswith(_ENDPOINT):
            raise ValueError(f"'{_ENDPOINT}' is put behind it")
    except ValueError as error:
        raise fault(
            settings.inside("base_url"),
            f"found an address that is none ({error}); expected one such as "
            "http://127.0.0.1:8000/v1.",
        ) from None


def _require_available(name: str, entry: Mapping[str, Any], journal: Path, where: Setting) -> None:
    # What was asked while it could be asked stays good: a paper's study runs on from its journal.
    if "unavailable" in entry and not (journal / name).is_dir():
        instead = f"; '{entry['replaced_by']}' replaces it" if "replaced_by" in entry else ""
        raise fault(where, f"model '{name}' cannot be asked: {entry['unavailable']}{instead}.")


def _note_server(name: str, entry: dict[str, Any], setting: Setting, results: str) -> None:
    """Put what of a server can change answers among the settings, and the rest to what cannot."""
    is_served = entry["backend"] == _SERVED
    if is_served != ("serve" in entry):
        found = (
            "there is none" if is_served else f"found together with backend '{entry['backend']}'"
        )
        raise fault(
            setting.inside("serve"),
            f"{found}; expected one for backend '{_SERVED}' and for no other.",
        )
    if is_served:
        if entry["client"].get("mode") == BATCH:
            raise fault(
                setting.inside("client.mode"),
                'found "batch"; expected online, which is all that a served model takes.',
            )
        command = checked_command(entry["serve"].pop("command"), setting.inside("serve.command"))
        _require_adapter_used(name, entry, command, setting.inside("serve.command"))
        entry["settings"]["command"] = command
        entry["serve"]["log"] = f"{results}/logs/serve_model/{name}"


def _note_folders(entry: dict[str, Any], settings: Setting) -> None:
    """Find checkpoint and adapter from the Snakefile's folder too, and say of an adapter whether it is merged."""
    given = entry["settings"]
    if entry["backend"] == _LOCAL and "model_id" in entry:
        entry["model_id"] = str(anchored(entry["model_id"]))
    if ADAPTER in given:
        given[ADAPTER] = str(anchored(given[ADAPTER]))
        if entry["backend"] == _LOCAL:
            given.setdefault(MERGED, False)
    elif MERGED in given:
        raise fault(
            settings.inside(MERGED),
            f"found {str(given[MERGED]).lower()}, and no adapter that could be merged; expected the setting "
            f"'{ADAPTER}' too.",
        )


def _require_adapter_used(
    name: str, entry: Mapping[str, Any], command: Sequence[str], setting: Setting
) -> None:
    """Refuse a server that loads an adapter without using it: the checkpoint would answer in its name."""
    settings = entry["settings"]
    if (ADAPTER in settings) != any("{adapter}" in word for word in command):
        found = (
            f"found no '{{adapter}}', and the setting '{ADAPTER}'"
            if ADAPTER in settings
            else f"found '{{adapter}}', and no setting '{ADAPTER}'"
        )
        raise fault(setting, f"{found}; expected both or neither.")
    loaded = adapter_names(command)
    model_id = entry.get("model_id", name)
    if loaded and ASKED_AS not in settings and model_id not in loaded:
        raise fault(
            model_settings(name).inside(ASKED_AS),
            f"is not set, and the server's adapters are called {' and '.join(map(repr, loaded))}: requests would ask "
            f"for '{model_id}', which has none; expected the name that is to answer.",
        )
