"""Converts received chat completions to replies."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from afterimage.contract.readings import (
    FILTERED,
    REFUSAL,
    UNSTATED,
    Ending,
    ending_of,
    is_filter,
    is_no_answer,
    known_finish_reason,
)
from afterimage.contract.scores import FIRST_TOKEN, SETTING, Scores
from afterimage.files.json_files import parsed_json, parsed_rows
from afterimage.grading.reasoning import SETTING as REASONING
from afterimage.models.first_tokens import first_tokens
from afterimage.models.interface import MAX_TOKENS, Reply
from afterimage.models.openai_compatible.options import Tokens

_LONGEST_NAME = 300
_TEXT_PARTS = (None, "text", "output_text")


class NoAnswerError(ValueError):
    """A response of status 200 with an error instead of an answer; the message shows it.

    Attributes:
        code: The error's code, which may be an HTTP status; None if there is none.
    """

    def __init__(self, message: str, code: object = None) -> None:
        super().__init__(message)
        self.code = code


def completion_in(body: bytes) -> Any:
    """Return the value of a response's JSON; bytes that are no valid UTF-8 become U+FFFD.

    Raises:
        OtherFormError: It is something else, such as a stream or a page.
        ValueError: It is no JSON, or has a repeated key with different values.
    """
    try:
        try:
            return parsed_rows(body)
        except UnicodeDecodeError:
            return parsed_rows(body.decode(errors="replace"))
    except ValueError:
        if form := form_of_text(body):
            raise OtherFormError(f"found {form}; expected a chat completion") from None
        raise


def reply_of(
    number: int,
    repeat: int,
    completion: Any,
    model_id: str,
    latency_seconds: float | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Reply:
    """Return the answer in a chat completion; empty, refused and truncated ones are answers too.

    Args:
        model_id: The requested model name; another one in the body is the version that answered.
        latency_seconds: From request to answer; None if it was not measured.
        settings: The entry's: whether ``scores`` are requested, and how to separate ``reasoning`` from the answer.

    Raises:
        NoAnswerError: It is an error, a tool call, or empty, with any status.
        OtherFormError: It is another API's reply.
        ValueError: It is no chat completion; the message shows it.
    """
    if not isinstance(completion, Mapping):
        raise _no_message(completion)
    choice = _first_choice(completion)
    if error := completion.get("error") or choice.get("error"):
        return _held_back(number, repeat, error)
    text, finish_reason, thought = _content_of(completion, choice)
    usage = completion.get("usage")
    prompt_tokens, completion_tokens = (
        _count(usage, name) for name in ("prompt_tokens", "completion_tokens")
    )
    cached, written = _cache_counts(usage, prompt_tokens)
    # Zero tokens mean that nothing was generated; without counts, text and finish_reason decide.
    took_nothing = not prompt_tokens and not completion_tokens
    if is_no_answer(text, finish_reason, thought, took_nothing):
        what = "broken off" if text else "no text"
        raise NoAnswerError(f"{what} and finish_reason {finish_reason}: {as_text(choice)}")
    return Reply(
        number,
        text,
        finish_reason,
        repeat,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        latency_seconds=latency_seconds,
        revision=_version(completion, model_id),
        reasoning=thought,
        reasoning_tokens=_reasoning_tokens(usage, thought),
        cached_tokens=cached,
        cache_written_tokens=written,
        scores=_scores(choice, text, settings or {}),
    )


def _scores(choice: Mapping[str, Any], text: str, settings: Mapping[str, Any]) -> Scores | None:
    if settings.get(SETTING) != FIRST_TOKEN:
        return None
    given = choice.get("logprobs")
    content = given.get("content") if isinstance(given, Mapping) else None
    return first_tokens(content, text, settings.get(REASONING))


def _no_message(completion: object) -> ValueError:
    if form := form_of(completion):
        return OtherFormError(f"found {form}; expected a chat completion: {as_text(completion)}")
    return ValueError(f"no message in {as_text(completion)}")


def _first_choice(completion: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the only choice; empty if there is none, as when a filter blocked the prompt.

    Raises:
        ValueError: There are several, though one was requested: it is unknown which is the answer.
    """
    choices = completion.get("choices")
    if isinstance(choices, list) and len(choices) > 1:
        raise ValueError(f"{len(choices)} choices in {as_text(completion)}; expected one")
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, Mapping) else {}


