"""Requests as chat completions, their largest numbers of tokens, and the lines of a batch's files."""

import json
import math
import struct
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from afterimage.contract.scores import FIRST_TOKEN, MAX_ALTERNATIVES, SETTING
from afterimage.models.interface import Image, Message, Reply, Request
from afterimage.models.openai_compatible.options import Tokens
from afterimage.models.openai_compatible.replies import NoAnswerError, as_text, reply_of, withheld

_SENT_IF_SET = (
    *("temperature", "top_p", "seed", "max_tokens", "max_completion_tokens"),
    "chat_template_kwargs",
)
_SCORED = {"logprobs": True, "top_logprobs": MAX_ALTERNATIVES}
# Upper bounds over the providers' own rules: English has about four bytes per token, Japanese about three; GPT-4o
# takes 170 tokens per 512 x 512 pixels and 85 for the image, Claude and Qwen-VL one per 750 and 784 pixels.
_BYTES_PER_TOKEN = 2
_PIXELS_PER_TOKEN = 500
_TOKENS_PER_IMAGE = 300
_TOKENS_PER_MESSAGE = 20
_encoded = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def chat_body(
    model_id: str, messages: Iterable[Message], settings: Mapping[str, Any], repeat: int = 0
) -> dict[str, Any]:
    """Return the body of a request; images are the PNG's own bytes, as a data URL.

    Args:
        model_id: The model's name for the API.
        settings: The backend's settings; those that are None are not sent, ``extra_body`` is merged last.
        repeat: Which of the request's repeats this is; a seed is raised by it, so that each has its own.
    """
    sampling = {name: settings[name] for name in _SENT_IF_SET if settings.get(name) is not None}
    if "seed" in sampling:
        sampling["seed"] += repeat
    return {
        "model": model_id,
        "messages": [_turn(message, settings["image_detail"]) for message in messages],
        **sampling,
        **(_SCORED if settings.get(SETTING) == FIRST_TOKEN else {}),
        **settings["extra_body"],
    }


def chat_json(model_id: str, request: Request, settings: Mapping[str, Any], repeat: int) -> bytes:
    """Return the body of one repeat of a request as it is sent."""
    return sent_json(chat_body(model_id, request.messages, settings, repeat))


def sent_json(body: Mapping[str, Any]) -> bytes:
    """Return a body as JSON bytes."""
    return _encoded(body).encode("ascii")


def estimated_tokens(messages: Iterable[Message], settings: Mapping[str, Any]) -> Tokens:
    """Return an upper bound of a request's tokens, estimated before it is sent."""
    prompt = sum(
        _TOKENS_PER_MESSAGE + sum(map(_part_tokens, message.parts)) for message in messages
    )
    bounds = (settings["max_tokens"], settings["max_completion_tokens"])
    return Tokens(prompt, max((bound for bound in bounds if bound is not None), default=0))


def _turn(message: Message, detail: str | None) -> dict[str, Any]:
    if len(message.parts) == 1 and isinstance(message.parts[0], str):
        # Not every server takes a list of parts from the system or the assistant.
        return {"role": message.role, "content": message.parts[0]}
    return {"role": message.role, "content": [_part(part, detail) for part in message.parts]}


def _part(part: str | Image, detail: str | None) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    url = f"data:image/png;base64,{b64encode(part.png).decode('ascii')}"
    return {
        "type": "image_url",
        "image_url": {"url": url, **({} if detail is None else {"detail": detail})},
    }


def _part_tokens(part: str | Image) -> int:
    if isinstance(part, str):
        return math.ceil(len(part.encode()) / _BYTES_PER_TOKEN)
    # Width and height are at fixed offsets of every PNG.
    size: tuple[int, int] = struct.unpack_from(">II", part.png, 16)
    return _TOKENS_PER_IMAGE + math.ceil(size[0] * size[1] / _PIXELS_PER_TOKEN)


# ---- lines of a batch's files: requests and results ----

#: The endpoint of the requests.
ENDPOINT = "/v1/chat/completions"


def request_line(
    custom_id: str, model_id: str, request: Request, settings: Mapping[str, Any], repeat: int
) -> bytes:
    """Return the line that asks one repeat of a request."""
    return line_of(custom_id, chat_json(model_id, request, settings, repeat))


def line_of(custom_id: str, body: bytes) -> bytes:
    """Return the line of a request with this body."""
    return b'{"custom_id":"%b","method":"POST","url":"%b","body":%b}\n' % (
        custom_id.encode("ascii"),
        ENDPOINT.encode("ascii"),
        body,
    )


def outcome_of(
    result: Mapping[str, Any],
    number: int,
    repeat: int,
    model_id: str,
    settings: Mapping[str, Any] | None = None,
) -> Reply | str:
    """Return the answer in a line of results, or why there is none, in the API's words.

    Args:
        model_id: The requested model name.
        settings: The entry's, as for :func:`~afterimage.models.openai_compatible.replies.reply_of`.
    """
    response, error = result.get("response"), result.get("error")
    body = response.get("body") if isinstance(response, Mapping) else None
    status = response.get("status_code") if isinstance(response, Mapping) else None
    # Some servers write numbers as texts.
    if status in (200, "200") and not error:
        try:
            return reply_of(number, repeat, body, model_id, settings=settings)
        except NoAnswerError as fault:
            return f"an error in place of an answer: {fault}"
        except ValueError as fault:
            return f"malformed response ({fault})"
    if not error and isinstance(body, Mapping):
        error = body.get("error")
    if held_back := withheld(number, repeat, error):
        return held_back
    message = error.get("message") or error.get("code") if isinstance(error, Mapping) else error
    words = as_text(message or body)
    return f"HTTP status {status}: {words}" if status else f"{words}"
