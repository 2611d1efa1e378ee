"""A Batch API (https://platform.openai.com/docs/api-reference/batch), as far as batches of chat completions need it."""

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

from afterimage.files.json_text import parsed_json
from afterimage.models.openai_compatible.batch_lines import ENDPOINT
from afterimage.models.openai_compatible.batch_records import BatchRecord, is_api_name
from afterimage.models.openai_compatible.connection import timeout_of
from afterimage.models.openai_compatible.faults import fault_of, scrubber
from afterimage.models.openai_compatible.options import ClientOptions
from afterimage.models.openai_compatible.replies import completion_in

logger = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 60.0
#: Where nobody was ever there to be asked, so many attempts are enough.
ATTEMPTS_UNREACHED = 4
#: Files of 200 MB take their time.
SHORTEST_TRANSFER_TIMEOUT_SECONDS = 1800.0
_TOKEN_FIELD = "afterimage"
_OVER = ("completed", "failed", "expired", "cancelled", "canceled")
_CLOCK_SKEW = timedelta(hours=1)
# In place of a line that is longer than a response may be.
_TOO_LONG = b"too long\n"
#: A list of batches that goes on for longer than this has no end.
MOST_PAGES = 1000

# What comes of reading an answer that is not as it should be.
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError)

T = TypeVar("T")


class BatchFaultError(Exception):
    """The API could not be asked; the message says why, in words that may be shown.

    Attributes:
        transient: Whether it may do another time what it was asked to do.
    """

    def __init__(self, reason: str, transient: bool) -> None:
        """Take the reason and whether it may pass."""
        super().__init__(reason)
        self.transient = transient


