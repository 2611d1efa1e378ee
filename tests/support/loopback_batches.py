"""Batch APIs for the server on loopback: what all forms share, and OpenAI's, of files and batches."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.parser import BytesParser
from itertools import count
from urllib.parse import parse_qs, urlsplit

from loopback_api import Call, Reaction, refused

KEY = "sk-ant-Zq3xVerySecretIndeed9"


class Desk:
    """What reacts to the calls of one form, and keeps its books where the test can see them.

    Attributes:
        batches: Name to the requests, their names and the moment of a batch, oldest first.
        asked: How often each question was handed over in a batch.
        polled: How often the state of each batch was asked for.
        polls: How many questions after its state a batch takes before it is over.
        ended: What becomes of a question that is not answered before the batch ends.
        answered: Decides of a question whether it is answered before the batch ends.
        said: Makes an answer of a question, in the form's own words.
        spoil: Changes the lines of a file of results.
        calls: Kind of every call: upload, create, list, state or results.
        url: Where the server is.
    """

    form = ""
    #: The header of the key, and how a batch can end early.
    key_header = ""
    endings = ("expired", "canceled", "errored")

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
        assert {"authorization", self.key_header} & {*call.headers} <= {self.key_header}
        self.url = f"http://{call.headers['host']}/v1"
        kind, name = self.meant(call)
        self.calls.append(kind)
        return getattr(self, f"_{kind}")(call, name)

    def meant(self, call: Call) -> tuple[str, str]:
        """Return what a call is, and what it names."""
        raise NotImplementedError

    def kinds(self, call: Call) -> str:
        """Return what a call is."""
        return self.meant(call)[0]

    def saying(self, question: str) -> dict:
        """Return the form's answer to a question; each has an id of its own."""
        raise NotImplementedError

    @staticmethod
    def failing(words: str) -> dict:
        """Return the form's word for a request that fails."""
        return {"error": {"type": "invalid_request_error", "code": 3, "message": words}}

    def question(self, request: dict) -> str:
        """Return the last text of a request."""
        raise NotImplementedError

    def became(self, name: str) -> list[tuple[str, dict | None]]:
        """Return what was said to each request of a batch that is over, not in the order of the requests."""
        batch = self.batches[name]
        if "became" not in batch:
            questions = {key: self.question(request) for key, request in batch["requests"].items()}
            batch["became"] = [
                (key, self.said(question) if self.answered(question) else None)
                for key, question in reversed(questions.items())
            ]
        return batch["became"]

    def _unknown(self, call: Call, name: str) -> Reaction:
        return refused(404, f"No such thing: {call.path}")

    def _create(self, call: Call, _: str) -> Reaction:
        raise NotImplementedError

    def _state(self, call: Call, name: str) -> Reaction:
        self.polled[name] += 1
        return shown(self._batch(name))

    def _batch(self, name: str) -> dict:
        """Return a batch as the form shows it."""
        raise NotImplementedError

    def _take_in(self, requests: dict[str, dict], **fields: object) -> Reaction:
        name = f"batch-{next(self._numbers)}"
        self.asked.update(map(self.question, requests.values()))
        made = datetime.now(UTC) + timedelta(seconds=len(self.batches))
        self.batches[name] = {"requests": requests, "made": made.isoformat(), **fields}
        return shown(self._batch(name))

    def _is_over(self, name: str) -> bool:
        return self.polled[name] >= self.polls

    def _page(self, start: int, size: int) -> tuple[list[dict], bool]:
        """Return a page of batches, the newest first, and whether there are more."""
        names = self.newest()
        page = [self._batch(name) for name in names[start : start + size]]
        return page, len(names) > start + size

    def newest(self) -> list[str]:
        """Return the names of all batches, the newest first."""
        return list(reversed(self.batches))

    def _lines(self, rows: list[dict]) -> Reaction:
        lines = [json.dumps(row).encode() for row in rows]
        return Reaction(b"\n".join(self.spoil(lines)), sound=True)


