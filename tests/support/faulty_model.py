"""Asking a model whose server misbehaves: with and without a journal; answers that a test puts together."""

from loopback_api import LoopbackApi

from afterimage.contract.model import ModelEntry
from afterimage.models.asking import Asking
from afterimage.models.interface import Message, Request
from afterimage.models.openai_compatible import load
from afterimage.models.progress import Progress

SETTINGS = {
    "api_key_env": None,
    "temperature": 0,
    "top_p": None,
    "seed": None,
    "max_tokens": 50,
    "max_completion_tokens": None,
    "image_detail": None,
    "extra_body": {},
}


def whole(message, finish_reason, **others):
    """The body of a chat completion with this message."""
    return {"choices": [{"message": message, "finish_reason": finish_reason, **others}]}


def in_turn(*reactions):
    """React with these, in order, and with the last one from then on."""
    rest = list(reactions)
    return lambda call: rest.pop(0) if len(rest) > 1 else rest[0]


def request(number):
    return Request(number, (Message("user", (f"Question {number}",)),))


def entry(url, settings=None, **client):
    return ModelEntry(
        "hosted",
        "openai_compatible",
        "some-model",
        settings={**SETTINGS, "base_url": url, **(settings or {})},
        client=client,
    )


def ask(react, count=1, settings=None, **client):
    """Ask so many questions; return the server and the outcomes in the order of the questions."""
    with LoopbackApi(react) as api:
        outcomes = list(load(entry(api.url, settings, **client))(map(request, range(count))))
    return api, sorted(outcomes, key=lambda outcome: outcome.number)


def journal_of(folder):
    """Return the folder of the model's journal."""
    return folder / "journal" / "hosted"


def asked(react, folder, count=1, port=0, settings=None, **client):
    """Ask so many questions through the journal in ``folder``; return what was asked, and the server.

    Args:
        port: The server's; it is part of who answers, so a second asking takes the first one's.
    """
    numbers = range(count)
    with (
        LoopbackApi(react, port=port) as api,
        Asking(entry(api.url, settings, **client), None, folder / "journal", Progress()) as asking,
    ):
        asking.ask(
            {number: request(number).sha256 for number in numbers},
            dict.fromkeys(numbers, (0,)),
            lambda missing: map(request, missing),
        )
    return asking, api
