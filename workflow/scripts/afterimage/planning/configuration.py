"""The study as configured: checked, completed with defaults, every fault one sentence.

Imported whenever the Snakefile is parsed; besides the standard library it needs YAML and JSON Schema only.
"""

import copy
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.model import ModelEntry
from afterimage.contract.settings import SuiteSettings, schema_of
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.yaml import read_yaml_mapping, shown
from afterimage.models.served.command import checked_command
from afterimage.planning.keys import require_no_keys
from afterimage.planning.pilot import Limit
from afterimage.planning.study import Study, StudyJudge

#: Keys that the study takes as they are.
_OF_STUDY = ("statistics", "human", "ledger", "report", "journal", "results_folder")
_SERVED = "served"
#: Keys that every suite has, whatever its own schema.
_PROBES = "probes"
_LIMIT = "limit"
#: Keys of an entry that say nothing to the workflow once the model can be asked.
_FOR_READERS = ("description", "gpu_memory_gb", "replaced_by", "unavailable")
#: File systems take 255 bytes, and more than a model's name stands in a file's.
_LONGEST_NAME = 100
_TYPE_WORDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "nothing (null)",
    "number": "a number",
    "object": "a mapping",
    "string": "a text",
}


def load_study(config: Mapping[str, Any], schemas: Path) -> Study:
    """Check the configuration and the registry of models, and return the study that they describe.

    Args:
        config: ``config.yaml`` as Snakemake hands it over; not changed.
        schemas: The folder ``workflow/schemas``.

    Raises:
        AfterimageError: Any key, name, type, list or file is not what it should be.
    """
    _require_no_keys(config)
    given = completed(config, read_schema(schemas / "config.schema.yaml"), "config")
    probes = _probes(given["suites"], schemas)
    suites = {name: _suite_settings(name, settings) for name, settings in given["suites"].items()}
    entries = {**_registry(given["model_registry"]), **given["own_models"]}
    models = {
        name: _model(name, entries, given, schemas, f"config key 'models[{index}]'")
        for index, name in enumerate(given["models"])
    }
    for name, settings in suites.items():
        for place, model in enumerate(settings.get("text_first", ())):
            where = f"config key 'suites.{name}.text_first[{place}]'"
            require_name("model", model, entries, where)
    judge = given["judge"]
    if judge is not None:
        entry = _model(judge.pop("model"), entries, given, schemas, "config key 'judge.model'")
        judge = StudyJudge(entry, **judge)
    return Study(
        models=models,
        suites=suites,
        probes=probes,
        judge=judge,
        review=_reviews(given["review"], suites, schemas),
        limits=_limits(given, schemas),
        registry=entries,
        title=(given["crate"] or {}).get("name", "Afterimage"),
        **{key: given[key] for key in _OF_STUDY},
    )


def _require_no_keys(config: Mapping[str, Any]) -> None:
    own = config.get("own_models")
    for name, entry in own.items() if isinstance(own, Mapping) else ():
        require_no_keys(entry, f"model '{name}'")
    require_no_keys({key: value for key, value in config.items() if key != "own_models"}, "config")


