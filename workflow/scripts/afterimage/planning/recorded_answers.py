"""Recorded answers: their files, here or on the hub."""

from collections.abc import Iterable, Mapping
from typing import Any

from afterimage.contract.model import ModelEntry
from afterimage.errors import Faults, config_path, fault, model_settings
from afterimage.files.hub_lock import HubSet, fetched_files
from afterimage.planning.configuration import require_file, require_files


def require_recorded(entry: ModelEntry, suites: Iterable[str], probes: Iterable[str]) -> None:
    """Make sure that a model with recorded answers can have those that a study wants.

    Raises:
        AfterimageError: Suites have probes, or a file is missing: a fault a line.
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
    """Return the files with a model's answers to a suite.

    Raises:
        AfterimageError: A file is missing, or was not fetched.
    """
    if (wanted := answers_of_hub(entry.settings, suite)) is not None:
        where = model_settings(entry.name).inside("hub")
        return list(fetched_files(wanted, where).values())
    where = model_settings(entry.name).inside("file")
    return require_files(_files(entry.settings, suite), where)


def answers_of_hub(settings: Mapping[str, Any], suite: str) -> HubSet | None:
    """Return the data set of the hub that holds recorded answers to a suite; None if they are here."""
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
