"""Batches of Anthropic's and of Gemini's form for the server on loopback, as their documents describe them."""

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from urllib.parse import parse_qs, urlsplit

from loopback_api import Call, Reaction, refused

KEY = "sk-ant-Zq3xVerySecretIndeed9"


class Desk:
    """What reacts to the calls of one form, and keeps its books where the test can see them.

    Attributes:
        batches: Name to the requests, their names and the moment of a batch, oldest first.
        asked: How often each question was handed over in a batch.
        polls: How many questions after its state a batch takes before it is over.
        ended: What becomes of a question that is not answered before the batch ends.
        answered: Decides of a question whether it is answered before the batch ends.
        said: Makes an answer of a question, in the form's own words.
        spoil: Changes the lines of a file of results.
        calls: Kind of every call: upload, create, list, state or results.
        url: Where the server is.
    """

    form = ""

    def __init__(self) -> None:
        self.batches: dict[str, dict] = {}
        self.asked: Counter[str] = Counter()
        self.polled: Counter[str] = Counter()
        self.polls = 2
        self.ended = "expired"
        self.answered: Callable[[str], bool] = lambda question: True
        self.said: Callable[[str], dict] = self.saying
        self.spoil: Callable[[list[bytes]], list[bytes]] = lambda lines: lines
        self.calls: list[str] = []
        self.url = ""
        self._numbers = count(1)

    def __call__(self, call: Call) -> Reaction:
        assert "authorization" not in call.headers
        kind, name = self.meant(call)
        self.calls.append(kind)
        return getattr(self, f"_{kind}")(call, name)

    def meant(self, call: Call) -> tuple[str, str]:
        """Return what a call is, and what it names."""
        raise NotImplementedError

    def kinds(self, call: Call) -> str:
        """Return what a call is."""
        return self.meant(call)[0]

    @staticmethod
    def saying(question: str) -> dict:
        """Return the form's answer to a question."""
        raise NotImplementedError

    def _unknown(self, call: Call, name: str) -> Reaction:
        return refused(404, f"No such thing: {call.path}")

    def _take_in(self, requests: dict[str, dict], **told: object) -> str:
        name = f"batch-{next(self._numbers)}"
        self.asked.update(map(self.question, requests.values()))
        made = datetime.now(UTC) + timedelta(seconds=len(self.batches))
        self.batches[name] = {"requests": requests, "made": made.isoformat(), **told}
        return name

    def question(self, request: dict) -> str:
        """Return the last text of a request."""
        raise NotImplementedError

    def _is_over(self, name: str) -> bool:
        return self.polled[name] >= self.polls

    def _newest(self) -> list[str]:
        return list(reversed(self.batches))


class MessageDesk(Desk):
    """Message Batches."""

    form = "anthropic"

    def meant(self, call: Call) -> tuple[str, str]:
        if call.path.startswith("/v1/messages/batches"):
            assert call.headers["anthropic-version"] == "2023-06-01"
        match call.method, *urlsplit(call.path).path.removeprefix("/v1/messages/").split("/"):
            case "POST", "batches":
                return "create", ""
            case "GET", "batches":
                return "list", ""
            case "GET", "batches", name if name in self.batches:
                return "state", name
            case "GET", "batches", name, "results" if name in self.batches:
                return "results", name
        return "unknown", ""

    @staticmethod
    def saying(question: str, stop: str = "end_turn", usage: dict | None = None) -> dict:
        return {
            "id": f"msg_{abs(hash(question)):032x}",
            "type": "message",
            "role": "assistant",
            "model": "some-model",
            "content": [{"type": "text", "text": f"answer to {question}"}],
            "stop_reason": stop,
            "usage": usage or {"input_tokens": 400, "output_tokens": 5},
        }

    def question(self, request: dict) -> str:
        content = request["messages"][-1]["content"]
        return content if isinstance(content, str) else content[-1]["text"]

    def _create(self, call: Call, _: str) -> Reaction:
        assert int(call.headers["content-length"]) > 0
        requests = {one["custom_id"]: one["params"] for one in call.body["requests"]}
        assert len(requests) == len(call.body["requests"])
        for name, params in requests.items():
            assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", name)
            assert params["max_tokens"] >= 1
            assert {turn["role"] for turn in params["messages"]} <= {"user", "assistant"}
        return self._shown(self._take_in(requests))

    def _list(self, call: Call, _: str) -> Reaction:
        query = parse_qs(urlsplit(call.path).query)
        names = self._newest()
        after = query.get("after_id", [None])[0]
        start = names.index(after) + 1 if after else 0
        page = names[start : start + int(query["limit"][0])]
        data = [self._batch(name) for name in page]
        more = len(names) > start + len(page)
        return _json({"data": data, "has_more": more, "first_id": None, "last_id": None})

    def _state(self, call: Call, name: str) -> Reaction:
        self.polled[name] += 1
        return self._shown(name)

    def _results(self, call: Call, name: str) -> Reaction:
        lines = []
        for custom_id, params in self.batches[name]["requests"].items():
            question = self.question(params)
            if self.answered(question):
                said = self.said(question)
                is_error = said.get("type") == "error"
                kind = {"type": "errored", "error": said} if is_error else None
                result = kind or {"type": "succeeded", "message": said}
            else:
                result = {"type": self.ended}
            lines.append(json.dumps({"custom_id": custom_id, "result": result}).encode())
        # The order of answers is not that of requests.
        return Reaction(b"\n".join(self.spoil(lines[::-1])), sound=True)

    def _shown(self, name: str) -> Reaction:
        return _json(self._batch(name))

    def _batch(self, name: str) -> dict:
        over, size = self._is_over(name), len(self.batches[name]["requests"])
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if over else "processing"] = size
        if over:
            questions = map(self.question, self.batches[name]["requests"].values())
            counts[self.ended] = sum(not self.answered(question) for question in questions)
            counts["succeeded"] -= counts[self.ended]
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if over else "in_progress",
            "request_counts": counts,
            "created_at": self.batches[name]["made"],
            "ended_at": self.batches[name]["made"] if over else None,
            "results_url": f"{self.url}/messages/batches/{name}/results" if over else None,
        }


