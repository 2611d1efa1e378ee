"""One load for many shards: a job that has loaded its model asks it the run's other shards, too.

The answers go to the journal, where the jobs of these shards find them and load nothing. Which job asks what changes no
answer: shards are asked one by one, as ever.
"""

import logging
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from afterimage.contract.model import ModelEntry
from afterimage.contract.scores import OPTIONS, SETTING
from afterimage.errors import AfterimageError
from afterimage.files.pending import PendingShard, read_pending
from afterimage.jobs.rounds import ask_in_rounds
from afterimage.jobs.running import state_of
from afterimage.models.asking import Asking
from afterimage.models.item_requests import ItemRequests
from afterimage.models.progress import STATE_FILE

logger = logging.getLogger(__name__)


def ask_other_shards(
    asking: Asking, entry: ModelEntry, beside: Mapping[str, Any], began: float
) -> None:
    """Ask the loaded model what else this run asks it, as far as items are ready and the job's time lasts.

    Shards that another job asks are left to it, and failures to the shard's own job, which asks again. Last shards
    come first, since jobs that start meanwhile begin with the first.

    Args:
        asking: What the job has asked with.
        entry: The model.
        beside: ``pending``, the file of the run's shards; ``runtime``, the job's time in minutes.
        began: When the job began, as ``time.monotonic`` tells it.
    """
    if "pending" not in beside or "max_cost" in entry.client:
        # A limit of costs is shared out to the jobs by their own shards.
        return
    pending = read_pending(beside["pending"], entry.name)
    left = list(pending.shards)
    longest = time.monotonic() - began
    while asking.is_loaded:
        shard = next((one for one in reversed(left) if one.is_ready(pending.started)), None)
        if shard is None or (
            pending.is_timed and time.monotonic() + 2 * longest > began + 60 * beside["runtime"]
        ):
            return
        left.remove(shard)
        before = time.monotonic()
        try:
            _ask(shard, asking, entry)
        except (AfterimageError, OSError) as error:
            logger.info("%s is left to its own job: %s", shard.items, error)
            return
        longest = max(longest, time.monotonic() - before)


def _ask(shard: PendingShard, asking: Asking, entry: ModelEntry) -> None:
    requests = ItemRequests(shard.items, shard.text_first, entry.settings.get(SETTING) == OPTIONS)
    if requests.most_images > asking.images:
        # Whether the model takes so many is found out when it is loaded.
        return
    asking.begin(waits=False)
    with _shown_as(shard.log):
        ask_in_rounds(requests, asking, entry)
    if given := asking.progress.answered:
        logger.info("%s gave %d answers for %s", entry.name, given, shard.items)


@contextmanager
def _shown_as(log: str) -> Iterator[None]:
    """Have progress counted as that of the job with this log."""
    own = os.environ.get(STATE_FILE)
    if own is None:
        yield
        return
    os.environ[STATE_FILE] = state_of(log)
    try:
        yield
    finally:
        os.environ[STATE_FILE] = own
