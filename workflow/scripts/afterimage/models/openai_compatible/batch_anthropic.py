"""Message Batches (https://platform.claude.com/docs/en/api/messages/batches) for chat completions."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
import openai

from afterimage.models.openai_compatible import batch_api
from afterimage.models.openai_compatible.batch_api import (
    CLOCK_SKEW,
    BatchApi,
    BatchFaultError,
    BatchState,
    TooLong,
    count,
    mapping,
    object_in,
)
from afterimage.models.openai_compatible.batch_records import BatchRecord
from afterimage.models.openai_compatible.connection import timeout_of
from afterimage.models.openai_compatible.replies import completion_in

_VERSION = "2023-06-01"
_PATH = "/messages/batches"
_PAGE = 100
# Fields of a chat completion's body that Messages names differently or lacks.
_CONVERTED = ("messages", "max_tokens", "max_completion_tokens", "seed")
_OPENING, _CLOSING = b'{"requests":[', b"]}"


class MessageBatches(BatchApi):
    """Batches in Anthropic's format.

    A batch has no metadata of ours. A batch submitted by a killed job is recognised by the names of its requests, which
    are only in its results, so it is recognised after it has ended.
    """

    max_requests = 100_000
    # Of 256 MB some are reserved for the JSON around the lines.
    max_bytes = 250_000_000

    def form(self, chat: Mapping[str, Any]) -> Mapping[str, Any]:
        return messages_params(chat)

    def line(self, token: str, custom_id: str, body: bytes) -> bytes:
        return b'{"custom_id":"%b","params":%b}\n' % (_name(token, custom_id).encode(), body)

    def upload(self, record: BatchRecord, path: Path) -> None:
        """Upload nothing: the requests are sent with the batch itself."""

    def results(
        self, state: BatchState, record: BatchRecord, folder: Path
    ) -> Iterator[dict[str, Any] | TooLong]:
        """Fetch the results of a finished batch, as lines in OpenAI's format."""
        names = {_name(record.token, name): name for name in record.custom_ids}
        for line in super().results(state, record, folder):
            yield line if isinstance(line, TooLong) else _as_openai(line, names)

    def _extra_headers(self, key: str | None) -> Mapping[str, Any]:
        named = {} if key is None else {"x-api-key": key}
        # In the Authorization header the key would count as another kind of key.
        return {"Authorization": openai.Omit(), "anthropic-version": _VERSION, **named}

    def _make(self, record: BatchRecord, path: Path) -> httpx2.Response:
        size = path.stat().st_size
        options: openai.RequestOptions = {
            # A comma replaces each line break except the last.
            "headers": {
                **self._headers,
                "Content-Length": str(len(_OPENING) + size - 1 + len(_CLOSING)),
            },
            "timeout": timeout_of(self._transfer_seconds),
        }
        return self._client.post(
            _PATH, cast_to=httpx2.Response, content=_one_body(path), options=options
        )

    def _find(self, record: BatchRecord) -> str | None:
        expected = {_name(record.token, name) for name in record.custom_ids}
        for batch in self._since(record.made):
            if sum(_counts(batch).values()) != len(expected):
                continue
            name = self._name_in(batch)
            if batch["processing_status"] != "ended":
                raise BatchFaultError(
                    f"batch {name}, of as many requests, is under way, and only its results will tell whose it is",
                    transient=True,
                )
            address = self._results_url(batch)
            first = next(self._lines(address), b"{}") if address else b"{}"
            if mapping(completion_in(first)).get("custom_id") in expected:
                return name
        return None

    def _since(self, moment: datetime) -> Iterator[dict[str, Any]]:
        """Yield the batches that were made since a moment, newest first."""
        after: dict[str, Any] = {}
        for _ in range(batch_api.MAX_PAGES):
            page = object_in(self._get(_PATH, {"limit": _PAGE, **after}))
            batches = [mapping(batch) for batch in page["data"]]
            for batch in batches:
                if datetime.fromisoformat(batch["created_at"]) < moment - CLOCK_SKEW:
                    return
                yield batch
            if not page.get("has_more") or not batches:
                return
            after = {"after_id": self._name_in(batches[-1])}
        raise ValueError(f"a list of batches with more than {batch_api.MAX_PAGES} pages")

    def _state(self, batch_id: str) -> BatchState:
        batch = object_in(self._get(f"{_PATH}/{batch_id}"))
        counts = _counts(batch)
        done = counts.pop("succeeded")
        left = counts.pop("processing")
        ended = done + sum(counts.values())
        return BatchState(
            batch_id,
            self._scrub(str(batch["processing_status"])),
            done,
            ended - done,
            ended + left,
            self._results_url(batch),
            lines=ended,
        )

    def _results_url(self, batch: Mapping[str, Any]) -> str | None:
        address = batch.get("results_url")
        return self._same_server(address) if address else None

    def _results_address(self, file_id: str) -> str:
        return file_id


