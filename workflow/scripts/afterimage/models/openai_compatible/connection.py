"""Connections to the API, through the ``openai`` package: certificates verified, nothing repeated unasked."""

import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from afterimage.contract.model import ModelEntry
from afterimage.errors import fault, model_entry
from afterimage.models.openai_compatible.bounded import BoundingBatches, bounding
from afterimage.models.openai_compatible.options import ClientOptions

_OPENAI = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"
# The package requires a key; the user's own servers ignore it.
_NO_KEY = "none"
# How variables begin from which the package takes an account, headers and keys, whatever the address.
_OPENAI_VARIABLES = "OPENAI_"
#: A running server accepts a connection within this time, also from another continent and with TLS.
CONNECT_SECONDS = 10.0
# A connection carries one request. On a reused connection, an unsolicited response (a second copy, a late one) would be
# taken for the answer to the next request, since HTTP/1.1 cannot distinguish them.
_ONCE: dict[str, Any] = {
    "headers": {"Connection": "close"},
    # Another address must get neither the key nor the request.
    "follow_redirects": False,
    # Proxies for the internet do not reach this machine.
    "mounts": {f"all://{host}": None for host in ("127.0.0.1", "localhost", "[::1]")},
}


def key_variable(settings: Mapping[str, Any]) -> str | None:
    """Return the environment variable that holds the key, by a model's settings; None if no key is needed."""
    named: str | None = settings["api_key_env"]
    return named or (None if settings["base_url"] else _OPENAI_KEY)


def key_of(entry: ModelEntry) -> str | None:
    """Return the key that a model's entry names, or None if no key is needed.

    Raises:
        AfterimageError: The environment variable that should hold it does not.
    """
    variable = key_variable(entry.settings)
    if variable is None:
        return None
    # A line break from the file that the key was read from would end up in a header.
    key = os.environ.get(variable, "").strip()
    if not key:
        raise fault(
            model_entry(entry.name),
            f"environment variable '{variable}' is not set; expected the API's key in it.",
        )
    if not key.isascii() or not key.isprintable():
        raise fault(
            model_entry(entry.name),
            f"environment variable '{variable}' holds characters that no key has.",
        )
    return key


def require_address(entry: ModelEntry) -> None:
    """Refuse an invalid address.

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
        raise fault(
            model_entry(entry.name),
            f"setting 'base_url': found '{base_url}', which is no address ({reason}).",
        )
    if end := whole_path_in(base_url):
        raise fault(
            model_entry(entry.name),
            f"setting 'base_url': found '{shown_address(base_url)}'; expected it without "
            f"'{end}' (mostly an address that ends with /v1), since '/chat/completions' is added.",
        )


def chat_address(base_url: str | None) -> str:
    return f"{(base_url or _OPENAI).rstrip('/')}/chat/completions"


def connected(base_url: str | None, key: str | None, options: ClientOptions) -> openai.AsyncOpenAI:
    """Return a client for many requests at once that never repeats one by itself."""
    _quiet()
    http_client = openai.DefaultAsyncHttpxClient(
        **_ONCE,
        limits=_limits(options.concurrency),
        event_hooks={"response": bounding(options.max_response_bytes)},
    )
    with _isolated_environment(base_url, options):
        return openai.AsyncOpenAI(**_common(base_url, key, options), http_client=http_client)


def connected_for_batches(
    base_url: str | None, key: str | None, options: ClientOptions
) -> openai.OpenAI:
    """Return a client for one request after the other that never repeats one by itself."""
    _quiet()
    http_client = openai.DefaultHttpxClient(
        **_ONCE,
        limits=_limits(1),
        event_hooks={
            "response": [BoundingBatches(options.max_response_bytes, options.timeout_seconds)]
        },
    )
    with _isolated_environment(base_url, options):
        return openai.OpenAI(**_common(base_url, key, options), http_client=http_client)


def _common(base_url: str | None, key: str | None, options: ClientOptions) -> dict[str, Any]:
    return {
        "api_key": key or _NO_KEY,
        "base_url": base_url or _OPENAI,
        "max_retries": 0,
        "timeout": timeout_of(options.timeout_seconds),
    }


def timeout_of(seconds: float) -> httpx2.Timeout:
    """Return the timeout of an attempt; connecting has a shorter one, for hosts that drop packets."""
    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def _limits(connections: int) -> httpx2.Limits:
    return httpx2.Limits(max_connections=connections, max_keepalive_connections=0)


def _is_openai(base_url: str | None) -> bool:
    """Tell whether an address is OpenAI's or that of one of its regions, with the same scheme and port."""
    openai_url, url = httpx2.URL(_OPENAI), httpx2.URL(base_url or _OPENAI)
    is_host = url.host == openai_url.host or url.host.endswith(f".{openai_url.host}")
    return is_host and (url.scheme, url.port) == (openai_url.scheme, openai_url.port)


@contextmanager
def _isolated_environment(base_url: str | None, options: ClientOptions) -> Iterator[None]:
    """Hide OpenAI's variables from a client of another address, which reads them when it is created."""
    is_theirs = options.openai_variables or _is_openai(base_url)
    hidden = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_OPENAI_VARIABLES) and not is_theirs
    }
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


def _quiet() -> None:
    # They would log a line for each of many requests.
    for name in ("httpx2", "openai"):
        logging.getLogger(name).setLevel(logging.WARNING)


# ---- the address, in words ----
#
# The requested address, and likely mistakes in ``base_url``.

# Paths below base_url.
_BELOW = re.compile(r"/(chat/completions|files|batches)(/.*)?$")
_SECRET = re.compile(r"(?<=//)[^/?#]*@|[?#].*$", re.DOTALL)
_VERSION = re.compile(r"/v[0-9]+[a-z0-9]*(?=/|$)", re.IGNORECASE)
_WHOLE = re.compile(r"/(chat/completions|completions|responses|messages|api/chat|api/generate)$")
# Ollama's own API, next to its OpenAI-compatible one.
_OLLAMA_API = re.compile(r"/api$")


def shown_address(url: object) -> str:
    """Return an address without its possible secrets: user, password and query."""
    return _SECRET.sub("", str(url))


def base_of(url: object) -> str:
    """Return the ``base_url`` of an address."""
    return _BELOW.sub("", shown_address(url))


def whole_path_in(base_url: str) -> str | None:
    """Return the end of a ``base_url`` that already names an endpoint; None if there is none."""
    found = _WHOLE.search(urlsplit(base_url).path.rstrip("/"))
    return found[0] if found else None


def advice(url: object) -> str:
    """Return what may be wrong with the ``base_url`` of an address at which no API answers."""
    base = base_of(url).rstrip("/")
    versions = _VERSION.findall(urlsplit(base).path)
    if end := whole_path_in(base):
        return f"base_url '{base}' ends with '{end}'; expected it without, since that is added"
    if not versions:
        better = f"{_OLLAMA_API.sub('', base)}/v1"
        return (
            f"'/v1' is missing in base_url '{base}'; expected '{better}' or what the provider names"
        )
    if len(versions) > 1:
        return (
            f"base_url '{base}' names a version twice ({' and '.join(versions)}); expected it once"
        )
    return f"expected in base_url the address below which the API has /chat/completions, found '{base}'"


def other_scheme(url: object) -> str:
    """Return that a server does not speak the protocol of ``base_url``."""
    base = base_of(url)
    scheme, rest = base.split(":", 1)
    other = "https" if scheme == "http" else "http"
    return f"the server does not speak {scheme} there; expected base_url '{other}:{rest}'"