def _content_of(
    completion: Mapping[str, Any], choice: Mapping[str, Any]
) -> tuple[str, str, str | None]:
    """Return the text of a choice, its finish reason, and its reasoning."""
    message = choice.get("message")
    finish_reason = _finish_reason(completion, choice)
    if not isinstance(message, Mapping):
        held_back = _filter_of(completion, choice)
        if ending_of(finish_reason) not in (Ending.WITHHELD, Ending.CUT_OFF):
            finish_reason = held_back or ""
        if message is not None or not finish_reason:
            raise _no_message(completion)
        refusal = completion.get("refusal")
        return refusal if isinstance(refusal, str) else "", finish_reason, None
    refusal = message.get("refusal")
    text = _text_in(message.get("content"), completion) or _text_in(refusal or None, completion)
    # vLLM and DeepSeek send reasoning_content, Ollama and OpenRouter reasoning; stored, never graded.
    thought = message.get("reasoning_content") or message.get("reasoning")
    if refusal and isinstance(refusal, str):
        finish_reason = REFUSAL
    elif not text and ending_of(finish_reason) in (Ending.FINISHED, Ending.UNSTATED):
        finish_reason = _filter_of(completion, choice) or finish_reason
    return text, finish_reason, thought if isinstance(thought, str) else None


def _text_in(content: object, completion: object) -> str:
    if isinstance(content, list):
        if not all(isinstance(part, Mapping) for part in content):
            raise _no_message(completion)
        # Other parts, such as those of type "reasoning", are not part of the answer.
        texts = [part.get("text") or "" for part in content if part.get("type") in _TEXT_PARTS]
        content = "".join(texts) if all(isinstance(text, str) for text in texts) else 0
    if not isinstance(content, str | None):
        raise _no_message(completion)
    return content or ""


def _finish_reason(completion: Mapping[str, Any], choice: Mapping[str, Any]) -> str:
    """Return why an answer ended: the choice's finish reason, or another field that is worse or more specific."""
    details = completion.get("incomplete_details")
    other_reasons = (
        # OpenRouter; Gemini and Bedrock behind gateways; OpenAI's Responses.
        *(choice.get(name) for name in ("native_finish_reason", "finishReason", "stopReason")),
        details.get("reason") if isinstance(details, Mapping) else None,
    )
    word = _finish(choice.get("finish_reason"))
    for other in filter(None, map(_name, other_reasons)):
        if ending_of(word) is Ending.UNSTATED or (
            ending_of(word) in (Ending.FINISHED, Ending.UNKNOWN)
            and ending_of(other) in (Ending.CUT_OFF, Ending.WITHHELD, Ending.BROKEN)
        ):
            word = _finish(other)
    return word


def _filter_of(completion: Mapping[str, Any], choice: Mapping[str, Any]) -> str | None:
    """Return a filter's reason for blocking the prompt or the answer, from fields outside the message."""
    for name in ("promptFeedback", "prompt_feedback"):
        feedback = completion.get(name)
        if isinstance(feedback, Mapping):
            word = _name(feedback.get("blockReason") or feedback.get("block_reason"))
            if word:
                return word if ending_of(word) is Ending.WITHHELD else FILTERED
    if isinstance(completion.get("refusal"), str) and completion["refusal"]:
        return REFUSAL
    results = (
        *(completion.get(name) for name in ("prompt_filter_results", "prompt_annotations")),
        *(each.get("content_filter_results") for each in (completion, choice)),
    )
    return FILTERED if any(map(_filtered_in, results)) else None


def _filtered_in(results: object, depth: int = 4) -> bool:
    """Tell whether one of Azure's filter results has blocked something."""
    if depth == 0:
        return False
    if isinstance(results, Mapping):
        if results.get("filtered") is True:
            return True
        results = list(results.values())
    return isinstance(results, list) and any(_filtered_in(each, depth - 1) for each in results)


def withheld(number: int, repeat: int, error: object) -> Reply | None:
    """Return the reply for an answer that a provider's filter blocked; None for any other error.

    Args:
        error: The value of ``error`` in a response.
    """
    if not isinstance(error, Mapping):
        return None
    inner = error.get("innererror")
    named = [error.get("code"), error.get("type")]
    named += [inner.get("code")] if isinstance(inner, Mapping) else []
    return Reply(number, "", FILTERED, repeat) if any(map(is_filter, named)) else None


def used_tokens(reply: Reply, estimate: Tokens) -> Tokens:
    """Return the tokens of an answer; without counts, the estimate, which is an upper bound."""
    counted = (reply.prompt_tokens, reply.completion_tokens)
    bounds = (estimate.prompt, estimate.completion)
    prompt, completion = (
        bound if count is None else count for count, bound in zip(counted, bounds, strict=True)
    )
    return Tokens(prompt, completion, reply.cached_tokens or 0, reply.cache_written_tokens or 0)


