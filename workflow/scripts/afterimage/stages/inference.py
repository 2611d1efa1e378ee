"""Inference: one shard of items to one model, and the merging of shards."""

import json
import logging
import os
from collections.abc import Container, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Image, Message, Reply, Request
from afterimage.models.journaling.entries import Answerer, answerer_of
from afterimage.models.journaling.lookup import load_index
from afterimage.models.journaling.writing import Journalist
from afterimage.records.item import ITEM
from afterimage.records.parquet import merge_records, read_records, write_records
from afterimage.records.response import RESPONSE

logger = logging.getLogger(__name__)

# A request is known by its words and the hashes of its images' pixels; the images themselves are large.
_HASHED_COLUMNS = ("item_id", "messages", "images.list.element.pixels_sha256")
_REQUEST_COLUMNS = ("item_id", "messages", "images", "figure", "question", "options", "factors")
# The setting that says how many answers a request gets; each has a key of its own.
_REPEATS = "repeats"


#: Number of a request, then of a repeat, to the answer.
Replies = dict[int, dict[int, Reply]]


def run_model(
    suite: str,
    model: str,
    entry: Mapping,
    items: str | os.PathLike,
    responses: str | os.PathLike,
    journal: str | os.PathLike | None = None,
) -> int:
    """Ask one model all items of one shard and write its responses in the items' order.

    What the journal answers is not asked; when it answers everything, the model is not even loaded. Requests of
    the same content are asked once and share the answer.

    Args:
        suite: The suite's name.
        model: The model's name in the study.
        entry: What can change its answers: backend, model_id, revision, settings; beside them ``client``, how it is
            asked.
        items: The shard's Parquet file, schema ITEM.
        responses: The Parquet file to write, schema RESPONSE.
        journal: The folder of all models' journals; only responders that are not journaled do without.

    Raises:
        AfterimageError: A request failed or stayed without answer, or an answer could not be recorded. No response
            file is written; what was answered is in the journal.
    """
    backend = import_module(f"afterimage.models.{entry['backend']}")
    shard = _Shard(suite, items, getattr(backend, "READS_BESIDE", False))
    if shard.reads_beside or not getattr(backend, "JOURNALED", True):
        replies: Replies = {}
        failures = _ask(backend, entry, shard, range(len(shard.asked)), replies)
    elif journal is None:
        raise ValueError(f"model '{model}' is journaled; expected the journal's folder, found none")
    else:
        replies, failures = _answer_through_journal(backend, entry, shard, Path(journal) / model)
    _require_all_answered(model, shard.asked, _repeats(entry), replies, failures)
    logger.info("%s answered %d items of %s", model, len(shard.asked), suite)
    return write_records(responses, _rows(suite, model, entry, shard.asked, replies), RESPONSE)


def merge_responses(shards: Sequence[str | os.PathLike], responses: str | os.PathLike) -> int:
    """Concatenate a model's response shards, in the given order, for readers and graders."""
    return merge_records(responses, shards, RESPONSE)


class _Shard:
    """The items of one job: what they ask is known from the start, their images are read as they are asked for."""

    def __init__(self, suite: str, items: str | os.PathLike, reads_beside: bool) -> None:
        self.suite = suite
        self.reads_beside = reads_beside
        self._items = items
        #: Item id and hash of the request, by number.
        self.asked = [
            (item["item_id"], _request(number, item, beside=None).sha256)
            for number, item in enumerate(read_records(items, ITEM, columns=_HASHED_COLUMNS))
        ]

    def requests(self, numbers: Container[int]) -> Iterator[Request]:
        """Yield the requests with these numbers, in order."""
        for number, item in enumerate(read_records(self._items, ITEM, columns=_REQUEST_COLUMNS)):
            if number in numbers:
                yield _request(number, item, _beside(item) if self.reads_beside else None)


def _answer_through_journal(
    backend: ModuleType, entry: Mapping, shard: _Shard, folder: Path
) -> tuple[Replies, list[Failure]]:
    first = {}
    for number, (_, request_sha256) in enumerate(shard.asked):
        first.setdefault(request_sha256, number)
    answerer = answerer_of(entry, (*getattr(backend, "NEUTRAL_SETTINGS", ()), _REPEATS))
    replies = _look_up(folder, answerer, first, _repeats(entry))
    missing = {
        number for number in first.values() if len(replies.get(number, ())) < len(_repeats(entry))
    }
    logger.info("%d of %d requests are in the journal", len(first) - len(missing), len(first))
    failures = []
    if missing:
        with Journalist(folder, answerer) as journalist:
            paid = {**entry, "tokens_so_far": _tokens(replies)}
            failures = _ask(backend, paid, shard, missing, replies, journalist)
    for number, (_, request_sha256) in enumerate(shard.asked):
        if first[request_sha256] in replies:
            replies[number] = replies[first[request_sha256]]
    return replies, failures


