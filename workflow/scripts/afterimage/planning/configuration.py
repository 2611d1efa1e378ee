"""The study as configured: checked, completed with defaults, every fault one sentence.

Imported whenever the Snakefile is parsed; besides the standard library it needs YAML and JSON Schema only.
"""

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.model import ModelEntry
from afterimage.contract.probes import CLAIMING
from afterimage.contract.settings import SuiteSettings, require_no_keys, schema_of
from afterimage.errors import (
    AfterimageError,
    Faults,
    Setting,
    config_key,
    config_path,
    fault,
    model_entry,
)
from afterimage.files.paths import require_folder
from afterimage.files.yaml import read_yaml_mapping
from afterimage.planning.entries import checked_model, require_distinct, require_model, require_name
from afterimage.planning.schemas import completed, fill_defaults, read_schema, without_faults
from afterimage.planning.shards import Limit
from afterimage.planning.study import (
    Study,
    StudyJudge,
    in_edition,
    limited_in_cost,
    require_edition,
    require_plain,
)

#: The study as a whole.
_CONFIG = Setting("config", "")
#: Keys that the study takes as they are.
_OF_STUDY = ("statistics", "human", "ledger", "report", "journal", "results_folder", "language")
#: Keys that every suite has, whatever its own schema.
_PROBES = "probes"
_LIMIT = "limit"
#: No setting that counts something is larger; seeds may be.
_MAXIMUM, _SEED = 10**9, "seed"


def load_study(config: Mapping[str, Any], schemas: Path, faults: Faults | None = None) -> Study:
    """Check the configuration and the registry of models, and return the study that they describe.

    Args:
        config: ``config.yaml`` as Snakemake hands it over; not changed.
        schemas: The folder ``workflow/schemas``.
        faults: Takes the faults where more is to be looked at; the study is then what is sound of it.

    Raises:
        AfterimageError: A key, name, type, list or file is not what it should be; all of them, a fault a line. With
            ``faults`` only what nothing can follow.
    """
    require_plain(config, _CONFIG)
    _require_no_keys(config)
    found = Faults() if faults is None else faults
    given = _with_defaults(config, schemas, found)
    entries: dict[str, Any] = {}
    with found.noted():
        registry = _registry(given["model_registry"])
        if isinstance(config.get("own_models", {}), Mapping):
            entries = {**registry, **given["own_models"]}
        _require_new(given["own_models"], registry, found)
    suites, probes = _suites(given, schemas, found)
    models = _models(given, entries, schemas, found)
    for name, settings in suites.items():
        for index, model in enumerate(settings.get("text_first", ())):
            with found.noted():
                where = config_key(f"suites.{name}.text_first[{index}]")
                require_model(model, entries, where)
    with found.noted():
        outside_results(given["journal"], given["results_folder"], "journal")
    judge = review = None
    with found.noted():
        judge = _judge(given["judge"], entries, given, schemas)
        models, judge = _limited(models, judge, given["max_cost"])
    with found.noted():
        review = _reviews(given["review"], given["suites"], schemas)
    for key, words in _odd_numbers(config).items():
        if key not in found.settings:
            found.add(fault(config_key(key), words))
        suites.pop(key.removeprefix("suites.").partition(".")[0], None)
    if faults is None:
        found.raise_any()
    return Study(
        models=models,
        suites=suites,
        probes=probes,
        judge=judge,
        review=review or {},
        limits=_limits(given, schemas),
        registry=entries,
        title=(given["crate"] or {}).get("name", "Afterimage"),
        twins=given["twins"],
        **{key: given[key] for key in _OF_STUDY},
    )


def _models(
    given: Mapping[str, Any], entries: Mapping[str, Any], schemas: Path, faults: Faults
) -> dict[str, ModelEntry]:
    """Return the entries of those of the study's models that are sound."""
    models = {}
    with faults.noted():
        require_distinct(given["models"], config_key("models"))
    # Without a readable registry or own models the names are unknown.
    for index, name in enumerate(given["models"] if entries else ()):
        with faults.noted():
            models[name] = checked_model(
                name, entries, given, schemas, config_key(f"models[{index}]")
            )
    return models


