"""What is fetched: the data sets of the hub that a study reads, and weights.

The data sets are known before the study is planned, which needs them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from afterimage.contract.finding import load_suite, suite_names
from afterimage.errors import config_key
from afterimage.files.hub_lock import HubSet
from afterimage.files.yaml import read_yaml_mapping
from afterimage.models.weights import repositories_of
from afterimage.planning.entries import REGISTRY
from afterimage.planning.plan import Plan
from afterimage.planning.recorded_answers import answers_of_hub
from afterimage.planning.stage import Names, Stage, each


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


# ---- stages ----


def weights_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return which weights are fetched."""
    return repositories_of(plan.models_and_judge[at.model])


STAGES = (
    # What is fetched is the rule's to say: it runs where no study can be planned (data.smk).
    Stage("fetch_data", "fetching:fetch_data", "inference", jobs=lambda plan: []),
    Stage(
        "fetch_weights",
        "fetching:fetch_weights",
        "inference",
        spec=weights_spec,
        jobs=each("model", lambda plan: plan.fetched),
    ),
)
