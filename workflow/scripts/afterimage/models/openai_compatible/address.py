"""Where requests go, in words: the address that was asked, and what of ``base_url`` looks one step off."""

import re
from urllib.parse import urlsplit

# What is asked for below base_url.
_BELOW = re.compile(r"/(chat/completions|files|batches)(/.*)?$")
_SECRET = re.compile(r"(?<=//)[^/?#]*@|[?#].*$", re.DOTALL)
_VERSION = re.compile(r"/v[0-9]+[a-z0-9]*(?=/|$)", re.IGNORECASE)
_WHOLE = re.compile(r"/(chat/completions|completions|responses|messages|api/chat|api/generate)$")
# Ollama's own API, beside which stands the one of OpenAI's form.
_OWN_API = re.compile(r"/api$")


def shown_address(url: object) -> str:
    """Return an address without what may be secret in it: user, password and query."""
    return _SECRET.sub("", str(url))


def base_of(url: object) -> str:
    """Return the ``base_url`` below which an address lies."""
    return _BELOW.sub("", shown_address(url))


def whole_path_in(base_url: str) -> str | None:
    """Return the end of a ``base_url`` that names what is asked for and not what lies above it; None without one."""
    found = _WHOLE.search(urlsplit(base_url).path.rstrip("/"))
    return found[0] if found else None


def advice(url: object) -> str:
    """Say what may be wrong with the ``base_url`` of an address at which no API answers."""
    base = base_of(url).rstrip("/")
    versions = _VERSION.findall(urlsplit(base).path)
    if end := whole_path_in(base):
        return f"base_url '{base}' ends with '{end}'; expected it without, since that is added"
    if not versions:
        better = f"{_OWN_API.sub('', base)}/v1"
        return (
            f"'/v1' is missing in base_url '{base}'; expected '{better}' or what the provider names"
        )
    if len(versions) > 1:
        return (
            f"base_url '{base}' names a version twice ({' and '.join(versions)}); expected it once"
        )
    return f"expected in base_url the address below which the API has /chat/completions, found '{base}'"


def other_scheme(url: object) -> str:
    """Say that a server does not speak the protocol that ``base_url`` names."""
    base = base_of(url)
    scheme, rest = base.split(":", 1)
    other = "https" if scheme == "http" else "http"
    return f"the server does not speak {scheme} there; expected base_url '{other}:{rest}'"
