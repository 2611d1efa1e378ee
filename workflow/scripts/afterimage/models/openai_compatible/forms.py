"""What a response is that is no chat completion: a stream, a page, another API's reply."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from afterimage.files.json_files import parsed_json

# Lines that begin with a colon are comments. Each possessive: a server may send what would be tried in countless ways.
_EVENTS = re.compile(rb"\s*+(?::[^\n]*+\s++)*+(?:data|event|id|retry)[ \t]*+:")
_PAGE = re.compile(rb"<\s*(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_TITLE = re.compile(rb"<\s*+title[^>]{0,200}+>\s*+([^<]{1,80})", re.IGNORECASE)
# A page says what it is at its beginning.
_LOOKED_AT_BYTES = 4096


class OtherFormError(ValueError):
    """A response in another form than a chat completion, as from a wrong address; the message names the form."""


def form_of_text(body: bytes) -> str | None:
    """Name what a body is that is no JSON; None where nothing is known of it."""
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
    """Name what JSON is that is no chat completion; None where nothing is known of it."""
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
