"""Fetching what a study reads from the hub, before it can be planned."""

import logging
from collections.abc import Mapping
from typing import Any

from afterimage.files.hub_lock import HubSet
from afterimage.files.hub_sets import described, fetch_set
from afterimage.jobs.running import Files

logger = logging.getLogger(__name__)


def fetch_data(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Fetch the data sets of ``spec``: ``sets``, each the fields of a :class:`HubSet`."""
    for repository, patterns, revision in spec["sets"]:
        change = fetch_set(HubSet(repository, tuple(patterns), revision))
        logger.info("%s", described(repository, change))