def messages_params(chat: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of Messages for the body of a chat completion.

    Args:
        chat: The body; fields that chat completions do not have, such as thinking, are copied.
    """
    turns = chat["messages"]
    system_texts = [_text(turn["content"]) for turn in turns if turn["role"] == "system"]
    return {
        **{name: value for name, value in chat.items() if name not in _CONVERTED},
        "max_tokens": chat.get("max_tokens") or chat["max_completion_tokens"],
        **({"system": "\n".join(system_texts)} if system_texts else {}),
        "messages": [
            {**turn, "content": _content(turn["content"])}
            for turn in turns
            if turn["role"] != "system"
        ],
    }


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content)


def _content(content: Any) -> Any:
    return content if isinstance(content, str) else [_part(part) for part in content]


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return dict(part)
    kind, _, data = part["image_url"]["url"].partition(";base64,")
    source = {"type": "base64", "media_type": kind.removeprefix("data:"), "data": data}
    return {"type": "image", "source": source}


def _name(token: str, custom_id: str) -> str:
    """Return a request's name at the API: at most 64 characters, and unique across batches."""
    return hashlib.sha256(f"{token} {custom_id}".encode()).hexdigest()


def _one_body(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        before = _OPENING
        for line in file:
            yield before + line.rstrip(b"\n")
            before = b","
    yield _CLOSING


def _counts(batch: Mapping[str, Any]) -> dict[str, int]:
    counts = batch.get("request_counts") or {}
    names = ("processing", "succeeded", "errored", "canceled", "expired")
    return {name: count(counts.get(name)) for name in names}


def _as_openai(line: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the result of a request as a line in OpenAI's format."""
    custom_id = names.get(str(line.get("custom_id")), line.get("custom_id"))
    result = line.get("result")
    result = result if isinstance(result, Mapping) else {}
    message = result.get("message")
    if result.get("type") == "succeeded":
        body = completion_of(message) if isinstance(message, Mapping) else message
        response = {"status_code": 200, "body": body}
        return {"custom_id": custom_id, "response": response, "error": None}
    error = result.get("error")
    # The envelope contains the error.
    inner = error.get("error", error) if isinstance(error, Mapping) else error
    reported = inner or {"message": f"the request was {result.get('type')}"}
    return {"custom_id": custom_id, "response": None, "error": reported}


def completion_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message as a chat completion with the same content parts."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    thoughts = [
        part["thinking"]
        for part in parts
        if isinstance(part, Mapping) and isinstance(part.get("thinking"), str)
    ]
    answer = {"role": message.get("role"), "content": content}
    answer |= {"reasoning_content": "\n".join(thoughts)} if thoughts else {}
    return {
        "id": message.get("id"),
        "model": message.get("model"),
        "choices": [{"message": answer, "finish_reason": message.get("stop_reason")}],
        "usage": _usage(message.get("usage")),
    }


def _usage(usage: Any) -> dict[str, Any]:
    """Return the tokens as OpenAI counts them: all prompt tokens together, including cached ones."""
    if not isinstance(usage, Mapping):
        return {}
    read, written = (
        count(usage.get(f"cache_{name}_input_tokens")) for name in ("read", "creation")
    )
    prompt = usage.get("input_tokens")
    return {
        "prompt_tokens": prompt + read + written if isinstance(prompt, int) else None,
        "completion_tokens": usage.get("output_tokens"),
        "prompt_tokens_details": {"cached_tokens": read, "cache_creation_tokens": written},
    }
