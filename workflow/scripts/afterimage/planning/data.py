"""What a study reads from the hub: known before it is planned, which needs the data. Standard library only."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.finding import load_suite, suite_names
from afterimage.files.hub_lock import HubSet


def sets_of(config: Mapping[str, Any]) -> list[HubSet]:
    """Return the data sets that a study reads, from its settings as they are written; each once."""
    suites = config.get("suites")
    known = suite_names()
    return list(
        dict.fromkeys(
            one
            for name, settings in (suites.items() if isinstance(suites, Mapping) else ())
            if name in known and isinstance(settings, Mapping)
            for one in load_suite(name).hub(settings)
        )
    )
