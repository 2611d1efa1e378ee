"""Chat completions, as they come back, to replies."""

import json
from collections.abc import Mapping
from typing import Any

from afterimage.models.interface import Reply
from afterimage.models.openai_compatible.options import Tokens


def reply_of(
    number: int,
    repeat: int,
    completion: Any,
    model_id: str,
    latency_seconds: float | None = None,
) -> Reply:
    """Return the answer in a chat completion; empty, refused and truncated ones are answers too.

    Args:
        number: The request's.
        repeat: Which of its repeats.
        completion: The parsed body.
        model_id: The name by which the model was asked; another one in the body is the version that answered.
        latency_seconds: From request to answer; None where nobody waited.

    Raises:
        ValueError: It is no chat completion; the message shows what it is.
    """
    try:
        choice = completion["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
        if isinstance(content, list):
            content = "".join(part.get("text") or "" for part in content)
        text = "".join([content or refusal or ""])
        usage = completion.get("usage") or {}
        counts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        finish_reason = choice.get("finish_reason") or "unknown"
        # vLLM and DeepSeek say reasoning_content, Ollama and OpenRouter reasoning; kept, never graded.
        thought = message.get("reasoning_content") or message.get("reasoning")
    except (TypeError, KeyError, IndexError, AttributeError):
        shown = json.dumps(completion, ensure_ascii=False)[:200]
        raise ValueError(f"no message in {shown}") from None
    return Reply(
        number,
        text,
        "refusal" if refusal else str(finish_reason),
        repeat,
        prompt_tokens=counts[0],
        completion_tokens=counts[1],
        latency_seconds=latency_seconds,
        revision=_version(completion, model_id),
        reasoning=thought if isinstance(thought, str) else None,
        reasoning_tokens=_reasoning_tokens(usage, thought),
    )


def used_tokens(reply: Reply, estimate: Tokens) -> Tokens:
    """Return what an answer took; of a server that counts nothing, the worst is assumed."""
    counted = (reply.prompt_tokens, reply.completion_tokens)
    return Tokens(
        *(bound if count is None else count for count, bound in zip(counted, estimate, strict=True))
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _reasoning_tokens(usage: Mapping[str, Any], thought: object) -> int | None:
    """Return how many tokens were reasoning (OpenAI, DeepSeek, OpenRouter, vLLM); None where that is not counted."""
    details = usage.get("completion_tokens_details")
    count = _count(details.get("reasoning_tokens")) if isinstance(details, Mapping) else None
    # A server without a parser of reasoning has 0 there, whatever it sends.
    return None if count == 0 and thought else count


def _version(completion: Mapping[str, Any], model_id: str) -> str | None:
    name = completion.get("model")
    return name if isinstance(name, str) and name and name != model_id else None
