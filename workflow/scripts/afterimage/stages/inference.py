"""Inference: one shard of items to one model, and the merging of shards."""

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module

from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Image, Message, Reply, Request
from afterimage.records.item import ITEM
from afterimage.records.parquet import merge_records, read_records, write_records
from afterimage.records.response import RESPONSE

logger = logging.getLogger(__name__)

_REQUEST_COLUMNS = ("item_id", "messages", "images", "figure", "question", "options", "factors")


def run_model(
    suite: str,
    model: str,
    entry: Mapping,
    items: str | os.PathLike,
    responses: str | os.PathLike,
) -> int:
    """Ask one model all items of one shard and write its responses in the items' order.

    Args:
        suite: The suite's name.
        model: The model's name in the study.
        entry: What can change its answers: backend, model_id, revision, settings.
        items: The shard's Parquet file, schema ITEM.
        responses: The Parquet file to write, schema RESPONSE.

    Raises:
        AfterimageError: A request failed or stayed without answer. No response file is written.
    """
    backend = import_module(f"afterimage.models.{entry['backend']}")
    reads_beside = getattr(backend, "READS_BESIDE", False)
    asked: list[tuple[str, str]] = []

    def requests() -> Iterator[Request]:
        for number, item in enumerate(read_records(items, ITEM, columns=_REQUEST_COLUMNS)):
            request = _request(number, item, reads_beside)
            asked.append((item["item_id"], request.sha256))
            yield request

    replies: dict[int, list[Reply]] = {}
    failures: list[Failure] = []
    for outcome in backend.load(entry, suite)(requests()):
        if isinstance(outcome, Failure):
            failures.append(outcome)
        else:
            replies.setdefault(outcome.number, []).append(outcome)
    _require_all_answered(model, asked, replies, failures)
    logger.info("%s answered %d items of %s", model, len(asked), suite)
    return write_records(responses, _rows(suite, model, entry, asked, replies), RESPONSE)


def merge_responses(shards: Sequence[str | os.PathLike], responses: str | os.PathLike) -> int:
    """Concatenate a model's response shards, in the given order, for readers and graders."""
    return merge_records(responses, shards, RESPONSE)


def _request(number: int, item: Mapping, reads_beside: bool) -> Request:
    images = [Image(image["png"], image["pixels_sha256"]) for image in item["images"]]
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
    return Request(number, messages, _beside(item) if reads_beside else None)


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
    replies: Mapping[int, Sequence[Reply]],
    failures: Sequence[Failure],
) -> None:
    reasons = {failure.number: failure.reason for failure in failures}
    missing = sorted(set(range(len(asked))) - set(replies) | set(reasons))
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
    replies: Mapping[int, Iterable[Reply]],
) -> Iterator[dict]:
    settings = json.dumps(entry["settings"], sort_keys=True)
    for number, (item_id, request_sha256) in enumerate(asked):
        for reply in sorted(replies[number], key=lambda reply: reply.repeat):
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