def _limited(
    models: dict[str, ModelEntry], judge: StudyJudge | None, most: float | None
) -> tuple[dict[str, ModelEntry], StudyJudge | None]:
    """Share the study's limit out to its models and its judge; who is both gets a part as each."""
    if judge is None:
        return limited_in_cost(models, most), None
    # No model has an empty name.
    shared = limited_in_cost({**models, "": judge.entry}, most)
    return shared, replace(judge, entry=shared.pop(""))


def _with_defaults(config: Mapping[str, Any], schemas: Path, faults: Faults) -> dict[str, Any]:
    """Return the configuration with its defaults; keys that hold faults are left out, so as to look on."""
    schema = read_schema(schemas / "config.schema.yaml")
    try:
        return completed(config, schema, _CONFIG, dict.fromkeys(suite_names(), "suites"))
    except AfterimageError as error:
        faults.add(error)
    sound = without_faults(config, schema)
    fill_defaults(sound, schema)
    return {"models": [], "suites": {}, **sound}


def _suites(
    given: Mapping[str, Any], schemas: Path, faults: Faults
) -> tuple[dict[str, SuiteSettings], dict[str, Any]]:
    suites: dict[str, SuiteSettings] = {}
    probes: dict[str, Any] = {}
    for name, settings in given["suites"].items():
        with faults.noted():
            suites[name] = in_edition(name, _suite_settings(name, settings), settings, given)
        with faults.noted():
            probes |= _probes({name: settings}, schemas)
    with faults.noted():
        require_edition(given, suites)
    return suites, probes


def _judge(
    judge: Mapping[str, Any] | None,
    entries: Mapping[str, Any],
    given: Mapping[str, Any],
    schemas: Path,
) -> StudyJudge | None:
    if judge is None or not entries:
        return None
    faults = Faults()
    with faults.noted():
        entry = checked_model(judge["model"], entries, given, schemas, config_key("judge.model"))
    for index, suite in enumerate(judge["unread"]):
        with faults.noted():
            require_name("suite", suite, given["suites"], config_key(f"judge.unread[{index}]"))
    faults.raise_any()
    return StudyJudge(entry, **{key: value for key, value in judge.items() if key != "model"})


def _require_new(names: Iterable[str], registry: Mapping[str, Any], faults: Faults) -> None:
    for name in (known for known in names if known in registry):
        faults.add(
            fault(
                model_entry(name),
                "is already in the registry; expected another name for a model of your own, since "
                "the journal and the tables know models by their names.",
            )
        )


def _require_no_keys(config: Mapping[str, Any]) -> None:
    models = config.get("own_models")
    for name, entry in models.items() if isinstance(models, Mapping) else ():
        require_no_keys(entry, model_entry(name))
    require_no_keys({key: value for key, value in config.items() if key != "own_models"}, _CONFIG)


def require_file(path: str, where: str) -> str:
    """Return ``path`` if it is a file.

    Raises:
        AfterimageError: There is no file, naming the key that asked for it.
    """
    if Path(path).is_dir():
        raise fault(where, f"'{path}' is a folder; expected a file.")
    if not Path(path).is_file():
        raise fault(where, f"file '{path}' does not exist.")
    return path


def require_files(paths: Iterable[str], where: str) -> list[str]:
    """Return the paths if each is a file.

    Raises:
        AfterimageError: Some are none: a fault a line.
    """
    faults = Faults()
    found = []
    for path in paths:
        with faults.noted():
            found.append(require_file(path, where))
    faults.raise_any()
    return found


def _registry(path: str) -> dict[str, Any]:
    registry = read_yaml_mapping(path, config_key("model_registry"))
    require_plain(registry, Setting(f"{path}:1:1: registry", None))
    for name, entry in registry.items():
        require_no_keys(entry, model_entry(name))
    return registry


def _suite_settings(name: str, settings: object) -> SuiteSettings:
    require_name("suite", name, suite_names(), config_key("suites"))
    suite = load_suite(name)
    schema = schema_of(suite.settings, name, suite.description)
    kept = settings
    if isinstance(settings, Mapping):
        kept = {key: value for key, value in settings.items() if key not in (_PROBES, _LIMIT)}
    return suite.settings(
        **completed({} if kept is None else kept, schema, config_path(f"suites.{name}"))
    )


