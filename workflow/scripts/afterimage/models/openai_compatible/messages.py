"""Requests in the form of chat completions, and how many tokens they may take."""

import math
import struct
from base64 import b64encode
from collections.abc import Iterable, Mapping

from afterimage.models.interface import Image, Message
from afterimage.models.openai_compatible.options import Tokens

_SENT_IF_SET = ("temperature", "top_p", "seed", "max_tokens", "max_completion_tokens")
# Upper bounds over the providers' own rules: English has about four characters per token; GPT-4o takes 170 tokens
# per 512 x 512 pixels and 85 for the image, Claude and Qwen-VL one per 750 and 784 pixels.
_CHARACTERS_PER_TOKEN = 2
_PIXELS_PER_TOKEN = 500
_TOKENS_PER_IMAGE = 300
_TOKENS_PER_MESSAGE = 20


def chat_body(model_id: str, messages: Iterable[Message], settings: Mapping) -> dict:
    """Return the JSON body of a request; images are the PNG's own bytes, as a data URL.

    Args:
        model_id: The model's name for the API.
        messages: The conversation.
        settings: The backend's settings; those that are None are not sent, ``extra_body`` is merged last.
    """
    sampling = {name: settings[name] for name in _SENT_IF_SET if settings[name] is not None}
    return {
        "model": model_id,
        "messages": [_turn(message, settings["image_detail"]) for message in messages],
        **sampling,
        **settings["extra_body"],
    }


def estimated_tokens(messages: Iterable[Message], settings: Mapping) -> Tokens:
    """Return how many tokens a request takes at most, as far as can be told before it is sent."""
    prompt = sum(
        _TOKENS_PER_MESSAGE + sum(map(_part_tokens, message.parts)) for message in messages
    )
    bounds = (settings["max_tokens"], settings["max_completion_tokens"])
    return Tokens(prompt, max((bound for bound in bounds if bound is not None), default=0))


def _turn(message: Message, detail: str | None) -> dict:
    if len(message.parts) == 1 and isinstance(message.parts[0], str):
        # Not every server takes a list of parts from the system or the assistant.
        return {"role": message.role, "content": message.parts[0]}
    return {"role": message.role, "content": [_part(part, detail) for part in message.parts]}


def _part(part: str | Image, detail: str | None) -> dict:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    url = f"data:image/png;base64,{b64encode(part.png).decode('ascii')}"
    return {
        "type": "image_url",
        "image_url": {"url": url, **({} if detail is None else {"detail": detail})},
    }


def _part_tokens(part: str | Image) -> int:
    if isinstance(part, str):
        return math.ceil(len(part) / _CHARACTERS_PER_TOKEN)
    # Width and height stand at fixed places of every PNG.
    width, height = struct.unpack_from(">II", part.png, 16)
    return _TOKENS_PER_IMAGE + math.ceil(width * height / _PIXELS_PER_TOKEN)
