"""Batches in Gemini's format (https://ai.google.dev/api/batch-api) for chat completions."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import openai

from afterimage.models.openai_compatible import batch_api
from afterimage.models.openai_compatible.batch_api import (
    CLOCK_SKEW,
    BatchApi,
    BatchState,
    TooLong,
    mapping,
    object_in,
)
from afterimage.models.openai_compatible.batch_records import BatchRecord
from afterimage.models.openai_compatible.connection import timeout_of

_PAGE = 100
# Up to this size requests are sent with the batch itself; their answers come with the batch's state, in one response.
_INLINE_REQUESTS, _INLINE_BYTES = 100, 15_000_000
_OPENING = b'{"batch":{"displayName":"%b","inputConfig":{"requests":{"requests":['
_CLOSING = b"]}}}}"
_COMPATIBLE = "/openai"
# Fields of a chat completion's body by their names in a generation's configuration.
_CONFIGURED = {
    **{"temperature": "temperature", "top_p": "topP", "seed": "seed"},
    **{"max_tokens": "maxOutputTokens", "max_completion_tokens": "maxOutputTokens"},
}
_CONVERTED = (*_CONFIGURED, "model", "messages", "extra_body", "reasoning_effort")


class GeminiBatches(BatchApi):
    """Batches in Gemini's format: few requests are sent with the batch itself, more as a file."""

    max_requests = 100_000
    # A file may have 2 GB; a smaller one is uploaded faster after a failure.
    max_bytes = 200_000_000

    def form(self, chat: Mapping[str, Any]) -> Mapping[str, Any]:
        return generation_of(chat)

    def line(self, token: str, custom_id: str, body: bytes) -> bytes:
        return b'{"key":"%b","request":%b}\n' % (custom_id.encode("ascii"), body)

    def upload(self, record: BatchRecord, path: Path) -> str | None:
        """Upload the requests' file and return its name, without the common prefix of file names."""
        if _is_inline(record, path):
            return None
        return self._persistently(lambda: self._uploaded(record, path))

    def results(
        self, state: BatchState, record: BatchRecord, folder: Path
    ) -> Iterator[dict[str, Any] | TooLong]:
        """Fetch the results of a finished batch, as lines in OpenAI's format."""
        if state.answers_file is None:
            for each in self._persistently(lambda: self._inlined(state.batch_id)):
                yield _as_openai(each)
            return
        for line in super().results(state, record, folder):
            yield line if isinstance(line, TooLong) else _as_openai(line)

    def _extra_headers(self, key: str | None) -> Mapping[str, Any]:
        named = {} if key is None else {"x-goog-api-key": key}
        return {"Authorization": openai.Omit(), **named}

    def _address(self, path: str, before: str = "") -> str:
        """Return an address next to that of chat completions; ``before`` is inserted before the version."""
        root = str(self._client.base_url).rstrip("/").removesuffix(_COMPATIBLE)
        if before:
            host, _, version = root.rpartition("/")
            root = f"{host}/{before}/{version}"
        return f"{root}/{path}"

    def _uploaded(self, record: BatchRecord, path: Path) -> str:
        begun = self._client.post(
            self._address("files", before="upload"),
            cast_to=httpx2.Response,
            body={"file": {"displayName": record.token}},
            options={
                "headers": {
                    **self._headers,
                    "X-Goog-Upload-Protocol": "resumable",
                    "X-Goog-Upload-Command": "start",
                    "X-Goog-Upload-Header-Content-Length": str(path.stat().st_size),
                    "X-Goog-Upload-Header-Content-Type": "application/jsonl",
                }
            },
        )
        address = self._same_server(begun.headers["x-goog-upload-url"])
        with path.open("rb") as file:
            ended = self._client.post(
                address,
                cast_to=httpx2.Response,
                content=file,
                options={
                    "headers": {
                        **self._headers,
                        "Content-Length": str(path.stat().st_size),
                        "Content-Type": "application/jsonl",
                        "X-Goog-Upload-Offset": "0",
                        "X-Goog-Upload-Command": "upload, finalize",
                    },
                    "timeout": timeout_of(self._transfer_seconds),
                },
            )
        return self._name_without(mapping(object_in(ended)["file"])["name"], "files/")

    def _make(self, record: BatchRecord, path: Path) -> httpx2.Response:
        model = quote(self._model_id.removeprefix("models/"), safe="")
        address = self._address(f"models/{model}:batchGenerateContent")
        if record.file_id is not None:
            named = {"fileName": f"files/{record.file_id}"}
            return self._post(
                address, {"batch": {"displayName": record.token, "inputConfig": named}}
            )
        options: openai.RequestOptions = {
            "headers": self._headers,
            "timeout": timeout_of(self._transfer_seconds),
        }
        content = b"".join(_inline(record, path))
        return self._client.post(address, cast_to=httpx2.Response, content=content, options=options)

    def _find(self, record: BatchRecord) -> str | None:
        after: dict[str, Any] = {}
        for _ in range(batch_api.MAX_PAGES):
            address = self._address("batches")
            page = object_in(self._get(address, {"pageSize": _PAGE, **after}))
            batches = [mapping(batch) for batch in page.get("operations") or []]
            descriptions = [mapping(batch.get("metadata") or {}) for batch in batches]
            for batch, about in zip(batches, descriptions, strict=True):
                if about.get("displayName") == record.token:
                    return self._name_in(batch)
            if not page.get("nextPageToken") or not batches or _is_older(descriptions[-1], record):
                return None
            after = {"pageToken": str(page["nextPageToken"])}
        raise ValueError(f"a list of batches with more than {batch_api.MAX_PAGES} pages")

    def _state(self, batch_id: str) -> BatchState:
        batch = object_in(self._get(self._address(f"batches/{batch_id}")))
        about = mapping(batch.get("metadata") or {})
        counts = about.get("batchStats") or {}
        error = batch.get("error") or {}
        status = str(about["state"]).rpartition("STATE_")[2]
        output = mapping(batch.get("response") or {})
        done = _count(counts.get("successfulRequestCount"))
        file = output.get("responsesFile")
        return BatchState(
            batch_id,
            self._scrub(status.lower()),
            done,
            _count(counts.get("failedRequestCount")),
            _count(counts.get("requestCount")),
            self._name_without(file, "files/") if file else None,
            reason=self._scrub(str(mapping(error).get("message") or "")),
            lines=done,
        )

    def _inlined(self, batch_id: str) -> list[Mapping[str, Any]]:
        batch = object_in(self._get(self._address(f"batches/{batch_id}")))
        output = mapping(mapping(batch.get("response") or {}).get("inlinedResponses") or {})
        return [mapping(each) for each in output.get("inlinedResponses") or []]

    def _results_address(self, file_id: str) -> str:
        return self._address(f"files/{file_id}:download?alt=media", before="download")

    def _name_in(self, thing: Mapping[str, Any]) -> str:
        return self._name_without(thing["name"], "batches/")

    def _name_without(self, name: Any, before: str) -> str:
        """Return a name without its kind's prefix, checked as part of an address."""
        if not isinstance(name, str) or not name.startswith(before):
            raise ValueError(f"{repr(name)[:100]} in place of a name")
        return super()._name_in({"id": name.removeprefix(before)})