def _probes(suites: Mapping[str, Any], schemas: Path) -> dict[str, Any]:
    """Return the probes of suites; suites without any are left out."""
    schema = read_schema(schemas / "probes.schema.yaml")
    requested = {
        name: completed(settings[_PROBES], schema, config_path(f"suites.{name}.{_PROBES}"))
        for name, settings in suites.items()
        if isinstance(settings, Mapping) and settings.get(_PROBES) is not None
    }
    for name, probes in requested.items():
        if probes["clean"] and not any(probes[kind] for kind in CLAIMING):
            raise fault(
                config_path(f"suites.{name}.{_PROBES}").inside("clean"),
                "found true without any question that is asked without "
                f"its image; expected one of these as well: {', '.join(CLAIMING)}.",
            )
    return {name: probes for name, probes in requested.items() if any(probes.values())}


def _limits(given: Mapping[str, Any], schemas: Path) -> dict[str, Limit]:
    """Return the suites with a limit: their own or, where they say nothing, the study's."""
    schema = read_schema(schemas / "config.schema.yaml")["properties"][_LIMIT]
    limits = {}
    for name, settings in given["suites"].items():
        images, key = given[_LIMIT], _LIMIT
        if isinstance(settings, Mapping) and _LIMIT in settings:
            given_limit = {_LIMIT: settings[_LIMIT]}
            where = config_path(f"suites.{name}")
            images = completed(given_limit, {"properties": {_LIMIT: schema}}, where)[_LIMIT]
            key = f"suites.{name}.{_LIMIT}"
        if images is not None:
            limits[name] = Limit(images, key)
    return limits


def _reviews(review: Mapping[str, Any], suites: Iterable[str], schemas: Path) -> dict[str, Any]:
    schema = read_schema(schemas / "config.schema.yaml")["properties"]["review"]
    faults = Faults()
    for name in review:
        with faults.noted():
            require_name("suite", name, suites, config_key("review"))
    faults.raise_any()
    return {
        name: completed(settings, schema["additionalProperties"], config_path(f"review.{name}"))
        for name, settings in review.items()
    }


def outside_results(folder: str, results: str, key: str) -> str:
    """Return a folder of the study that is outside its results.

    Raises:
        AfterimageError: It is inside them, one of both cannot be a folder, or the results are around the working
            folder, naming the key that asks for it.
    """
    for name, path in ((key, folder), ("results_folder", results)):
        require_folder(path, config_key(name))
    if _is_below(".", results):
        raise fault(
            config_key("results_folder"),
            f"found '{results}', in which this folder lies; expected a folder for the "
            "results alone, since they may be removed at any time.",
        )
    if _is_below(folder, results):
        raise fault(
            config_key(key),
            f"found '{folder}', which is below {results}; expected a folder outside of it, "
            "since results may be removed at any time.",
        )
    return folder


def _is_below(folder: str, results: str) -> bool:
    inside = Path(os.path.realpath(folder))
    return Path(os.path.realpath(results)) in (inside, *inside.parents)


def _odd_numbers(value: object, key: str = "") -> dict[str, str]:
    """Return the faults of numbers by key: not a number, or too large to be meant."""
    if isinstance(value, Mapping):
        parts = [
            (f"{key}.{name}" if key else str(name), part)
            for name, part in value.items()
            if not str(name).endswith(_SEED)
        ]
    elif isinstance(value, list):
        parts = [(f"{key}[{number}]", part) for number, part in enumerate(value)]
    elif isinstance(value, float) and not math.isfinite(value):
        return {key: f"found {value}; expected a finite number."}
    elif isinstance(value, int | float) and abs(value) > _MAXIMUM:
        return {key: f"found {value}; expected at most {_MAXIMUM:,}."}
    else:
        return {}
    return {
        name: fault for inside, part in parts for name, fault in _odd_numbers(part, inside).items()
    }
