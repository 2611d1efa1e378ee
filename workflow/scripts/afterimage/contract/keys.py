"""No key, password or token stands in a configuration: what Snakemake reads it writes down, in logs and records.

Looked for wherever a value may stand, before anything else is done with it, and by its place alone: no message repeats
a value, or a name that looks like one.
"""

import re
from collections.abc import Mapping

from afterimage.errors import AfterimageError

# How a name ends that holds a secret; "apiKey" is read as "api_key".
_NAME = re.compile(
    r"(^|[_.\- ])((api|access|private|secret|subscription|account)[_-]?key|password|passwd|secret|credentials?"
    r"|authorization|cookie|bearer|(api|access|auth|bearer|session|refresh|id|hf)[_-]?token)$|^(token|auth)$",
    re.IGNORECASE,
)
# In a header of a request, any of these will do.
_HEADER = re.compile(r"(key|token|auth|secret|signature)$", re.IGNORECASE)
_HEADERS = re.compile(r"headers$", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_VALUE = re.compile(
    r"(?P<address>://[^/\s@]+@|[?&](api[_-]?key|key|token|access_token|sig|signature|secret|password|code)=[^&\s])"
    r"|\b(Bearer|Basic)\s+[\w.~+/=-]{8}"
    # OpenAI, Anthropic and others; Google; GitHub; Hugging Face; Slack; AWS; Groq; xAI; JSON Web Tokens.
    r"|\b[spr]k-[\w-]{16}|\bAIza[\w-]{30}|\bgh[pousr]_\w{30}|\bgithub_pat_\w{20}|\bhf_[A-Za-z0-9]{20}|\bxox[abprs]-\w"
    r"|\bAKIA[0-9A-Z]{16}|\bgsk_\w{20}|\bxai-\w{20}|\beyJ[\w-]{8,}\.eyJ"
)
# Of a server's address nothing but its path is ever used.
_ADDRESS = "base_url"
_BEHIND_ADDRESS = re.compile(r"[?#@]")
_MOST_LEVELS = 50
_NO_SUCH_ADDRESS = (
    "found an address with a key or password in it, or where one may stand; expected one without user name or "
    "password and without anything behind '?' or '#'."
)
_EXPECTED = (
    "expected none in a configuration: the setting 'api_key_env' names the environment variable that holds the "
    "key, and Snakemake writes down whatever else it reads."
)


def require_no_keys(value: object, place: str) -> None:
    """Refuse a secret at any depth of a configured value.

    Args:
        value: Mappings, lists and plain values.
        place: Where it stands, for the message.

    Raises:
        AfterimageError: There is one, or the value is nested so deeply that nobody can have meant it.
    """
    _require(value, place, in_headers=False, level=0)


def _require(value: object, place: str, in_headers: bool, level: int) -> None:
    if level > _MOST_LEVELS:
        raise AfterimageError(f"{place}: found more than {_MOST_LEVELS} levels; expected fewer.")
    if isinstance(value, Mapping):
        for name, part in value.items():
            _require_member(str(name), part, place, in_headers, level)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            _require(part, f"{place}[{number}]", in_headers, level + 1)
    elif isinstance(value, str) and (found := _VALUE.search(value)):
        if found["address"]:
            raise AfterimageError(f"{place}: {_NO_SUCH_ADDRESS}")
        raise AfterimageError(f"{place}: found what looks like a key; {_EXPECTED}")


def _require_member(name: str, part: object, place: str, in_headers: bool, level: int) -> None:
    if _VALUE.search(name):
        raise AfterimageError(f"{place}: found a name that looks like a key; {_EXPECTED}")
    if name == _ADDRESS and isinstance(part, str) and _BEHIND_ADDRESS.search(part):
        raise AfterimageError(f"{place}.{name}: {_NO_SUCH_ADDRESS}")
    plain = _CAMEL.sub("_", name)
    inside = f"{place}.{name}"
    is_secret = _NAME.search(plain) or (in_headers and _HEADER.search(plain))
    if is_secret and isinstance(part, str | Mapping | list) and part:
        raise AfterimageError(f"{inside} holds a secret; {_EXPECTED}")
    _require(part, inside, in_headers or bool(_HEADERS.search(plain)), level + 1)
