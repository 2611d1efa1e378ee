"""Batches of Anthropic's and of Gemini's form for the server on loopback, as their documents describe them."""

import json
import re
from urllib.parse import parse_qs, urlsplit

from loopback_api import Call, Reaction
from loopback_batches import Desk, shown


class MessageDesk(Desk):
    """Message Batches."""

    form = "anthropic"
    key_header = "x-api-key"

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

    def saying(self, question: str, stop: str = "end_turn", usage: dict | None = None) -> dict:
        return {
            "id": f"msg_{next(self._numbers):032x}",
            "type": "message",
            "role": "assistant",
            "model": "some-model",
            "content": [{"type": "text", "text": f"answer to {question}"}],
            "stop_reason": stop,
            "usage": usage or {"input_tokens": 400, "output_tokens": 5},
        }

    @staticmethod
    def failing(words: str) -> dict:
        return {"type": "error", **Desk.failing(words)}

    def question(self, request: dict) -> str:
        content = request["messages"][-1]["content"]
        return content if isinstance(content, str) else content[-1]["text"]

    def _create(self, call: Call, _: str) -> Reaction:
        assert int(call.headers["content-length"]) > 0
        requests = {request["custom_id"]: request["params"] for request in call.body["requests"]}
        assert len(requests) == len(call.body["requests"])
        for name, params in requests.items():
            assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", name)
            assert params["max_tokens"] >= 1
            assert {turn["role"] for turn in params["messages"]} <= {"user", "assistant"}
        return self._take_in(requests)

    def _list(self, call: Call, _: str) -> Reaction:
        query = parse_qs(urlsplit(call.path).query)
        after = query.get("after_id", [None])[0]
        start = self.newest().index(after) + 1 if after else 0
        data, more = self._page(start, int(query["limit"][0]))
        return shown({"data": data, "has_more": more, "first_id": None, "last_id": None})

    def _results(self, call: Call, name: str) -> Reaction:
        return self._lines(
            [
                {"custom_id": custom_id, "result": self._result(reply)}
                for custom_id, reply in self.became(name)
            ]
        )

    def _result(self, reply: dict | None) -> dict:
        if reply is None:
            return {"type": self.ended}
        if reply["type"] == "error":
            return {"type": "errored", "error": reply}
        return {"type": "succeeded", "message": reply}

    def _batch(self, name: str) -> dict:
        over, size = self._is_over(name), len(self.batches[name]["requests"])
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if over else "processing"] = size
        if over:
            counts[self.ended] = sum(reply is None for _, reply in self.became(name))
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
    key_header = "x-goog-api-key"

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}

    def meant(self, call: Call) -> tuple[str, str]:
        match call.method, *urlsplit(call.path).path.strip("/").split("/"):
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

    def saying(self, question: str, finish: str = "STOP", usage: dict | None = None) -> dict:
        parts = [{"text": f"answer to {question}"}]
        return {
            "candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": finish}],
            "usageMetadata": usage or {"promptTokenCount": 400, "candidatesTokenCount": 5},
            "modelVersion": "some-model",
            "responseId": f"{next(self._numbers):032x}",
        }

    def question(self, request: dict) -> str:
        return request["contents"][-1]["parts"][-1]["text"]

    def _upload(self, call: Call, _: str) -> Reaction:
        assert call.headers["x-goog-upload-protocol"] == "resumable"
        assert call.headers["x-goog-upload-command"] == "start"
        name = f"in-{next(self._numbers)}"
        address = f"{self.url.removesuffix('/v1')}/upload/v1/files/{name}"
        return Reaction(b"{}", headers={"X-Goog-Upload-URL": address}, sound=True)

    def _bytes(self, call: Call, name: str) -> Reaction:
        assert call.headers["x-goog-upload-command"] == "upload, finalize"
        self.files[name] = call.raw or json.dumps(call.body).encode()
        return shown({"file": {"name": f"files/{name}", "mimeType": "application/jsonl"}})

    def _create(self, call: Call, _: str) -> Reaction:
        batch = call.body["batch"]
        config = batch["inputConfig"]
        if "fileName" in config:
            lines = self.files[config["fileName"].removeprefix("files/")].splitlines()
            requests = {one["key"]: one["request"] for one in map(json.loads, lines)}
        else:
            given = config["requests"]["requests"]
            requests = {one["metadata"]["key"]: one["request"] for one in given}
        fields = {"display": batch["displayName"], "is_inline": "fileName" not in config}
        return self._take_in(requests, **fields)

    def _list(self, call: Call, _: str) -> Reaction:
        query = parse_qs(urlsplit(call.path).query)
        start = int(query.get("pageToken", ["0"])[0])
        page, more = self._page(start, int(query["pageSize"][0]))
        next_page = {"nextPageToken": str(start + len(page))} if more else {}
        return shown({"operations": page, **next_page})

    def _results(self, call: Call, name: str) -> Reaction:
        assert parse_qs(urlsplit(call.path).query) == {"alt": ["media"]}
        return self._lines(
            [{"key": key, **self._result(reply)} for key, reply in self.became(name)]
        )

    def _result(self, reply: dict | None) -> dict:
        if reply is None:
            return {"error": {"code": 4, "message": self.ended}}
        return reply if "error" in reply else {"response": reply}

    def _batch(self, name: str) -> dict:
        batch, over = self.batches[name], self._is_over(name)
        rows = [(key, self._result(said)) for key, said in self.became(name)] if over else []
        good = sum("response" in one for _, one in rows)
        about = {
            "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
            "displayName": batch["display"],
            "createTime": batch["made"],
            "state": "BATCH_STATE_SUCCEEDED" if over else "BATCH_STATE_RUNNING",
            "batchStats": {
                "requestCount": str(len(batch["requests"])),
                "successfulRequestCount": str(good),
                "failedRequestCount": str(len(rows) - good),
            },
        }
        whole = {"name": f"batches/{name}", "metadata": about}
        if not over:
            return whole
        inlined = [{"metadata": {"key": key}, **one} for key, one in rows]
        output = (
            {"inlinedResponses": {"inlinedResponses": inlined}}
            if batch["is_inline"]
            else {"responsesFile": f"files/of-{name}"}
        )
        return {**whole, "done": True, "response": output}
