"""A Batch API of OpenAI's form for the server on loopback: files, batches, and what becomes of them."""

import json
import time
from collections import Counter
from collections.abc import Callable
from email.parser import BytesParser
from itertools import count
from urllib.parse import parse_qs, urlsplit

from loopback_api import Call, Reaction, refused


class BatchDesk:
    """What reacts to calls of ``/files`` and ``/batches``; keeps its books where the test can see them.

    Attributes:
        files: Name to content.
        batches: Name to the batch as the API shows it, oldest first.
        asked: How often each custom id was handed over in a batch.
        polls: How many questions after its state a batch takes before it is over.
        ending: The status in which batches end.
        answered: Decides from a request's body whether it is answered before the batch ends.
        polled: How often the state of each batch was asked for.
        calls: Method and path of every call.
    """

    def __init__(self, answer: Callable[[dict], Reaction], polls: int = 2) -> None:
        """Take what answers the body of a request, and how long that takes."""
        self._answer = answer
        self._numbers = count(1)
        self.polled: Counter[str] = Counter()
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict] = {}
        self.asked: Counter[str] = Counter()
        self.polls = polls
        self.ending = "completed"
        self.errors: list[dict] = []
        self.answered: Callable[[dict], bool] = lambda body: True
        self.calls: list[str] = []

    def __call__(self, call: Call) -> Reaction:
        address = urlsplit(call.path)
        parts = address.path.removeprefix("/v1/").split("/")
        self.calls.append(f"{call.method} {address.path}")
        match call.method, *parts:
            case "POST", "files":
                return self._upload(call)
            case "GET", "files", name, "content" if name in self.files:
                return Reaction(self.files[name], sound=True)
            case "POST", "batches":
                return self._create(call.body)
            case "GET", "batches":
                return self._list(parse_qs(address.query))
            case "GET", "batches", name if name in self.batches:
                return self._poll(name)
        return refused(404, f"No such thing: {address.path}")

    @property
    def uploads(self) -> list[list[dict]]:
        """The requests of every file that was handed over."""
        return [
            [json.loads(line) for line in content.splitlines()]
            for name, content in self.files.items()
            if name.startswith("file-in")
        ]

    def _upload(self, call: Call) -> Reaction:
        head = f"Content-Type: {call.headers['content-type']}\r\n\r\n".encode()
        parts = {
            part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in BytesParser().parsebytes(head + call.raw).get_payload()
        }
        assert parts["purpose"] == b"batch"
        name = f"file-in-{next(self._numbers)}"
        self.files[name] = parts["file"]
        return _json({"id": name, "object": "file", "purpose": "batch"})

    def _create(self, body: dict) -> Reaction:
        assert (body["endpoint"], body["completion_window"]) == ("/v1/chat/completions", "24h")
        requests = self._requests(body["input_file_id"])
        assert all(request["method"] == "POST" for request in requests)
        assert all(request["url"] == "/v1/chat/completions" for request in requests)
        names = [request["custom_id"] for request in requests]
        assert len(set(names)) == len(names)
        self.asked.update(names)
        number = next(self._numbers)
        batch = {
            "id": f"batch-{number}",
            "object": "batch",
            "status": "validating",
            "created_at": _moment(number),
            "input_file_id": body["input_file_id"],
            "metadata": body["metadata"],
            "request_counts": {"total": len(names), "completed": 0, "failed": 0},
        }
        self.batches[batch["id"]] = batch
        return _json(batch)

    def _list(self, query: dict) -> Reaction:
        newest_first = list(reversed(self.batches.values()))
        after = query.get("after", [None])[0]
        start = [batch["id"] for batch in newest_first].index(after) + 1 if after else 0
        page = newest_first[start : start + int(query["limit"][0])]
        more = len(newest_first) > start + len(page)
        return _json({"object": "list", "data": page, "has_more": more})

    def _poll(self, name: str) -> Reaction:
        self.polled[name] += 1
        batch = self.batches[name]
        if batch["status"] in ("validating", "in_progress"):
            batch["status"] = "in_progress"
            if self.polled[name] >= self.polls:
                self._end(batch)
        return _json(batch)

    def _end(self, batch: dict) -> None:
        batch["status"] = self.ending
        if self.errors:
            batch["errors"] = {"object": "list", "data": self.errors}
        if self.ending == "failed":
            return
        answers, failures = [], []
        for request in self._requests(batch["input_file_id"]):
            result = {"id": "r", "custom_id": request["custom_id"], "error": None, "response": None}
            if not self.answered(request["body"]):
                failures.append(
                    {
                        **result,
                        "error": {"code": "batch_expired", "message": "It was not executed."},
                    }
                )
                continue
            reaction = self._answer(request["body"])
            body = json.loads(reaction.body)
            result["response"] = {"status_code": reaction.status, "request_id": "q", "body": body}
            (answers if reaction.status == 200 else failures).append(result)
        # The order of answers is not that of requests.
        for kind, lines in (("output", answers[::-1]), ("error", failures)):
            if lines:
                file = f"file-{kind}-{batch['id']}"
                self.files[file] = "\n".join(map(json.dumps, lines)).encode()
                batch[f"{kind}_file_id"] = file
        batch["request_counts"] |= {"completed": len(answers), "failed": len(failures)}

    def _requests(self, file: str) -> list[dict]:
        return [json.loads(line) for line in self.files[file].splitlines()]


def asked_text(body: dict) -> str:
    """Return the last text in the body of a request."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return [part["text"] for part in content if part["type"] == "text"][-1]


def _moment(number: int) -> int:
    return int(time.time()) + number - 1000


def _json(value: dict) -> Reaction:
    return Reaction(json.dumps(value).encode(), sound=True)
