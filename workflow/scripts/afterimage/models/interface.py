"""Requests, replies and failures, which inference jobs and backends exchange.

Also how replies are stored, and how exceptions of libraries become failures.
"""

import hashlib
import json
import logging
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from afterimage.contract.model import ALSO_NAMED, ModelEntry
from afterimage.contract.readings import UNSTATED
from afterimage.contract.scores import Scores, is_sound
from afterimage.errors import AfterimageError

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Image:
    """A PNG as it is sent, and the SHA-256 of its decoded pixels."""

    png: bytes = field(repr=False)
    pixels_sha256: str


@dataclass(frozen=True)
class Message:
    """One turn of the conversation: who speaks, and texts and images in order."""

    role: str
    parts: tuple[str | Image, ...]

    @property
    def text(self) -> str:
        """The texts of this turn, joined by line breaks."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> tuple[Image, ...]:
        """The images of this turn, in order."""
        return tuple(part for part in self.parts if isinstance(part, Image))


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        number: Identifies the request within its job; says nothing about the item.
        messages: All that a model is shown.
        metadata: Of the item (item_id, stimulus_id, figure, question, options, factors), of a judge's request also of
            the answer, for reference responders that declare that they read it; None for every other backend.
        repeats: The answers that are still missing, numbered from 0: ``(0,)`` for the only one, ``(2, 3, 4)`` if two of
            five exist. Not part of the content, so not part of the hash.
        options: Texts whose log-probabilities are requested instead of an answer; empty to request an answer.
    """

    number: int
    messages: tuple[Message, ...]
    metadata: Any = None
    repeats: tuple[int, ...] = (0,)
    options: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of the content: roles, texts and decoded pixels, in order, and options if there are any."""
        content: list[Any] = [
            [
                message.role,
                [
                    ["image", part.pixels_sha256] if isinstance(part, Image) else ["text", part]
                    for part in message.parts
                ],
            ]
            for message in self.messages
        ]
        if self.options:
            content.append(["options", list(self.options)])
        return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


#: No model takes or gives more; a larger count of a server is wrong.
MAX_TOKENS = 10**9
#: ``finish_reason`` where the backend does not say why the answer ended.
UNKNOWN = UNSTATED


@dataclass(frozen=True)
class Reply:
    """A model's answer as received. Empty, truncated and refused answers are answers too.

    Attributes:
        number: The request's.
        text: The answer.
        finish_reason: Why it ended, in the backend's words.
        repeat: Which of the request's repeats it is.
        prompt_tokens: None if nobody counts them, as for the next.
        completion_tokens: Tokens of the answer.
        latency_seconds: From request to answer; None if that was not measured.
        revision: The exact version that answered (the commit of a checkpoint), where the backend learns it and the
            model's entry may not say it.
        reasoning: The model's reasoning before the answer, where the server sends it in a separate field.
        reasoning_tokens: Completion tokens that were reasoning; None if they are not counted separately.
        cached_tokens: Prompt tokens that the provider read from its cache; None if it does not say.
        cache_written_tokens: Prompt tokens that it wrote to its cache, where that has a separate price.
        scores: Log-probabilities, in the form of ``contract/scores.py``; None if none were asked for, or none came.
    """

    number: int
    text: str
    finish_reason: str = "stop"
    repeat: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_seconds: float | None = None
    revision: str | None = None
    reasoning: str | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    cache_written_tokens: int | None = None
    scores: Scores | None = None


def reply_columns(
    reply: Reply, entry: ModelEntry, settings: str, request_sha256: str
) -> dict[str, Any]:
    """Return the columns ``REPLY`` of a row: the reply, the model, the request's hash, and tokens and time.

    Args:
        reply: The reply.
        entry: The model's: ``backend``, ``model_id`` and ``revision``.
        settings: The entry's, as sorted JSON.
        request_sha256: Hash of what was asked.
    """
    named = entry.settings.get(ALSO_NAMED) or ()
    return {
        "text": reply.text,
        "finish_reason": reply.finish_reason,
        "backend": entry.backend,
        "model_id": entry.model_id,
        # The version that answered, where the entry names none or a branch.
        "revision": (None if reply.revision in named else reply.revision) or entry.revision,
        "settings": settings,
        "request_sha256": request_sha256,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "reasoning_tokens": reply.reasoning_tokens,
        "cached_tokens": reply.cached_tokens,
        "cache_written_tokens": reply.cache_written_tokens,
        "latency_seconds": reply.latency_seconds,
    }


@dataclass(frozen=True)
class Failure:
    """A request with at least one unanswered repeat. Graders never see failures."""

    number: int
    reason: str


@dataclass(frozen=True)
class LeftToOthers(Failure):
    """A request that another job has taken over; it has not failed, and this job waits for its answer."""


Answer = Callable[[Iterable[Request]], Iterator[Reply | Failure]]


# ---- wanted and existing answers ----

#: Number of a request to the repeats of it that are wanted.
Repeats = Mapping[int, tuple[int, ...]]
#: Number of a request, then of a repeat, to the answer.
Replies = dict[int, dict[int, Reply]]


def grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    """Return the repeats of each request, from pairs of both."""
    repeats: dict[int, tuple[int, ...]] = {}
    for number, repeat in pairs:
        repeats[number] = (*repeats.get(number, ()), repeat)
    return repeats


def without_answer(
    wanted: Mapping[int, Collection[int]], replies: Replies
) -> dict[int, tuple[int, ...]]:
    """Return the wanted repeats that have no answer yet."""
    return {
        number: missing
        for number, repeats in wanted.items()
        if (missing := tuple(repeat for repeat in repeats if repeat not in replies.get(number, {})))
    }


def tokens_of(replies: Replies) -> tuple[int, int, int, int]:
    """Return the counted tokens of prompts, of answers, and of prompts those read from and written to a cache."""
    # Requests with the same content share one answer, which was paid for once.
    given = {id(reply): reply for by_repeat in replies.values() for reply in by_repeat.values()}
    return (
        sum(reply.prompt_tokens or 0 for reply in given.values()),
        sum(reply.completion_tokens or 0 for reply in given.values()),
        sum(reply.cached_tokens or 0 for reply in given.values()),
        sum(reply.cache_written_tokens or 0 for reply in given.values()),
    )


# ---- storable replies ----
#
# Servers, checkpoints and old journals may contain anything.

#: Replaces a lone surrogate, which UTF-8 cannot encode.
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
_TEXTS = ("text", "finish_reason", "revision", "reasoning")
_COUNTS = (
    *("prompt_tokens", "completion_tokens", "reasoning_tokens"),
    *("cached_tokens", "cache_written_tokens"),
)


def storable(reply: Reply) -> tuple[Reply, str]:
    """Return a reply that can be stored, and a description of what was replaced; empty if nothing was.

    Lone surrogates become U+FFFD, one for one; impossible counts and malformed scores become unknown.

    Args:
        reply: As received, or as an earlier version stored it.
    """
    changes: dict[str, Any] = {}
    words = []
    for name in _TEXTS:
        text = vars(reply)[name]
        if text is None or text.isascii():
            continue
        whole, count = _HALF_CHARACTER.subn(REPLACEMENT, text)
        if count:
            changes[name] = whole
            words.append(f"{count} half characters in its {name} are now {REPLACEMENT}")
    for name in (*_COUNTS, "latency_seconds"):
        value = vars(reply)[name]
        if value is not None and not _is_measure(value, is_count=name in _COUNTS):
            changes[name] = None
            words.append(f"its {name} is no number that can be and now unknown")
    if reply.scores is not None and not is_sound(reply.scores):
        changes["scores"] = None
        words.append("its scores are none that can be and now unknown")
    return (replace(reply, **changes) if changes else reply), "; ".join(words)


def _is_measure(value: object, is_count: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, int if is_count else (int, float)):
        return False
    return 0 <= value <= MAX_TOKENS and math.isfinite(value)


# ---- exceptions of libraries ----
#
# An exception is the failure of one request only. A library may raise anything: panics of one written in Rust derive
# directly from BaseException. Only exceptions that end the job itself are raised again.

_ENDS_THE_JOB = (KeyboardInterrupt, SystemExit, GeneratorExit)
_LONGEST_TEXT = 200


def reason_of(error: BaseException, what: str) -> str:
    """Return in a line why a request got no answer; call it where the error was caught.

    Args:
        error: The exception.
        what: What could not be done.

    Raises:
        BaseException: The error, where it ends the job: an interrupt, an exit, the closing of a generator.
    """
    if isinstance(error, _ENDS_THE_JOB):
        raise error
    return str(error) if isinstance(error, AfterimageError) else f"{what} ({in_one_line(error)})"


def in_one_line(error: BaseException) -> str:
    """Return the first line of an error's message, shortened, with its type unless the message suffices."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kind = type(error).__name__
    if not lines:
        return kind
    text = lines[0] if type(error) in (ValueError, RuntimeError) else f"{kind}: {lines[0]}"
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."


def one_by_one(
    requests: Iterable[Request], reply: Callable[[Request], Reply]
) -> Iterator[Reply | Failure]:
    """Yield the reply to each request, or its failure where answering it raises; the first error of a kind is logged.

    Args:
        requests: Read one after the other.
        reply: Answers one of them.
    """
    known: set[type[BaseException]] = set()
    for request in requests:
        outcome: Reply | Failure
        try:
            outcome = reply(request)
        except BaseException as error:
            outcome = Failure(request.number, reason_of(error, "answering it failed"))
            if not isinstance(error, AfterimageError) and type(error) not in known:
                known.add(type(error))
                logger.exception("request %d: %s", request.number, outcome.reason)
        yield outcome