def _tokens(replies: Replies) -> tuple[int, int]:
    """Sum the tokens of prompts and of answers, as far as they were counted."""
    given = [reply for answers in replies.values() for reply in answers.values()]
    return (
        sum(reply.prompt_tokens or 0 for reply in given),
        sum(reply.completion_tokens or 0 for reply in given),
    )


def _look_up(
    folder: Path, answerer: Answerer, numbers: Mapping[str, int], repeats: range
) -> Replies:
    keys = answerer.keys()
    wanted = {
        keys.key(request_sha256, repeat): number
        for request_sha256, number in numbers.items()
        for repeat in repeats
    }
    index = load_index(folder, answerer, wanted)
    for fault in index.faults:
        # Every kill may tear a line off; damage is another matter.
        logger.log(logging.INFO if fault.torn else logging.WARNING, "%s", fault)
    replies: Replies = {}
    for reply in index.answers.values():
        replies.setdefault(reply.number, {})[reply.repeat] = reply
    return replies


def _ask(
    backend: ModuleType,
    entry: Mapping,
    shard: _Shard,
    numbers: Container[int],
    replies: Replies,
    journalist: Journalist | None = None,
) -> list[Failure]:
    """Ask the requests with these numbers, add the answers to ``replies`` and return the failures."""
    failures = []
    for outcome in backend.load(entry, shard.suite)(shard.requests(numbers)):
        if outcome.number not in numbers:
            raise AfterimageError(
                f"backend '{entry['backend']}' answered request {outcome.number}, which it was not asked."
            )
        if isinstance(outcome, Failure):
            failures.append(outcome)
            continue
        given = replies.setdefault(outcome.number, {})
        if outcome.repeat not in given:
            if journalist is not None:
                journalist.record(shard.asked[outcome.number][1], outcome)
            given[outcome.repeat] = outcome
        if outcome.repeat not in _repeats(entry):
            raise AfterimageError(
                f"backend '{entry['backend']}' gave answer number {outcome.repeat} (from 0) to one request; "
                f"setting '{_REPEATS}' asks for {len(_repeats(entry))}."
            )
    return failures


def _repeats(entry: Mapping) -> range:
    return range(entry["settings"].get(_REPEATS, 1))


def _request(number: int, item: Mapping, beside: Mapping | None) -> Request:
    images = [Image(image.get("png", b""), image["pixels_sha256"]) for image in item["images"]]
    messages = tuple(
        Message(
            message["role"],
            tuple(
                images[part["image"]] if part["type"] == "image" else part["text"]
                for part in message["parts"]
            ),
        )
        for message in item["messages"]
    )
    return Request(number, messages, beside)


def _beside(item: Mapping) -> dict:
    return {
        "item_id": item["item_id"],
        "figure": item["figure"],
        "question": item["question"],
        "options": [(option["option_id"], option["text"]) for option in item["options"]],
        "factors": item["factors"],
    }


def _require_all_answered(
    model: str,
    asked: Sequence[tuple[str, str]],
    repeats: range,
    replies: Replies,
    failures: Sequence[Failure],
) -> None:
    reasons = {failure.number: failure.reason for failure in failures}
    expected = set(repeats)
    missing = [
        number
        for number in range(len(asked))
        if number in reasons or not expected <= replies.get(number, {}).keys()
    ]
    if missing:
        first = missing[0]
        raise AfterimageError(
            f"model '{model}': {len(missing)} of {len(asked)} requests got no answer, the first for item "
            f"{asked[first][0]} ({reasons.get(first, 'the backend left it out')}); "
            "no responses were written for this shard."
        )


def _rows(
    suite: str,
    model: str,
    entry: Mapping,
    asked: Sequence[tuple[str, str]],
    replies: Replies,
) -> Iterator[dict]:
    settings = json.dumps(entry["settings"], sort_keys=True)
    for number, (item_id, request_sha256) in enumerate(asked):
        for reply in (replies[number][repeat] for repeat in _repeats(entry)):
            yield {
                "item_id": item_id,
                "suite": suite,
                "model": model,
                "repeat": reply.repeat,
                "text": reply.text,
                "finish_reason": reply.finish_reason,
                "backend": entry["backend"],
                "model_id": entry["model_id"],
                "revision": entry["revision"],
                "settings": settings,
                "request_sha256": request_sha256,
                "prompt_tokens": reply.prompt_tokens,
                "completion_tokens": reply.completion_tokens,
                "latency_seconds": reply.latency_seconds,
            }
