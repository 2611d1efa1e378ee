"""Connections to the API, through the ``openai`` package: certificates verified, nothing repeated unasked."""

import logging
import os
from collections.abc import Mapping
from typing import Any

import httpx2
import openai

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.openai_compatible.address import shown_address, whole_path_in
from afterimage.models.openai_compatible.bounded import BoundingBatches, bounding
from afterimage.models.openai_compatible.options import ClientOptions

_OPENAI = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"
# The package insists on a key; servers of one's own do not look at it.
_NO_KEY = "none"
# A proxy that leads into the world does not lead to this machine.
_PAST_PROXIES = {f"all://{host}": None for host in ("127.0.0.1", "localhost", "[::1]")}


def key_variable(settings: Mapping[str, Any]) -> str | None:
    """Return the environment variable that holds the key, by a model's settings; None where no key is needed."""
    named: str | None = settings["api_key_env"]
    return named or (None if settings["base_url"] else _OPENAI_KEY)


def key_of(entry: ModelEntry) -> str | None:
    """Return the key that a model's entry names, or None where no key is needed.

    Raises:
        AfterimageError: The environment variable that should hold it does not.
    """
    variable = key_variable(entry.settings)
    if variable is None:
        return None
    # A line break from the file that the key was read from would end up in a header.
    key = os.environ.get(variable, "").strip()
    if not key:
        raise AfterimageError(
            f"model '{entry.name}': environment variable '{variable}' is not set; expected the API's key in it."
        )
    if not key.isascii() or not key.isprintable():
        raise AfterimageError(
            f"model '{entry.name}': environment variable '{variable}' holds characters that no key has."
        )
    return key


def require_address(entry: ModelEntry) -> None:
    """Refuse what looks like an address and is none.

    Raises:
        AfterimageError: The setting ``base_url`` is no address.
    """
    base_url = entry.settings["base_url"] or _OPENAI
    try:
        host = httpx2.URL(base_url).host
        reason = "" if host else "it names no server"
    except httpx2.InvalidURL as error:
        reason = str(error)
    if reason:
        raise AfterimageError(
            f"model '{entry.name}': setting 'base_url': found '{base_url}', which is no address ({reason})."
        )
    if end := whole_path_in(base_url):
        raise AfterimageError(
            f"model '{entry.name}': setting 'base_url': found '{shown_address(base_url)}'; expected it without "
            f"'{end}' (mostly an address that ends with /v1), since '/chat/completions' is added."
        )


def chat_address(base_url: str | None) -> str:
    """Return the whole address of chat completions."""
    return f"{(base_url or _OPENAI).rstrip('/')}/chat/completions"


def connected(base_url: str | None, key: str | None, options: ClientOptions) -> openai.AsyncOpenAI:
    """Return a client for many requests at once that never repeats one by itself."""
    _quiet()
    return openai.AsyncOpenAI(
        api_key=key or _NO_KEY,
        base_url=base_url or _OPENAI,
        max_retries=0,
        timeout=options.timeout_seconds,
        http_client=_http_client(base_url or _OPENAI, options),
    )


def connected_for_batches(
    base_url: str | None, key: str | None, options: ClientOptions
) -> openai.OpenAI:
    """Return a client for one request after the other that never repeats one by itself."""
    _quiet()
    return openai.OpenAI(
        api_key=key or _NO_KEY,
        base_url=base_url or _OPENAI,
        max_retries=0,
        timeout=options.timeout_seconds,
        http_client=openai.DefaultHttpxClient(
            mounts=_PAST_PROXIES,
            event_hooks={"response": [BoundingBatches(options.max_response_bytes)]},
        ),
    )


def _http_client(base_url: str, options: ClientOptions) -> httpx2.AsyncClient:
    try:
        from afterimage.models.openai_compatible.aiohttp_client import StraightClient
    except ImportError:
        # Without the package aiohttp: twice the work per request, and the same answers.
        limits = httpx2.Limits(max_connections=options.concurrency, keepalive_expiry=30)
        hooks = {"response": bounding(options.max_response_bytes)}
        return openai.DefaultAsyncHttpxClient(
            limits=limits, mounts=_PAST_PROXIES, event_hooks=hooks
        )
    return StraightClient(base_url, options.concurrency, options.max_response_bytes)


def _quiet() -> None:
    # They would write one line per request, and these are many.
    for name in ("httpx2", "openai"):
        logging.getLogger(name).setLevel(logging.WARNING)
