"""The items of a shard, asked round after round: each after those whose answers it holds."""

from typing import Any

from afterimage.contract.model import ModelEntry
from afterimage.models.asking import Asking, repeats_of
from afterimage.models.item_requests import ItemRequests, remembered


def ask_in_rounds(shard: ItemRequests, asking: Asking, entry: ModelEntry) -> dict[int, str]:
    """Ask each item after those on which it builds; return the hash of each request that could be made."""
    hashes: dict[int, str] = {}
    repeats = repeats_of(entry)
    for numbers in shard.rounds:
        ready = tuple(number for number in numbers if _can_be_asked(number, shard, asking))
        if not ready:
            continue
        answers = {
            shard.item_ids[other]: remembered(asking.replies[other][0], entry.settings)
            for number in ready
            for other in shard.builds_on.get(number, ())
        }
        made = shard.hashes(ready, answers)

        def requests(missing: Any, answers: Any = answers) -> Any:
            return shard.requests(missing, answers, asking.reads_beside)

        asking.ask(made, dict.fromkeys(ready, repeats), requests)
        hashes |= made
    return hashes


def _can_be_asked(number: int, shard: ItemRequests, asking: Asking) -> bool:
    for other in shard.builds_on.get(number, ()):
        if 0 not in asking.replies.get(other, {}):
            asking.failures[number] = (
                f"it holds the answer to {shard.item_ids[other]}, of which there is none"
            )
            return False
    return True