def completed(value: object, schema: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return a copy of ``value`` that follows ``schema``, with the schema's defaults filled in.

    Raises:
        AfterimageError: The first fault, with its key, what was found and what was expected.
    """
    result = copy.deepcopy(value)
    if not isinstance(result, dict):
        raise AfterimageError(
            f"{where}: found {shown(value)}; expected a mapping of keys to values."
        )
    _fill_defaults(result, schema)
    faults = sorted(
        jsonschema.Draft202012Validator(schema).iter_errors(result),
        key=lambda fault: (
            list(map(str, fault.absolute_path)),
            fault.validator != "additionalProperties",
        ),
    )
    if faults:
        raise AfterimageError(_sentence(faults[0], where))
    return result


@cache
def read_schema(path: Path) -> dict[str, Any]:
    """Read a JSON Schema that is written as YAML."""
    return read_yaml_mapping(path, "the schemas")


def require_name(kind: str, name: object, valid: Iterable[str], where: str) -> None:
    """Raise the error for an unknown name unless ``name`` is among ``valid``."""
    valid = list(valid)
    if name not in valid:
        raise unknown_name(kind, name, valid, where)


def require_file(path: str, where: str) -> str:
    """Return ``path`` if it is a file.

    Raises:
        AfterimageError: There is no file, naming the key that asked for it.
    """
    if not Path(path).is_file():
        raise AfterimageError(f"{where}: file '{path}' does not exist.")
    return path


def _registry(path: str) -> dict[str, Any]:
    registry = read_yaml_mapping(path, "config key 'model_registry'")
    for name, entry in registry.items():
        require_no_keys(entry, f"model '{name}'")
    return registry


def _suite_settings(name: str, settings: object) -> SuiteSettings:
    require_name("suite", name, suite_names(), "config key 'suites'")
    suite = load_suite(name)
    schema = schema_of(suite.settings, name, suite.description)
    own = settings
    if isinstance(settings, Mapping):
        own = {key: value for key, value in settings.items() if key not in (_PROBES, _LIMIT)}
    return suite.settings(**completed({} if own is None else own, schema, f"config: suites.{name}"))


def _probes(suites: Mapping[str, Any], schemas: Path) -> dict[str, Any]:
    """Return what is asked beside a suite's own questions; suites without any of it are not in there."""
    schema = read_schema(schemas / "probes.schema.yaml")
    asked = {
        name: completed(settings[_PROBES], schema, f"config: suites.{name}.{_PROBES}")
        for name, settings in suites.items()
        if isinstance(settings, Mapping) and settings.get(_PROBES) is not None
    }
    return {name: probes for name, probes in asked.items() if any(probes.values())}


def _limits(given: Mapping[str, Any], schemas: Path) -> dict[str, Limit]:
    """Return the suites with a limit: their own or, where they say nothing, the study's."""
    schema = read_schema(schemas / "config.schema.yaml")["properties"][_LIMIT]
    limits = {}
    for name, settings in given["suites"].items():
        images, key = given[_LIMIT], _LIMIT
        if isinstance(settings, Mapping) and _LIMIT in settings:
            own = {_LIMIT: settings[_LIMIT]}
            where = f"config: suites.{name}"
            images = completed(own, {"properties": {_LIMIT: schema}}, where)[_LIMIT]
            key = f"suites.{name}.{_LIMIT}"
        if images is not None:
            limits[name] = Limit(images, key)
    return limits


def _reviews(review: Mapping[str, Any], suites: Iterable[str], schemas: Path) -> dict[str, Any]:
    schema = read_schema(schemas / "config.schema.yaml")["properties"]["review"]
    for name in review:
        require_name("suite", name, suites, "config key 'review'")
    return {
        name: completed(settings, schema["additionalProperties"], f"config: review.{name}")
        for name, settings in review.items()
    }


def _model(
    name: str, entries: Mapping[str, Any], given: Mapping[str, Any], schemas: Path, where: str
) -> ModelEntry:
    require_name("model", name, entries, where)
    _require_file_name(str(name), where)
    place = f"model '{name}'"
    entry = completed(entries[name], read_schema(schemas / "models.schema.yaml"), place)
    backends = _named_schemas(schemas / "backends")
    require_name("backend", entry["backend"], backends, f"{place}: key 'backend'")
    _note_server(name, entry, place, given["results_folder"])
    entry["settings"] = completed(
        entry["settings"],
        read_schema(schemas / "backends" / f"{entry['backend']}.schema.yaml"),
        f"{place}: settings",
    )
    _require_available(name, entry, Path(given["journal"]), where)
    if entry["client"].get("mode") == "batch":
        # Beside the model's answers: what was paid for must survive the removal of results.
        entry["client"]["batches"] = f"{given['journal']}/{name}/batches"
    defaults = {"model_id": name, "shard_size": given["shard_size"]}
    return ModelEntry(
        name, **{key: value for key, value in (defaults | entry).items() if key not in _FOR_READERS}
    )


def _require_file_name(name: str, where: str) -> None:
    is_usable = name[:1].isalnum() and all(part.isalnum() or part in "._-" for part in name)
    if not is_usable or len(name.encode()) > _LONGEST_NAME:
        found = name if len(name) <= _LONGEST_NAME else f"{name[:40]}..."
        raise AfterimageError(
            f"{where}: model name {found!r} is not usable in file names; expected at most {_LONGEST_NAME} letters, "
            "digits, '.', '_' and '-', a letter or digit first."
        )


def _require_available(name: str, entry: Mapping[str, Any], journal: Path, where: str) -> None:
    # What was asked while it could be asked stays good: a paper's study runs on from its journal.
    if "unavailable" in entry and not (journal / name).is_dir():
        instead = f"; '{entry['replaced_by']}' replaces it" if "replaced_by" in entry else ""
        raise AfterimageError(
            f"{where}: model '{name}' cannot be asked: {entry['unavailable']}{instead}."
        )


def _note_server(name: str, entry: dict[str, Any], place: str, results: str) -> None:
    """Put what of a server can change answers among the settings, and the rest to what cannot."""
    is_served = entry["backend"] == _SERVED
    if is_served != ("serve" in entry):
        found = "there is none" if is_served else f"found beside backend '{entry['backend']}'"
        raise AfterimageError(
            f"{place}: key 'serve': {found}; expected one for backend '{_SERVED}' and for no other."
        )
    if is_served:
        if entry["client"].get("mode") == "batch":
            raise AfterimageError(
                f"{place}: key 'client.mode': found \"batch\"; expected online, which is all that a served model takes."
            )
        command = checked_command(entry["serve"].pop("command"), f"{place}: key 'serve.command'")
        entry["settings"]["command"] = command
        entry["serve"]["log"] = f"{results}/logs/serve_model/{name}"


def _named_schemas(folder: Path) -> list[str]:
    return [path.name.removesuffix(".schema.yaml") for path in folder.glob("*.schema.yaml")]


def _fill_defaults(value: dict[str, Any], schema: Mapping[str, Any]) -> None:
    for key, part in schema.get("properties", {}).items():
        if key not in value and "default" in part:
            value[key] = copy.deepcopy(part["default"])
        if isinstance(value.get(key), dict):
            _fill_defaults(value[key], part)


def _sentence(fault: jsonschema.ValidationError, where: str) -> str:
    key = _key(fault.absolute_path)
    place = f"{where}: key '{key}'" if key else where
    # What may be a key in the wrong place is not repeated.
    found = "what is not shown" if fault.schema.get("writeOnly") else shown(fault.instance)
    match fault.validator:
        case "additionalProperties":
            known = fault.schema.get("properties", {})
            unknown = next(name for name in fault.instance if name not in known)
            return str(
                unknown_name(
                    "key", f"{key}.{unknown}" if key else unknown, _full(key, known), where
                )
            )
        case "enum":
            return str(
                unknown_name("value", fault.instance, map(str, fault.validator_value), place)
            )
        case "required":
            missing = next(name for name in fault.validator_value if name not in fault.instance)
            return f"{place}: key '{missing}' is missing{_description(fault.schema, missing)}."
        case "type":
            allowed = fault.validator_value
            words = [
                _TYPE_WORDS[name] for name in ([allowed] if isinstance(allowed, str) else allowed)
            ]
            return f"{place}: found {found}; expected {' or '.join(words)}."
        case "minItems" | "minProperties":
            return f"{place}: is empty ({found}); expected at least {fault.validator_value} entry."
        case "uniqueItems":
            twice = next(item for item in fault.instance if fault.instance.count(item) > 1)
            return f"{place}: {shown(twice)} is named twice; expected each once."
        case "minimum":
            return f"{place}: found {found}; expected at least {fault.validator_value}."
        case "maximum":
            return f"{place}: found {found}; expected at most {fault.validator_value}."
        case "exclusiveMinimum":
            return f"{place}: found {found}; expected more than {fault.validator_value}."
        case "exclusiveMaximum":
            return f"{place}: found {found}; expected less than {fault.validator_value}."
        case "pattern":
            return f"{place}: found {found}; expected: {fault.schema.get('description', fault.message)}"
    return f"{place}: found {found}; {fault.message}."


def _full(key: str, names: Iterable[str]) -> list[str]:
    return [f"{key}.{name}" if key else name for name in names]


def _description(schema: Mapping[str, Any], key: str) -> str:
    part = schema.get("properties", {}).get(key, {})
    values = f"; expected one of: {', '.join(map(str, part['enum']))}" if "enum" in part else ""
    return f" ({part['description'].rstrip('.')}){values}" if "description" in part else values


def _key(path: Iterable[object]) -> str:
    key = ""
    for part in path:
        key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else str(part)
    return key
