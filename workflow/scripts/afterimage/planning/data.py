"""What a study reads that was made elsewhere: data sets of the hub, and answers that were recorded.

The data sets are known before the study is planned, which needs them; imports no library but YAML.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.model import ModelEntry
from afterimage.errors import Faults, config_key, config_path, fault, model_settings
from afterimage.files.hub_lock import HubSet, fetched_files
from afterimage.files.yaml import read_yaml_mapping
from afterimage.planning.configuration import require_file, require_files
from afterimage.planning.entries import REGISTRY


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
    models = config.get("models")
    entries = _entries(config)
    for name in models if isinstance(models, list) else ():
        entry = entries.get(name) if isinstance(name, str) else None
        settings = entry.get("settings") if isinstance(entry, Mapping) else None
        if isinstance(settings, Mapping) and {"hub", "file"} <= settings.keys():
            wanted = (answers_of_hub(settings, suite) for suite in _suites(config))
            yield from filter(None, wanted)


def _entries(config: Mapping[str, Any]) -> Mapping[str, Any]:
    own, named = config.get("own_models"), config.get("model_registry")
    path = named if isinstance(named, str) else REGISTRY
    listed = read_yaml_mapping(path, config_key("model_registry"))
    return {**listed, **(own if isinstance(own, Mapping) else {})}


# ---- answers that were recorded ----


def require_recorded(entry: ModelEntry, suites: Iterable[str], probes: Iterable[str]) -> None:
    """Make sure that a model with recorded answers can have those that a study wants.

    Raises:
        AfterimageError: Suites ask beside their own questions, or a file is missing: a fault a line.
    """
    faults = Faults()
    for suite in probes:
        faults.add(
            fault(
                config_path(f"suites.{suite}.probes"),
                f"model '{entry.name}' has recorded answers to the suite's own "
                "questions and cannot be asked others; expected a study without it.",
            )
        )
    with faults.noted():
        recorded_ids(entry)
    for suite in suites:
        with faults.noted():
            recorded_files(entry, suite)
    faults.raise_any()


def recorded_files(entry: ModelEntry, suite: str) -> list[str]:
    """Return the files in which a model's answers to a suite stand.

    Raises:
        AfterimageError: A file is missing, or was not fetched.
    """
    if (wanted := answers_of_hub(entry.settings, suite)) is not None:
        where = model_settings(entry.name).inside("hub")
        return list(fetched_files(wanted, where).values())
    where = model_settings(entry.name).inside("file")
    return require_files(_files(entry.settings, suite), where)


def answers_of_hub(settings: Mapping[str, Any], suite: str) -> HubSet | None:
    """Return the data set of the hub that holds recorded answers to a suite; None where they lie here."""
    if "hub" not in settings:
        return None
    return HubSet(settings["hub"], tuple(_files(settings, suite)), settings.get("revision"))


def _files(settings: Mapping[str, Any], suite: str) -> list[str]:
    named = settings["file"]
    files = [named] if isinstance(named, str) else named
    return [path.replace("{suite}", suite) for path in files]


def recorded_ids(entry: ModelEntry) -> list[str]:
    """Return the file that says which recorded id is which item's, if there is one.

    Raises:
        AfterimageError: It is missing.
    """
    path = entry.settings["ids"]
    where = model_settings(entry.name).inside("ids")
    return [] if path is None else [require_file(path, where)]
