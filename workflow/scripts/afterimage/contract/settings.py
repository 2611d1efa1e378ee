"""A suite's part of ``config.yaml`` as a dataclass, the JSON Schema that follows from it, and that it holds no key.

Standard library only. A field's type, default and metadata are all there is to say::

    @dataclass(frozen=True)
    class Settings(SuiteSettings):
        dots: int = setting(9, "The most dots on an image.", minimum=1)
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from afterimage.errors import AfterimageError, Setting, fault

_TYPES: dict[Any, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    NoneType: "null",
}


def setting(default: Any = MISSING, description: str = "", **schema: Any) -> Any:
    """Declare a setting.

    Args:
        default: What it is where the configuration says nothing; a setting without one has to be set.
        description: One line for users.
        schema: Further keywords of JSON Schema (``minimum``, ``maximum``, ``enum``, ``pattern``, ``minItems``, ...).
    """
    metadata = {"description": description, "schema": schema}
    if isinstance(default, list | dict):
        # Each copy of the settings gets a value of its own.
        return field(default_factory=lambda: type(default)(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def key(default: Any, description: str, **schema: Any) -> Mapping[str, Any]:
    """Declare a key of a setting that is a mapping; its type is that of the default.

    Args:
        default: What it is where the configuration says nothing.
        description: One line for users.
        schema: Further keywords of JSON Schema.
    """
    return {"description": description, **_typed(type(default)), **schema, "default": default}


@dataclass(frozen=True)
class SuiteSettings(Mapping[str, Any]):
    """The settings of a suite: attributes, and a mapping for whatever chooses some of them by name, as specs do.

    ``prompts`` and ``prompt_file`` mean the same in every suite that has them: the ids of the wordings in use, and the
    file that holds them; ``text_first`` names the models that read the texts of a turn before its images.
    """

    def __getitem__(self, name: str) -> Any:
        """Return a setting by its name."""
        return vars(self)[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(vars(self))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(vars(self))


def prompts_in_use(default: list[str], description: str, **schema: Any) -> Any:
    """Declare the setting ``prompts``."""
    return setting(default, description, minItems=1, uniqueItems=True, **schema)


def some_of(names: Sequence[str]) -> dict[str, Any]:
    """Return the keywords of a setting that lists some of these names, each once."""
    items = {"type": "string", "enum": list(names)}
    return {"minItems": 1, "uniqueItems": True, "items": items}


def schema_of(settings: type[SuiteSettings], title: str, description: str) -> dict[str, Any]:
    """Return the JSON Schema of a suite's settings.

    Args:
        settings: The dataclass.
        title: The suite's name.
        description: One line about the suite.
    """
    hints = get_type_hints(settings)
    properties = {
        setting.name: _property(hints[setting.name], setting)
        for setting in fields(settings)
        if setting.metadata
    }
    required = [name for name, entry in properties.items() if "default" not in entry]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": description,
        "type": "object",
        "additionalProperties": False,
        **({"required": required} if required else {}),
        "properties": properties,
    }


def _property(hint: Any, setting: Any) -> dict[str, Any]:
    default = setting.default if setting.default_factory is MISSING else setting.default_factory()
    return {
        "description": setting.metadata.get("description", ""),
        **_typed(hint),
        **setting.metadata.get("schema", {}),
        **({} if default is MISSING else {"default": default}),
    }


def _typed(hint: Any) -> dict[str, Any]:
    if hint is Any:
        return {}
    if isinstance(hint, UnionType):
        kinds = [_typed(part)["type"] for part in get_args(hint)]
        return {"type": kinds if len(kinds) > 1 else kinds[0]}
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin in (list, tuple):
        return {"type": "array", **({"items": _typed(arguments[0])} if arguments else {})}
    if origin in (dict, Mapping):
        return {
            "type": "object",
            **({"additionalProperties": _typed(arguments[1])} if arguments else {}),
        }
    return {"type": _TYPES[origin]}


# ---- No key, password or token in a configuration ----
#
# Snakemake writes what it reads to logs and records. So keys are looked for in all values, before anything else
# is done with it, and by its place alone: no message repeats a value, or a name that looks like one.

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
    r"(?P<address>://[^/\s@]+@|://\S*[/;](api[_-]?key|key|token|access_token|secret|password)[=/][^&/\s]{8}|[?&](api[_-]?key|key|token|access_token|sig|signature|secret|password|code)=[^&\s])"
    r"|\b(Bearer|Basic)\s+[\w.~+/=-]{8}"
    # OpenAI, Anthropic and others; Google; GitHub; Hugging Face; Slack; AWS; Groq; xAI; JSON Web Tokens.
    r"|\b[spr]k-[\w-]{16}|\bAIza[\w-]{30}|\bgh[pousr]_\w{30}|\bgithub_pat_\w{20}|\bhf_[A-Za-z0-9]{20}|\bxox[abprs]-\w"
    r"|\bAKIA[0-9A-Z]{16}|\bgsk_\w{20}|\bxai-\w{20}|\beyJ[\w-]{8,}\.eyJ"
)
# Of a server's address nothing but its path is ever used.
_ADDRESS = "base_url"
_BEHIND_ADDRESS = re.compile(r"[?#@]")
# How variables are named that hold a key, in capitals as is usual; and what stands between the parts of a value.
_VARIABLE = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
_NAMES_VARIABLE = "api_key_env"
_BETWEEN = re.compile(r"[\s/?#&=@:,;\"']+")
_SHORTEST, _SURE = 8, 16
_MAX_LEVELS = 50
_NO_SUCH_ADDRESS = (
    "found an address with a key or password in it, or where one may stand; expected one without user name or "
    "password and without anything behind '?' or '#'."
)
_EXPECTED = (
    "expected none in a configuration: the setting 'api_key_env' names the environment variable that holds the "
    "key, and Snakemake writes down whatever else it reads."
)


def require_no_keys(value: object, setting: Setting) -> None:
    """Refuse a secret at any depth of a configured value.

    Args:
        value: Mappings, lists and plain values.
        setting: Its setting, for the message.

    Raises:
        AfterimageError: There is one, or the value is nested too deeply.
    """
    keys = _keys_of_environment(value)
    _require(value, setting, _Found(keys), level=0)


@dataclass(frozen=True)
class _Found:
    """What is known on the way down: keys to the variables that hold them, and whether this is about headers."""

    keys: Mapping[str, str]
    in_headers: bool = False


def _keys_of_environment(value: object) -> dict[str, str]:
    """Return the keys that the environment holds, each with the name of its variable."""
    named = set(_named_variables(value, 0))
    return {
        held.strip(): name
        for name, held in os.environ.items()
        if (name in named or _VARIABLE.search(name)) and len(held.strip()) >= _SHORTEST
    }


def _named_variables(value: object, level: int) -> Iterator[str]:
    """Yield the names of variables that entries say hold their keys."""
    if level > _MAX_LEVELS:
        return
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name == _NAMES_VARIABLE and isinstance(part, str):
                yield part
            yield from _named_variables(part, level + 1)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _named_variables(part, level + 1)


def _require(value: object, setting: Setting, found: _Found, level: int) -> None:
    if level > _MAX_LEVELS:
        raise fault(setting, f"found more than {_MAX_LEVELS} levels; expected fewer.")
    if isinstance(value, Mapping):
        for name, part in value.items():
            _require_member(str(name), part, setting, found, level)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            _require(part, setting.below(f"[{number}]"), found, level + 1)
    elif isinstance(value, str | int | float):
        _require_plain(str(value), setting, found.keys)


def _require_plain(value: str, setting: Setting, keys: Mapping[str, str]) -> None:
    if secret := _VALUE.search(value):
        if secret["address"]:
            raise fault(setting, _NO_SUCH_ADDRESS)
        raise fault(setting, f"found what looks like a key; {_EXPECTED}")
    if variable := _variable_of(value, keys):
        raise fault(setting, f"found the value of environment variable '{variable}'; {_EXPECTED}")


def _variable_of(value: str, keys: Mapping[str, str]) -> str | None:
    """Return the variable whose key a value contains, a short key only as a separate part."""
    parts = _BETWEEN.split(value)
    for key, name in keys.items():
        if key == value or key in parts or (len(key) >= _SURE and key in value):
            return name
    return None


def _require_member(name: str, part: object, setting: Setting, found: _Found, level: int) -> None:
    if _VALUE.search(name) or _variable_of(name, found.keys):
        raise fault(setting, f"found a name that looks like a key; {_EXPECTED}")
    if name == _ADDRESS and isinstance(part, str) and _BEHIND_ADDRESS.search(part):
        raise fault(setting.below(f".{name}"), _NO_SUCH_ADDRESS)
    plain = _CAMEL.sub("_", name)
    inside = setting.below(f".{name}")
    is_secret = _NAME.search(plain) or (found.in_headers and _HEADER.search(plain))
    # A number is a password as well; true and false are not.
    is_empty = isinstance(part, bool) or part in (None, "", [], {})
    if is_secret and not is_empty:
        raise AfterimageError(f"{inside} holds a secret; {_EXPECTED}", inside.key)
    in_headers = found.in_headers or bool(_HEADERS.search(plain))
    _require(part, inside, replace(found, in_headers=in_headers), level + 1)
