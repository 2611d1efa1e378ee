"""The lines of a batch's files: what is asked, and what became of it."""

from collections.abc import Mapping
from typing import Any

from afterimage.models.interface import Reply, Request
from afterimage.models.openai_compatible.messages import chat_json
from afterimage.models.openai_compatible.replies import NoAnswerError, as_text, reply_of, withheld

#: The API's address of what is asked for.
ENDPOINT = "/v1/chat/completions"


def request_line(
    custom_id: str, model_id: str, request: Request, settings: Mapping[str, Any], repeat: int
) -> bytes:
    """Return the line that asks one repeat of a request."""
    return line_of(custom_id, chat_json(model_id, request, settings, repeat))


def line_of(custom_id: str, body: bytes) -> bytes:
    """Return the line that asks for what a body asks."""
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
    """Return the answer in a line of results, or in the API's words why there is none.

    Args:
        result: The line.
        number: The request's.
        repeat: Which of its repeats.
        model_id: The name by which the model was asked.
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
    said = error.get("message") or error.get("code") if isinstance(error, Mapping) else error
    words = as_text(said or body)
    return f"HTTP status {status}: {words}" if status else f"{words}"