def generation_of(chat: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request to generate content for the body of a chat completion.

    Args:
        chat: The body, with the extensions of Gemini's OpenAI-compatible address (``reasoning_effort``,
            ``extra_body.google``).
    """
    turns = chat["messages"]
    system_parts = [
        part for turn in turns if turn["role"] == "system" for part in _parts(turn["content"])
    ]
    google = {**(chat.get("extra_body") or {}).get("google", {})}
    config = {new: chat[old] for old, new in _CONFIGURED.items() if old in chat}
    thinking = google.pop("thinking_config", None) or _thinking(chat.get("reasoning_effort"))
    return {
        **{name: value for name, value in chat.items() if name not in _CONVERTED},
        **google,
        "contents": [
            {
                "role": "model" if turn["role"] == "assistant" else "user",
                "parts": _parts(turn["content"]),
            }
            for turn in turns
            if turn["role"] != "system"
        ],
        **({"systemInstruction": {"parts": system_parts}} if system_parts else {}),
        "generationConfig": {**config, **({"thinkingConfig": thinking} if thinking else {})},
    }


def _thinking(effort: str | None) -> dict[str, Any] | None:
    if effort is None:
        return None
    return {"thinkingBudget": 0} if effort == "none" else {"thinkingLevel": effort}


def _parts(content: Any) -> list[dict[str, Any]]:
    return [{"text": content}] if isinstance(content, str) else [_part(part) for part in content]


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"text": part["text"]}
    kind, _, data = part["image_url"]["url"].partition(";base64,")
    return {"inlineData": {"mimeType": kind.removeprefix("data:"), "data": data}}


def _is_inline(record: BatchRecord, path: Path) -> bool:
    few = len(record.custom_ids) <= _INLINE_REQUESTS
    return few and path.stat().st_size <= _INLINE_BYTES


def _inline(record: BatchRecord, path: Path) -> Iterator[bytes]:
    """Yield the body of a batch with its requests, each with its key as metadata."""
    before = _OPENING % record.token.encode("ascii")
    with path.open("rb") as file:
        for line in file:
            key, _, request = line.rstrip(b"\n").removeprefix(b'{"key":').partition(b",")
            yield before + b'{"metadata":{"key":%b},%b' % (key, request)
            before = b","
    yield _CLOSING


def _is_older(about: Mapping[str, Any], record: BatchRecord) -> bool:
    made = about.get("createTime")
    return bool(made) and datetime.fromisoformat(str(made)) < record.made - CLOCK_SKEW


def _count(value: object) -> int:
    # 64-bit integers are strings in this API's JSON.
    return int(value) if isinstance(value, int | str) and str(value).isdecimal() else 0


def _as_openai(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a request as a line in OpenAI's format."""
    about = line.get("metadata")
    key = line.get("key") or (about.get("key") if isinstance(about, Mapping) else None)
    given, error = line.get("response"), line.get("error")
    if error or not isinstance(given, Mapping):
        reported = error or {"message": "the request got no response"}
        return {"custom_id": key, "response": None, "error": reported}
    response = {"status_code": 200, "body": completion_of(given)}
    return {"custom_id": key, "response": response, "error": None}


