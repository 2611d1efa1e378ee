"""Chat completions, as they come back, to replies."""

import json
from collections.abc import Mapping
from typing import Any

from afterimage.files.json_text import parsed_json
from afterimage.models.interface import MOST_TOKENS, UNKNOWN, Reply, finish_said, is_no_answer
from afterimage.models.openai_compatible.options import Tokens

#: ``finish_reason`` of an answer that a provider's filter held back; OpenAI's word for it.
WITHHELD = "content_filter"
# What providers call a filter in place of an answer: OpenAI and Azure, DashScope.
_FILTERS = (
    *("content_filter", "content_policy_violation", "moderation_blocked"),
    *("responsibleaipolicyviolation", "data_inspection_failed", "datainspectionfailed"),
)
_LONGEST_NAME = 300
# How the words begin that stand in place of a finish_reason where there is no text; no server can say them.
_OWN_WORDS = ("failed", "recorded_", "not_recorded")


class NoAnswerError(ValueError):
    """A response of status 200 that holds an error in place of an answer; the message shows it.

    Attributes:
        code: The error's code, which may be an HTTP status; None where there is none.
    """

    def __init__(self, said: str, code: object = None) -> None:
        """Take the error's words and its code."""
        super().__init__(said)
        self.code = code


def completion_in(body: bytes) -> Any:
    """Return the value of a response's JSON; bytes that are no UTF-8, such as half a character, become U+FFFD.

    Raises:
        ValueError: It is none.
    """
    try:
        return parsed_json(body)
    except UnicodeDecodeError:
        return parsed_json(body.decode(errors="replace"))


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
        NoAnswerError: It is an error, or a model's wish to call a tool, whatever status it came with.
        ValueError: It is no chat completion; the message shows what it is.
    """
    try:
        if error := completion.get("error") or completion["choices"][0].get("error"):
            return _held_back(number, repeat, error)
        choice = completion["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
        if isinstance(content, list):
            content = "".join(part.get("text") or "" for part in content if _is_text(part))
        if not isinstance(content, str | None):
            raise TypeError
        text = "".join([content or refusal or ""])
        # vLLM and DeepSeek say reasoning_content, Ollama and OpenRouter reasoning; kept, never graded.
        thought = message.get("reasoning_content") or message.get("reasoning")
    except (TypeError, KeyError, IndexError, AttributeError):
        raise ValueError(f"no message in {as_text(completion)}") from None
    finish_reason = (
        "refusal" if refusal and isinstance(refusal, str) else _finish(choice.get("finish_reason"))
    )
    if is_no_answer(text, finish_reason):
        raise NoAnswerError(f"no text and finish_reason {finish_reason}: {as_text(choice)}")
    usage = completion.get("usage")
    return Reply(
        number,
        text,
        finish_reason,
        repeat,
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
        latency_seconds=latency_seconds,
        revision=_version(completion, model_id),
        reasoning=thought if isinstance(thought, str) else None,
        reasoning_tokens=_reasoning_tokens(usage, thought),
    )


def withheld(number: int, repeat: int, error: object) -> Reply | None:
    """Return the answer that a provider's filter held back; None for any other error.

    Args:
        number: The request's.
        repeat: Which of its repeats.
        error: What stands under ``error`` in a response.
    """
    if not isinstance(error, Mapping):
        return None
    inner = error.get("innererror")
    named = [error.get("code"), error.get("type")]
    named += [inner.get("code")] if isinstance(inner, Mapping) else []
    is_filtered = any(isinstance(name, str) and name.lower() in _FILTERS for name in named)
    return Reply(number, "", WITHHELD, repeat) if is_filtered else None


def used_tokens(reply: Reply, estimate: Tokens) -> Tokens:
    """Return what an answer took; of a server that counts nothing, the worst is assumed."""
    counted = (reply.prompt_tokens, reply.completion_tokens)
    return Tokens(
        *(bound if count is None else count for count, bound in zip(counted, estimate, strict=True))
    )


def _is_text(part: Mapping[str, Any]) -> bool:
    # Others, such as a part of type "reasoning", are thoughts.
    return part.get("type") in (None, "text", "output_text")


def _held_back(number: int, repeat: int, error: object) -> Reply:
    if reply := withheld(number, repeat, error):
        return reply
    told = error if isinstance(error, Mapping) else {}
    raise NoAnswerError(as_text(told.get("message") or error), told.get("code"))


def as_text(value: object) -> str:
    """Return what stands somewhere in a response in words: texts as they are, all else as JSON, not too long."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)[:200]
    except RecursionError:
        return "JSON that is nested too deeply"


def _count(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, Mapping) else None
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MOST_TOKENS else None


def _name(value: object) -> str | None:
    return value[:_LONGEST_NAME] if isinstance(value, str) and value else None


def _finish(value: object) -> str:
    name = _name(value)
    return UNKNOWN if name is None else finish_said(name)


def _reasoning_tokens(usage: object, thought: object) -> int | None:
    """Return how many tokens were reasoning (OpenAI, DeepSeek, OpenRouter, vLLM); None where that is not counted."""
    details = usage.get("completion_tokens_details") if isinstance(usage, Mapping) else None
    count = _count(details, "reasoning_tokens")
    # A server without a parser of reasoning has 0 there, whatever it sends.
    return None if count == 0 and thought else count


def _version(completion: Mapping[str, Any], model_id: str) -> str | None:
    name = _name(completion.get("model"))
    return None if name == model_id else name