def _held_back(number: int, repeat: int, error: object) -> Reply:
    if reply := withheld(number, repeat, error):
        return reply
    details = error if isinstance(error, Mapping) else {}
    raise NoAnswerError(as_text(details.get("message") or error), details.get("code"))


def as_text(value: object) -> str:
    """Return a value of a response as text: texts unchanged, anything else as shortened JSON."""
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
    return value if 0 <= value <= MAX_TOKENS else None


def _name(value: object) -> str | None:
    return value[:_LONGEST_NAME] if isinstance(value, str) and value else None


def _finish(value: object) -> str:
    name = _name(value)
    if name is None or ending_of(name) is Ending.BROKEN:
        # A provider's "failed" is no answer, and never written down.
        return name or UNSTATED
    return known_finish_reason(name)


def _reasoning_tokens(usage: object, thought: object) -> int | None:
    """Return the number of reasoning tokens (OpenAI, DeepSeek, OpenRouter, vLLM); None if it is not counted."""
    details = usage.get("completion_tokens_details") if isinstance(usage, Mapping) else None
    count = _count(details, "reasoning_tokens")
    # A server without a reasoning parser always reports 0.
    return None if count == 0 and thought else count


def _cache_counts(usage: object, prompt: int | None) -> tuple[int | None, int | None]:
    """Return the prompt tokens read from the provider's cache, and those written to it; None if unknown."""
    details = usage.get("prompt_tokens_details") if isinstance(usage, Mapping) else None
    # DeepSeek reports it next to the other counts.
    read = _count(details, "cached_tokens") or _count(usage, "prompt_cache_hit_tokens")
    written = _count(details, "cache_creation_tokens")
    # Zero counts are not stored, and counts that exceed the prompt are not trusted.
    if not (read or written) or prompt is None or (read or 0) + (written or 0) > prompt:
        return None, None
    return read or None, written or None


def _version(completion: Mapping[str, Any], model_id: str) -> str | None:
    name = _name(completion.get("model"))
    return None if name == model_id else name


# ---- other responses: a stream, a page, another API's reply ----

# Lines that begin with a colon are comments. Each possessive: a server may send what would be tried in countless ways.
_EVENTS = re.compile(rb"\s*+(?::[^\n]*+\s++)*+(?:data|event|id|retry)[ \t]*+:")
_PAGE = re.compile(rb"<\s*(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_TITLE = re.compile(rb"<\s*+title[^>]{0,200}+>\s*+([^<]{1,80})", re.IGNORECASE)
# The beginning of a page suffices to recognise it.
_LOOKED_AT_BYTES = 4096


class OtherFormError(ValueError):
    """A response in another form than a chat completion, as from a wrong address; the message names the form."""


def form_of_text(body: bytes) -> str | None:
    """Return the kind of a body that is no JSON; None if it is unknown."""
    start = body[:_LOOKED_AT_BYTES]
    if _EVENTS.match(start):
        return "an event stream, as servers send it with 'stream: true'"
    if _PAGE.search(start):
        title = _TITLE.search(start)
        named = f" titled '{title[1].strip().decode(errors='replace')}'" if title else ""
        return f"a web page (HTML){named}"
    if start.lstrip().startswith(b"<?xml"):
        return "XML"
    lines = [line for line in start.splitlines() if line.strip()]
    if len(lines) > 1 and all(map(_is_object, lines[:2])):
        return "a stream of JSON objects, one a line"
    return None


def form_of(value: Any) -> str | None:
    """Return the kind of JSON that is no chat completion; None if it is unknown."""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, Mapping):
        return None
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if isinstance(choice, Mapping) and "message" not in choice:
        if "delta" in choice:
            return "a piece of a stream (chat.completion.chunk)"
        return "a reply of the older completions API" if "text" in choice else None
    return next((name for name, is_it in _FORMS if choices is None and is_it(value)), None)


_FORMS: tuple[tuple[str, Callable[[Mapping[str, Any]], bool]], ...] = (
    (
        "a reply of Anthropic's Messages API",
        lambda v: v.get("type") == "message" or "stop_reason" in v,
    ),
    ("a reply of Gemini's generateContent", lambda v: "candidates" in v),
    ("a reply of OpenAI's Responses API", lambda v: v.get("object") == "response"),
    ("a reply of Ollama's own API", lambda v: "done" in v and ("message" in v or "response" in v)),
    ("a reply of text-generation-inference's own API", lambda v: "generated_text" in v),
    ("a reply of DashScope's own API", lambda v: isinstance(v.get("output"), Mapping)),
    ("a reply of Cohere's own API", lambda v: "finish_reason" in v or "generations" in v),
    ("a list, as of models", lambda v: v.get("object") == "list"),
)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(parsed_json(line), Mapping)
    except ValueError:
        return False