def completion_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return generated content as a chat completion."""
    candidates = given.get("candidates")
    candidate = candidates[0] if isinstance(candidates, list) and candidates else None
    choices = [_choice(candidate)] if isinstance(candidate, Mapping) else []
    return {
        "id": given.get("responseId"),
        "model": given.get("modelVersion"),
        "choices": choices,
        "promptFeedback": given.get("promptFeedback"),
        "usage": _usage(given.get("usageMetadata")),
    }


def _choice(candidate: Mapping[str, Any]) -> dict[str, Any]:
    content = candidate.get("content")
    parts = content.get("parts") if isinstance(content, Mapping) else None
    parts = parts if isinstance(parts, list) else []
    whole = all(isinstance(part, Mapping) for part in parts)
    thoughts = [part["text"] for part in parts if whole and part.get("thought") and "text" in part]
    answer_parts = [part for part in parts if not (whole and part.get("thought"))]
    message: dict[str, Any] = {"role": "assistant", "content": answer_parts}
    if thoughts and all(isinstance(text, str) for text in thoughts):
        message["reasoning_content"] = "\n".join(thoughts)
    return {"message": message, "finish_reason": candidate.get("finishReason")}


def _usage(usage: Any) -> dict[str, Any]:
    """Return the tokens as OpenAI counts them: thoughts are part of the completion tokens."""
    if not isinstance(usage, Mapping):
        return {}
    thoughts, cached = usage.get("thoughtsTokenCount"), usage.get("cachedContentTokenCount")
    answer_tokens = usage.get("candidatesTokenCount", 0)
    has_both = isinstance(answer_tokens, int) and isinstance(thoughts, int)
    return {
        "prompt_tokens": usage.get("promptTokenCount"),
        "completion_tokens": answer_tokens + thoughts if has_both else answer_tokens,
        "completion_tokens_details": {"reasoning_tokens": thoughts},
        "prompt_tokens_details": {"cached_tokens": cached},
    }