class GeminiDesk(Desk):
    """Batches of generateContent, with their requests in them or in a file."""

    form = "gemini"

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}

    def meant(self, call: Call) -> tuple[str, str]:
        path = urlsplit(call.path).path
        match call.method, *path.strip("/").split("/"):
            case "POST", "upload", "v1", "files":
                return "upload", ""
            case "POST", "upload", "v1", "files", name:
                return "bytes", name
            case "POST", "v1", "models", "some-model:batchGenerateContent":
                return "create", ""
            case "GET", "v1", "batches":
                return "list", ""
            case "GET", "v1", "batches", name if name in self.batches:
                return "state", name
            case "GET", "download", "v1", "files", name if name.endswith(":download"):
                return "results", name.removesuffix(":download").removeprefix("of-")
        return "unknown", ""

    @staticmethod
    def saying(question: str, finish: str = "STOP", usage: dict | None = None) -> dict:
        parts = [{"text": f"answer to {question}"}]
        return {
            "candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": finish}],
            "usageMetadata": usage or {"promptTokenCount": 400, "candidatesTokenCount": 5},
            "modelVersion": "some-model",
            "responseId": f"{abs(hash(question)):032x}",
        }

    def question(self, request: dict) -> str:
        return request["contents"][-1]["parts"][-1]["text"]

    def _upload(self, call: Call, _: str) -> Reaction:
        assert call.headers["x-goog-upload-protocol"] == "resumable"
        assert call.headers["x-goog-upload-command"] == "start"
        name = f"in-{next(self._numbers)}"
        place = f"{self.url.removesuffix('/v1')}/upload/v1/files/{name}"
        return Reaction(b"{}", headers={"X-Goog-Upload-URL": place}, sound=True)

    def _bytes(self, call: Call, name: str) -> Reaction:
        assert call.headers["x-goog-upload-command"] == "upload, finalize"
        self.files[name] = call.raw or json.dumps(call.body).encode()
        return _json({"file": {"name": f"files/{name}", "mimeType": "application/jsonl"}})

    def _create(self, call: Call, _: str) -> Reaction:
        batch = call.body["batch"]
        config = batch["inputConfig"]
        if "fileName" in config:
            lines = self.files[config["fileName"].removeprefix("files/")].splitlines()
            requests = {one["key"]: one["request"] for one in map(json.loads, lines)}
        else:
            given = config["requests"]["requests"]
            requests = {one["metadata"]["key"]: one["request"] for one in given}
        told = {"display": batch["displayName"], "is_inline": "fileName" not in config}
        return _json(self._batch(self._take_in(requests, **told)))

    def _list(self, call: Call, _: str) -> Reaction:
        query = parse_qs(urlsplit(call.path).query)
        start = int(query.get("pageToken", ["0"])[0])
        names = self._newest()
        page = names[start : start + int(query["pageSize"][0])]
        more = {"nextPageToken": str(start + len(page))} if len(names) > start + len(page) else {}
        return _json({"operations": [self._batch(name) for name in page], **more})

    def _state(self, call: Call, name: str) -> Reaction:
        self.polled[name] += 1
        return _json(self._batch(name))

    def _results(self, call: Call, name: str) -> Reaction:
        assert parse_qs(urlsplit(call.path).query) == {"alt": ["media"]}
        lines = [json.dumps({"key": key, **became}).encode() for key, became in self._became(name)]
        return Reaction(b"\n".join(self.spoil(lines[::-1])), sound=True)

    def _became(self, name: str) -> list[tuple[str, dict]]:
        found = []
        for key, request in self.batches[name]["requests"].items():
            question = self.question(request)
            said = (
                self.said(question)
                if self.answered(question)
                else {"error": {"code": 4, "message": self.ended}}
            )
            found.append((key, said if "error" in said else {"response": said}))
        return found

    def _batch(self, name: str) -> dict:
        batch, over = self.batches[name], self._is_over(name)
        became = self._became(name) if over else []
        good = sum("response" in one for _, one in became)
        about = {
            "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
            "displayName": batch["display"],
            "createTime": batch["made"],
            "state": "BATCH_STATE_SUCCEEDED" if over else "BATCH_STATE_RUNNING",
            "batchStats": {
                "requestCount": str(len(batch["requests"])),
                "successfulRequestCount": str(good),
                "failedRequestCount": str(len(became) - good),
            },
        }
        shown = {"name": f"batches/{name}", "metadata": about}
        if not over:
            return shown
        inlined = [{"metadata": {"key": key}, **one} for key, one in became]
        output = (
            {"inlinedResponses": {"inlinedResponses": inlined}}
            if batch["is_inline"]
            else {"responsesFile": f"files/of-{name}"}
        )
        return {**shown, "done": True, "response": output}


def _json(value: dict) -> Reaction:
    return Reaction(json.dumps(value).encode(), sound=True)
