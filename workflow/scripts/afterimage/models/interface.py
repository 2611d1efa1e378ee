"""What passes between an inference job and a backend."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from afterimage.contract.finish_reasons import UNSTATED
from afterimage.contract.model import ALSO_NAMED, ModelEntry
from afterimage.contract.scores import Scores


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
        beside: What stands beside the request (item_id, stimulus_id, figure, question, options, factors), for reference
            responders that declare that they read it; None for every other backend.
        repeats: Which answers still have to be given, numbered from 0: ``(0,)`` for the only one, ``(2, 3, 4)`` where
            two of five are there already. Says nothing about the content, so it is not part of the hash.
        options: Texts whose log-probabilities as the answer are asked for; none where an answer is.
    """

    number: int
    messages: tuple[Message, ...]
    beside: Any = None
    repeats: tuple[int, ...] = (0,)
    options: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of the content: roles, texts and decoded pixels, in order, and options where they are asked for."""
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


#: No model takes or gives more; a server that counts more does not count.
MOST_TOKENS = 10**9
#: ``finish_reason`` of an answer of which the backend does not say why it ended.
UNKNOWN = UNSTATED


@dataclass(frozen=True)
class Reply:
    """A model's answer as received. Empty, truncated and refused answers are answers too.

    Attributes:
        number: The request's.
        text: The answer.
        finish_reason: Why it ended, in the backend's words.
        repeat: Which of the request's repeats it is.
        prompt_tokens: None where nobody counts, as for the next.
        completion_tokens: Tokens of the answer.
        latency_seconds: From request to answer; None where nobody waits.
        revision: The exact version that answered (the commit of a checkpoint), where the backend learns it and the
            model's entry may not say it.
        reasoning: What the model thought before it answered, where the server sends that in a field of its own.
        reasoning_tokens: Those of the completion tokens that were reasoning; None where nobody counts them apart.
        cached_tokens: Those of the prompt's tokens that the provider read from its cache; None where it says nothing of
            them.
        cache_written_tokens: Those that it wrote there, where that has a price of its own.
        scores: Log-probabilities, in the form of ``contract/scores.py``; None where none were asked for, or none came.
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
    """Return the columns ``REPLY`` of a row: the reply, who gave it, to what, and what it took.

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
        # The version that answered, where the entry does not name it or names one that moves.
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
    """A request of which at least one repeat got no answer. No grader ever sees one."""

    number: int
    reason: str


@dataclass(frozen=True)
class LeftToOthers(Failure):
    """A request that another job has taken over meanwhile; it has not failed, and is waited for."""


Answer = Callable[[Iterable[Request]], Iterator[Reply | Failure]]
