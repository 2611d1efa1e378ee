"""The answers that a study wants from a model, and those of them that its journal holds."""

from collections.abc import Collection, Sequence
from itertools import count
from pathlib import Path

from afterimage.commands.forecast.contents import Contents
from afterimage.contract.model import ModelEntry
from afterimage.models.asking import repeats_of
from afterimage.models.interface import Reply
from afterimage.models.item_requests import remembered
from afterimage.models.journaling.entries import Answerer
from afterimage.models.journaling.lookup import load_index


class Wanted:
    """The answers that are wanted of one suite.

    Attributes:
        contents: The shards' items.
        repeats: Which answers to each request are wanted.
        places: Hash of a request and repeat to shard and number where it comes first.
        replies: The same to the answer, where there is one.
        waiting: Shard and number of requests that hold an answer which is not there yet.
    """

    def __init__(self, contents: Sequence[Contents], entry: ModelEntry) -> None:
        """Take the shards' items and how a model is asked them; nothing is looked up yet."""
        self.contents = contents
        self.repeats = repeats_of(entry)
        self._settings = entry.settings
        self.places: dict[tuple[str, int], tuple[int, int]] = {}
        self.replies: dict[tuple[str, int], Reply] = {}
        self.waiting: list[tuple[int, int]] = []
        self._hashes: list[dict[int, str]] = [{} for _ in contents]

    def text(self, shard: int, number: int) -> str | None:
        """Return what of the answer to a request another one builds on; None if there is no answer."""
        request = self._hashes[shard].get(number)
        reply = self.replies.get((request, 0))
        return None if reply is None else remembered(reply, self._settings)

    def next_round(self, depth: int) -> bool:
        """Work out what is asked in one round of every shard; False after the last."""
        any_left = False
        for shard, content in enumerate(self.contents):
            requests = content.requests
            if depth >= len(requests.rounds):
                continue
            any_left = True
            answers, ready = {}, []
            for number in requests.rounds[depth]:
                others = requests.builds_on.get(number, ())
                texts = [self.text(shard, other) for other in others]
                if None in texts:
                    self.waiting.append((shard, number))
                    continue
                ready.append(number)
                answers |= dict(zip((requests.item_ids[n] for n in others), texts, strict=True))
            hashes = requests.hashes(tuple(ready), answers)
            self._hashes[shard] |= hashes
            for number, request in hashes.items():
                for repeat in self.repeats:
                    self.places.setdefault((request, repeat), (shard, number))
        return any_left


def look_up(
    suites: Collection[Wanted], folder: Path, answerer: Answerer, contents: Collection[str]
) -> None:
    """Fill in the answers that there are, those first on which others build.

    The journal is read once for each round of all suites together.

    Args:
        suites: What is wanted.
        folder: The model's folder in the journal.
        answerer: Whose answers.
        contents: The hashes of the model's weights, where that can be told.
    """
    keys = answerer.keys()
    for depth in count():
        # Every suite takes part in a round, whether or not others have one left.
        if not sum(suite.next_round(depth) for suite in suites):
            return
        sought = {
            keys.key(request, repeat): (request, repeat)
            for suite in suites
            for request, repeat in suite.places
            if (request, repeat) not in suite.replies
        }
        index = load_index(folder, answerer, dict.fromkeys(sought, 0), contents)
        for key, reply in index.answers.items():
            for suite in suites:
                if sought[key] in suite.places:
                    suite.replies[sought[key]] = reply
