"""A suite's part of ``config.yaml`` as a dataclass, and the JSON Schema that follows from it.

Standard library only. A field's type, default and metadata are all there is to say::

    @dataclass(frozen=True)
    class Settings(SuiteSettings):
        dots: int = setting(9, "The most dots on an image.", minimum=1)
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

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

    Attributes:
        human_answers: No setting: results of the suite's forms for which something has come back, to their files.
    """

    human_answers: Mapping[str, str] = field(default_factory=dict, kw_only=True)

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


def schema_of(settings: type[SuiteSettings], title: str, description: str) -> dict[str, Any]:
    """Return the JSON Schema of a suite's settings.

    Args:
        settings: The dataclass.
        title: The suite's name.
        description: One line about the suite.
    """
    hints = get_type_hints(settings)
    properties = {
        one.name: _property(hints[one.name], one) for one in fields(settings) if one.metadata
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


def _property(hint: Any, one: Any) -> dict[str, Any]:
    default = one.default if one.default_factory is MISSING else one.default_factory()
    return {
        "description": one.metadata.get("description", ""),
        **_typed(hint),
        **one.metadata.get("schema", {}),
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