class FileDesk(Desk):
    """OpenAI's form: requests and results are files.

    Attributes:
        files: Name to the content of a file of requests.
        errors: What a batch that fails says of its file.
    """

    form = "openai"
    key_header = "authorization"
    endings = ("expired", "cancelled", "completed")

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}
        self.errors: list[dict] = []

    def meant(self, call: Call) -> tuple[str, str]:
        match call.method, *urlsplit(call.path).path.removeprefix("/v1/").split("/"):
            case "POST", "files":
                return "upload", ""
            case "GET", "files", name, "content" if name.partition("-of-")[2] in self.batches:
                return "results", name
            case "POST", "batches":
                return "create", ""
            case "GET", "batches":
                return "list", ""
            case "GET", "batches", name if name in self.batches:
                return "state", name
        return "unknown", ""

    def saying(
        self, question: str, finish: str = "stop", usage: tuple[int, int] = (400, 5)
    ) -> dict:
        message = {"role": "assistant", "content": f"answer to {question}"}
        return {
            "id": f"chatcmpl-{next(self._numbers):032x}",
            "object": "chat.completion",
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]},
        }

    def question(self, request: dict) -> str:
        content = request["messages"][-1]["content"]
        if isinstance(content, str):
            return content
        return [part["text"] for part in content if part["type"] == "text"][-1]

    @property
    def uploads(self) -> list[list[dict]]:
        """The requests of every file that was handed over."""
        return [list(map(json.loads, content.splitlines())) for content in self.files.values()]

    def _upload(self, call: Call, _: str) -> Reaction:
        head = f"Content-Type: {call.headers['content-type']}\r\n\r\n".encode()
        parts = {
            part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in BytesParser().parsebytes(head + call.raw).get_payload()
        }
        assert parts["purpose"] == b"batch"
        name = f"file-in-{next(self._numbers)}"
        self.files[name] = parts["file"]
        return shown({"id": name, "object": "file", "purpose": "batch"})

    def _create(self, call: Call, _: str) -> Reaction:
        body, endpoint = call.body, "/v1/chat/completions"
        assert (body["endpoint"], body["completion_window"]) == (endpoint, "24h")
        rows = list(map(json.loads, self.files[body["input_file_id"]].splitlines()))
        assert all((row["method"], row["url"]) == ("POST", endpoint) for row in rows)
        requests = {row["custom_id"]: row["body"] for row in rows}
        assert len(requests) == len(rows)
        return self._take_in(requests, metadata=body["metadata"])

    def _list(self, call: Call, _: str) -> Reaction:
        query = parse_qs(urlsplit(call.path).query)
        after = query.get("after", [None])[0]
        start = self.newest().index(after) + 1 if after else 0
        data, more = self._page(start, int(query["limit"][0]))
        return shown({"object": "list", "data": data, "has_more": more})

    def _results(self, call: Call, name: str) -> Reaction:
        kind, _, batch = name.partition("-of-")
        answers, failures = self._rows(batch)
        return self._lines(answers if kind == "output" else failures)

    def _rows(self, name: str) -> tuple[list[dict], list[dict]]:
        """Return the rows of a batch's answers, and those of its failures."""
        answers, failures = [], []
        for custom_id, reply in self.became(name):
            row = {"id": "r", "custom_id": custom_id, "error": None, "response": None}
            if reply is None:
                row["error"] = {"code": "batch_expired", "message": f"It has {self.ended}."}
            else:
                status = 400 if "error" in reply else 200
                row["response"] = {"status_code": status, "request_id": "q", "body": reply}
            (answers if reply and "error" not in reply else failures).append(row)
        return answers, failures

    def _batch(self, name: str) -> dict:
        batch, over = self.batches[name], self._is_over(name)
        answers, failures = self._rows(name) if over else ([], [])
        size = len(batch["requests"])
        whole = {
            "id": name,
            "object": "batch",
            "status": "in_progress" if self.polled[name] else "validating",
            "created_at": int(datetime.fromisoformat(batch["made"]).timestamp()),
            "metadata": batch["metadata"],
            "request_counts": {"total": size, "completed": len(answers), "failed": len(failures)},
        }
        if over and self.ended == "failed":
            return {**whole, "status": "failed", "errors": {"object": "list", "data": self.errors}}
        if over:
            unanswered = any(reply is None for _, reply in self.became(name))
            whole["status"] = self.ended if unanswered else "completed"
        named = {"output": answers, "error": failures}
        return {
            **whole,
            **{f"{kind}_file_id": f"{kind}-of-{name}" for kind, rows in named.items() if rows},
        }


def shown(value: dict) -> Reaction:
    """Return a sound answer of JSON."""
    return Reaction(json.dumps(value).encode(), sound=True)
