"""A Batch API (https://platform.openai.com/docs/api-reference/batch), as far as batches of chat completions need it.

Batches in other formats (``batch_anthropic.py``, ``batch_gemini.py``) are submitted and fetched by the same calls;
their results are converted to lines in this format.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, TypeVar

import httpx2
import openai

from afterimage.files.json_files import parsed_json
from afterimage.models.interface import Request
from afterimage.models.openai_compatible.batch_records import BatchRecord, is_api_name
from afterimage.models.openai_compatible.bounded import STREAMED
from afterimage.models.openai_compatible.connection import timeout_of
from afterimage.models.openai_compatible.faults import fault_of, scrubber
from afterimage.models.openai_compatible.messages import ENDPOINT, chat_body, line_of, sent_json
from afterimage.models.openai_compatible.options import ClientOptions
from afterimage.models.openai_compatible.replies import completion_in

logger = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 60.0
#: Number of attempts if the server was never reached.
ATTEMPTS_UNREACHED = 4
#: Files of 200 MB take their time.
SHORTEST_TRANSFER_TIMEOUT_SECONDS = 1800.0
_TOKEN_FIELD = "afterimage"
# OpenAI's words; Anthropic's; Gemini's.
_FINISHED = ("completed", "failed", "expired", "cancelled", "canceled", "ended", "succeeded")
#: Largest difference between the clocks of API and computer.
CLOCK_SKEW = timedelta(hours=1)
# Replaces a line that is longer than a response may be.
_TOO_LONG = b"too long\n"
#: A longer list of batches is taken for an endless one.
MAX_PAGES = 1000

# Exceptions of reading a malformed response.
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError)

T = TypeVar("T")


class BatchFaultError(Exception):
    """The API could not be used; the message says why, without secrets.

    Attributes:
        transient: Whether another attempt may succeed.
    """

    def __init__(self, reason: str, transient: bool) -> None:
        super().__init__(reason)
        self.transient = transient


@dataclass(frozen=True)
class BatchState:
    """The state of a batch.

    Attributes:
        batch_id: The API's name for it.
        status: In the API's words.
        done: Number of answered requests.
        failed: Number of failed requests.
        answers_file: The API's name for the file of answers; None if there is none.
        errors_file: The same for requests without answer.
        reason: What was wrong with the batch as a whole, if anything.
        lines: Smallest number of lines of the file of answers.
    """

    batch_id: str
    status: str
    done: int = 0
    failed: int = 0
    total: int = 0
    answers_file: str | None = None
    errors_file: str | None = None
    reason: str = ""
    lines: int = 0

    @property
    def is_over(self) -> bool:
        """Whether its state is final."""
        return self.status in _FINISHED

    def __str__(self) -> str:
        return f"batch {self.batch_id}: {self.status}, {self.done} of {self.total} answered, {self.failed} failed"


@dataclass(frozen=True)
class TooLong:
    """A line of results that is longer than a response may be."""


class BatchApi:
    """Submits batches, asks for their state and fetches their results.

    Attributes:
        max_requests: The API's limit for one batch.
        max_bytes: The same for all its lines together.
    """

    max_requests = 50_000
    max_bytes = 200_000_000

    def __init__(
        self,
        client: openai.OpenAI,
        options: ClientOptions,
        key: str | None,
        key_variable: str | None,
        model_id: str,
    ) -> None:
        """Take the connection, its options, the key, which no message may contain, its variable, and the model."""
        self._model_id = model_id
        self._client = client
        self._options = options
        self._scrub = scrubber(key)
        self._key_variable = key_variable
        self._headers = self._extra_headers(key)
        self._has_responded = False
        self._transfer_seconds = max(options.timeout_seconds, SHORTEST_TRANSFER_TIMEOUT_SECONDS)

    def body(
        self, model_id: str, request: Request, settings: Mapping[str, Any], repeat: int
    ) -> bytes:
        """Return the body of one repeat of a request."""
        return sent_json(self.form(chat_body(model_id, request.messages, settings, repeat)))

    def form(self, chat: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a chat completion's body in this API's format."""
        return chat

    def line(self, token: str, custom_id: str, body: bytes) -> bytes:
        """Return the line of the requests' file with a body; its length does not depend on the batch's token."""
        return line_of(custom_id, body)

    def upload(self, record: BatchRecord, path: Path) -> str | None:
        """Upload the requests' file and return the API's name for it; None if it is sent with the batch itself."""

        def send() -> str:
            with path.open("rb") as file:
                response = self._client.files.with_raw_response.create(
                    file=(f"{record.token}.jsonl", file),
                    purpose="batch",
                    timeout=timeout_of(self._transfer_seconds),
                )
            return self._name_in(object_in(response.http_response))

        return self._persistently(send)

    def create(self, record: BatchRecord, path: Path) -> str:
        """Create exactly one batch from the requests in a file, and return the API's name for it.

        If the response to an attempt was lost, the API is asked for the batch before the next attempt.
        """
        may_be_there = False

        def make() -> str:
            nonlocal may_be_there
            if may_be_there and (found := self._find(record)):
                return found
            may_be_there = True
            try:
                return self._name_in(object_in(self._make(record, path)))
            except openai.APIStatusError as error:
                # A refused batch does not exist; after a server error it may.
                may_be_there = error.status_code >= 500
                raise

        return self._persistently(make)

    def find(self, record: BatchRecord) -> str | None:
        """Return the API's name for a batch whose name was lost; None if there is no such batch."""
        return self._persistently(lambda: self._find(record))

    def state(self, batch_id: str) -> BatchState:
        return self._persistently(lambda: self._state(batch_id))

    def results(
        self, state: BatchState, record: BatchRecord, folder: Path
    ) -> Iterator[dict[str, Any] | TooLong]:
        """Fetch the results of a finished batch line by line, answers first.

        Args:
            folder: For the temporary file of results.

        Yields:
            Each line, or that it is too long; lines that are no JSON objects are skipped.
        """
        for file_id, expected in ((state.answers_file, state.lines), (state.errors_file, 0)):
            if file_id is None:
                continue
            with TemporaryFile(dir=folder) as file:
                self._persistently(
                    partial(self._download, self._results_address(file_id), file, expected)
                )
                file.seek(0)
                for number, line in enumerate(file, start=1):
                    try:
                        yield TooLong() if line == _TOO_LONG else mapping(completion_in(line))
                    except ValueError as error:
                        logger.warning("%s, line %d: %s", file_id, number, self._scrub(str(error)))

    def shown(self, text: object) -> str:
        """Return a text of the API without secrets."""
        return self._scrub(str(text))

    def _extra_headers(self, key: str | None) -> Mapping[str, Any]:
        """Return headers that each call has in addition to those of the package."""
        return {}

    def _make(self, record: BatchRecord, path: Path) -> httpx2.Response:
        body = {
            "completion_window": "24h",
            "endpoint": ENDPOINT,
            "input_file_id": record.file_id,
            "metadata": {_TOKEN_FIELD: record.token},
        }
        return self._post("/batches", body)

    def _find(self, record: BatchRecord) -> str | None:
        oldest = (record.made - CLOCK_SKEW).timestamp()
        after: dict[str, Any] = {}
        for _ in range(MAX_PAGES):
            page = object_in(self._get("/batches", {"limit": 100, **after}))
            batches = [mapping(batch) for batch in page["data"]]
            for batch in batches:
                if (batch.get("metadata") or {}).get(_TOKEN_FIELD) == record.token:
                    return self._name_in(batch)
            # Newest first.
            if not page.get("has_more") or not batches or batches[-1]["created_at"] < oldest:
                return None
            after = {"after": batches[-1]["id"]}
        raise ValueError(f"a list of batches with more than {MAX_PAGES} pages")

    def _state(self, batch_id: str) -> BatchState:
        batch = object_in(self._get(f"/batches/{batch_id}"))
        counts = batch.get("request_counts") or {}
        errors = (batch.get("errors") or {}).get("data") or []
        reasons = (
            f"line {error['line']}: {error.get('message')}"
            if error.get("line")
            else f"{error.get('message')}"
            for error in errors
        )
        return BatchState(
            batch_id,
            self._scrub(str(batch["status"])),
            count(counts.get("completed")),
            count(counts.get("failed")),
            count(counts.get("total")),
            self._name_or_none(batch.get("output_file_id")),
            self._name_or_none(batch.get("error_file_id")),
            self._scrub("; ".join(reasons)),
            lines=count(counts.get("completed")),
        )

    def _name_in(self, thing: Mapping[str, Any]) -> str:
        """Return the API's name of an object, which becomes part of addresses and file names."""
        name: str = thing["id"]
        if not is_api_name(name) or self._scrub(name) != name:
            raise ValueError(f"{repr(name)[:100]} in place of a name")
        return name

    def _same_server(self, address: str) -> str:
        """Return an address from the API, to which the key is sent, if it is on the same server."""
        server, named = self._client.base_url, httpx2.URL(address)
        if (named.scheme, named.host, named.port) != (server.scheme, server.host, server.port):
            raise ValueError("another server's address")
        return str(named)

    def _name_or_none(self, value: object) -> str | None:
        return self._name_in({"id": value}) if value else None

    def _results_address(self, file_id: str) -> str:
        return f"/files/{file_id}/content"

    def _download(self, address: str, file: BinaryIO, lines: int) -> None:
        file.seek(0)
        file.truncate()
        received = 0
        for line in self._lines(address):
            file.write(line)
            received += 1
        if received < lines:
            raise ValueError(f"{received} lines of results for {lines} answers")

    def _lines(self, address: str) -> Iterator[bytes]:
        """Yield the lines of a file of results as it comes."""
        options: openai.RequestOptions = {
            "headers": {**self._headers, "Accept": "application/binary", STREAMED: "stream"},
            "timeout": timeout_of(self._transfer_seconds),
        }
        response = self._client.get(address, cast_to=httpx2.Response, options=options)
        try:
            yield from bounded_lines(response.iter_bytes(1 << 20), self._options.max_response_bytes)
        finally:
            response.close()

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> httpx2.Response:
        options: openai.RequestOptions = {"headers": self._headers}
        options |= {"params": query} if query else {}
        return self._client.get(path, cast_to=httpx2.Response, options=options)

    def _post(self, path: str, body: Mapping[str, Any]) -> httpx2.Response:
        options: openai.RequestOptions = {"headers": self._headers}
        return self._client.post(path, cast_to=httpx2.Response, body=body, options=options)

    def _persistently(self, act: Callable[[], T]) -> T:
        """Repeat an action until it succeeds or further attempts are useless."""
        for attempt in range(self._options.retries + 1):
            try:
                result = act()
                self._has_responded = True
                return result
            except (openai.APIError, httpx2.TransportError, *_MALFORMED) as error:
                fault = fault_of(error, self._options.timeout_seconds, self._key_variable)
            except OSError as error:
                raise BatchFaultError(f"no room for them ({error.strerror})", False) from error
            reason = self._scrub(fault.reason)
            if not fault.transient:
                raise BatchFaultError(reason, transient=False)
            self._has_responded |= not fault.unreached
            if not self._has_responded and attempt + 1 >= ATTEMPTS_UNREACHED:
                break
            if attempt < self._options.retries:
                logger.info("attempt %d: %s", attempt + 1, reason)
                longest = min(FIRST_WAIT_SECONDS * 2.0**attempt, LONGEST_WAIT_SECONDS)
                time.sleep(max(longest, min(fault.wait_seconds or 0.0, LONGEST_WAIT_SECONDS)))
        tries = f"{attempt + 1} attempts, the last: " if attempt else ""
        raise BatchFaultError(f"{tries}{reason}", transient=True)


def bounded_lines(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file, each with its line break; long ones are replaced, blank ones left out.

    Args:
        pieces: The file in pieces.
        max_bytes: Longest line; no more is kept in memory.
    """
    line = bytearray()
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for part in ended:
            line += part[: max_bytes + 1 - len(line)]
            if line.strip():
                yield bytes(line) + b"\n" if len(line) <= max_bytes else _TOO_LONG
            line.clear()
        line += rest[: max_bytes + 1 - len(line)]
    # The last line may lack its line break.
    if line.strip():
        yield bytes(line) + b"\n" if len(line) <= max_bytes else _TOO_LONG


def object_in(response: httpx2.Response) -> dict[str, Any]:
    return mapping(parsed_json(response.content))


def count(value: object) -> int:
    # If a server sends no number, no number of lines is expected.
    return value if isinstance(value, int) else 0


def mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected an object in place of a {type(value).__name__}")
    return value