@dataclass(frozen=True)
class BatchState:
    """How far a batch is.

    Attributes:
        batch_id: The API's name for it.
        status: In the API's words.
        done: Requests that were answered.
        failed: Requests that were not.
        total: All its requests.
        answers_file: The API's name for the file of answers; None if there is none.
        errors_file: The same for requests without answer.
        reason: What was wrong with the batch as a whole, if anything.
    """

    batch_id: str
    status: str
    done: int = 0
    failed: int = 0
    total: int = 0
    answers_file: str | None = None
    errors_file: str | None = None
    reason: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will become of it."""
        return self.status in _OVER

    def __str__(self) -> str:
        """Say it in one line."""
        return f"batch {self.batch_id}: {self.status}, {self.done} of {self.total} answered, {self.failed} failed"


@dataclass(frozen=True)
class TooLong:
    """A line of results that is longer than a response may be."""


class BatchApi:
    """Hands batches over, asks for their state and fetches their results."""

    def __init__(
        self,
        client: openai.OpenAI,
        options: ClientOptions,
        key: str | None,
        key_variable: str | None,
    ) -> None:
        """Take the connection, how patient to be, the key, which no message may contain, and where it came from."""
        self._client = client
        self._options = options
        self._scrub = scrubber(key)
        self._key_variable = key_variable
        self._has_spoken = False
        self._transfer_seconds = max(options.timeout_seconds, SHORTEST_TRANSFER_TIMEOUT_SECONDS)

    def upload(self, record: BatchRecord, path: Path) -> str:
        """Hand the requests' file over and return the API's name for it."""

        def send() -> str:
            with path.open("rb") as file:
                response = self._client.files.with_raw_response.create(
                    file=(f"{record.token}.jsonl", file),
                    purpose="batch",
                    timeout=timeout_of(self._transfer_seconds),
                )
            return self._name_in(_object(response.http_response))

        return self._persistently(send)

    def create(self, record: BatchRecord) -> str:
        """Let the API work on a file that was handed over, once, and return its name for the batch.

        Where the answer to an attempt was lost, the API is asked for the batch before there is another.
        """
        body = {
            "completion_window": "24h",
            "endpoint": ENDPOINT,
            "input_file_id": record.file_id,
            "metadata": {_TOKEN_FIELD: record.token},
        }

        is_first = True

        def make() -> str:
            nonlocal is_first
            found = None if is_first else self._find(record)
            is_first = False
            return found or self._name_in(_object(self._post("/batches", body)))

        return self._persistently(make)

    def find(self, record: BatchRecord) -> str | None:
        """Return the API's name for a batch whose name was lost; None if there is no such batch."""
        return self._persistently(lambda: self._find(record))

    def state(self, batch_id: str) -> BatchState:
        """Return how far a batch is."""
        return self._persistently(lambda: self._state(batch_id))

    def results(self, state: BatchState, folder: Path) -> Iterator[dict[str, Any] | TooLong]:
        """Fetch what became of the requests of a batch that is over: answers first, one line after the other.

        Args:
            state: The batch's state.
            folder: Where there is room for its results meanwhile.

        Yields:
            Each line, or that it is too long to be read; lines that are no JSON objects are passed over.
        """
        for file_id, expected in ((state.answers_file, state.done), (state.errors_file, 0)):
            if file_id is None:
                continue
            with TemporaryFile(dir=folder) as file:
                self._persistently(partial(self._download, file_id, file, expected))
                file.seek(0)
                for number, line in enumerate(file, start=1):
                    try:
                        yield TooLong() if line == _TOO_LONG else _mapping(completion_in(line))
                    except ValueError as error:
                        logger.warning("%s, line %d: %s", file_id, number, self._scrub(str(error)))

    def shown(self, text: object) -> str:
        """Return words of the API's as they may be shown."""
        return self._scrub(str(text))

    def _find(self, record: BatchRecord) -> str | None:
        oldest = (record.made - _CLOCK_SKEW).timestamp()
        after: dict[str, Any] = {}
        for _ in range(MOST_PAGES):
            page = _object(self._get("/batches", {"limit": 100, **after}))
            batches = [_mapping(batch) for batch in page["data"]]
            for batch in batches:
                if (batch.get("metadata") or {}).get(_TOKEN_FIELD) == record.token:
                    return self._name_in(batch)
            # They come newest first.
            if not page.get("has_more") or not batches or batches[-1]["created_at"] < oldest:
                return None
            after = {"after": batches[-1]["id"]}
        raise ValueError(f"a list of batches with more than {MOST_PAGES} pages")

    def _state(self, batch_id: str) -> BatchState:
        batch = _object(self._get(f"/batches/{batch_id}"))
        counts = batch.get("request_counts") or {}
        errors = (batch.get("errors") or {}).get("data") or []
        said = (
            f"line {error['line']}: {error.get('message')}"
            if error.get("line")
            else f"{error.get('message')}"
            for error in errors
        )
        return BatchState(
            batch_id,
            self._scrub(str(batch["status"])),
            _count(counts.get("completed")),
            _count(counts.get("failed")),
            _count(counts.get("total")),
            self._name_or_none(batch.get("output_file_id")),
            self._name_or_none(batch.get("error_file_id")),
            self._scrub("; ".join(said)),
        )

    def _name_in(self, thing: Mapping[str, Any]) -> str:
        """Return what the API calls a thing, which becomes part of addresses and of files here."""
        name: str = thing["id"]
        if not is_api_name(name) or self._scrub(name) != name:
            raise ValueError(f"{repr(name)[:100]} in place of a name")
        return name

    def _name_or_none(self, value: object) -> str | None:
        return self._name_in({"id": value}) if value else None

    def _download(self, file_id: str, file: BinaryIO, lines: int) -> None:
        file.seek(0)
        file.truncate()
        received = 0
        content = self._client.files.with_streaming_response.content(
            file_id, timeout=timeout_of(self._transfer_seconds)
        )
        with content as response:
            pieces = response.iter_bytes(1 << 20)
            for line in bounded_lines(pieces, self._options.max_response_bytes):
                file.write(line)
                received += 1
        if received < lines:
            raise ValueError(f"{received} lines of results for {lines} answers")

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> httpx2.Response:
        options: openai.RequestOptions = {"params": query} if query else {}
        return self._client.get(path, cast_to=httpx2.Response, options=options)

    def _post(self, path: str, body: Mapping[str, Any]) -> httpx2.Response:
        return self._client.post(path, cast_to=httpx2.Response, body=body)

    def _persistently(self, act: Callable[[], T]) -> T:
        """Act until it succeeds or there is no use in another attempt."""
        for attempt in range(self._options.retries + 1):
            try:
                result = act()
                self._has_spoken = True
                return result
            except (openai.APIError, httpx2.TransportError, *_MALFORMED) as error:
                fault = fault_of(error, self._options.timeout_seconds, self._key_variable)
            except OSError as error:
                raise BatchFaultError(f"no room for them ({error.strerror})", False) from error
            reason = self._scrub(fault.reason)
            if not fault.transient:
                raise BatchFaultError(reason, transient=False)
            self._has_spoken |= not fault.unreached
            if not self._has_spoken and attempt + 1 >= ATTEMPTS_UNREACHED:
                break
            if attempt < self._options.retries:
                logger.info("attempt %d: %s", attempt + 1, reason)
                longest = min(FIRST_WAIT_SECONDS * 2.0**attempt, LONGEST_WAIT_SECONDS)
                time.sleep(max(longest, min(fault.wait_seconds or 0.0, LONGEST_WAIT_SECONDS)))
        tries = f"{attempt + 1} attempts, the last: " if attempt else ""
        raise BatchFaultError(f"{tries}{reason}", transient=True)


def bounded_lines(pieces: Iterable[bytes], most_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file, each with its line break; one that is too long is replaced, blank ones are left out.

    Args:
        pieces: The file as it comes.
        most_bytes: How long a line may be; no more is held in memory.
    """
    line = bytearray()
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for part in ended:
            line += part[: most_bytes + 1 - len(line)]
            if line.strip():
                yield bytes(line) + b"\n" if len(line) <= most_bytes else _TOO_LONG
            line.clear()
        line += rest[: most_bytes + 1 - len(line)]
    # The last line may go without its break.
    if line.strip():
        yield bytes(line) + b"\n" if len(line) <= most_bytes else _TOO_LONG


def _object(response: httpx2.Response) -> dict[str, Any]:
    return _mapping(parsed_json(response.content))


def _count(value: object) -> int:
    # Of a server that does not count, or counts in words, no number of lines is expected.
    return value if isinstance(value, int) else 0


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"expected an object in place of a {type(value).__name__}")
    return value
