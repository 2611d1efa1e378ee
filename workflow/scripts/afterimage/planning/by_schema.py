"""A value checked against its JSON Schema and completed with its defaults: all faults at once, as sentences."""

import copy
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.yaml import read_yaml_mapping, shown

_TYPE_WORDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "nothing (null)",
    "number": "a number",
    "object": "a mapping",
    "string": "a text",
}


#: Checks with JSON Schema, but for one thing: 30.0 is no whole number, since nothing can be counted with it.
STRICT = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


def completed(
    value: object,
    schema: Mapping[str, Any],
    where: str,
    elsewhere: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return a copy of ``value`` that follows ``schema``, with the schema's defaults filled in.

    Args:
        value: What was found.
        schema: The JSON Schema.
        where: What the sentences begin with.
        elsewhere: Keys that belong in another place, to that place.

    Raises:
        AfterimageError: All faults, a line each, with key, what was found and what was expected.
    """
    result = copy.deepcopy(value)
    if not isinstance(result, dict):
        raise AfterimageError(
            f"{where}: found {shown(value)}; expected a mapping of keys to values."
        )
    fill_defaults(result, schema)
    faults = sorted(
        STRICT(schema).iter_errors(result),
        key=lambda fault: (
            list(map(str, fault.absolute_path)),
            fault.validator != "additionalProperties",
        ),
    )
    if faults:
        # Of several faults of one value the first says enough: of an empty text not also that it fits no pattern.
        by_place = {str(list(fault.absolute_path)) + _which(fault): fault for fault in faults[::-1]}
        sentences = (
            one
            for fault in reversed(by_place.values())
            for one in _sentences(fault, where, elsewhere or {})
        )
        raise AfterimageError("\n".join(dict.fromkeys(sentences)))
    return result


def without_faults(value: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a mapping without the keys, at any depth, that hold faults; what is missing stays missing."""
    result = copy.deepcopy(dict(value))
    while faults := [
        one
        for one in STRICT(schema).iter_errors(result)
        if one.absolute_path or one.validator != "required"
    ]:
        _leave_out(result, faults[0])
    return result


def _leave_out(value: dict[str, Any], fault: jsonschema.ValidationError) -> None:
    """Remove the unknown keys that a fault is about, or the key whose value it is about."""
    path = list(fault.absolute_path)
    names = set(fault.instance) if fault.validator == "additionalProperties" else set()
    names -= set(fault.schema.get("properties", ()))
    if not names:
        while isinstance(path[-1], int):
            path.pop()
        names = {path.pop()}
    place: Any = value
    for step in path:
        place = place[step]
    for name in names:
        del place[name]


def _which(fault: jsonschema.ValidationError) -> str:
    """Tell apart the faults of a mapping that have a key each."""
    return fault.message if fault.validator in ("required", "additionalProperties") else ""


@cache
def read_schema(path: Path) -> dict[str, Any]:
    """Read a JSON Schema that is written as YAML."""
    return read_yaml_mapping(path, "the schemas")


def fill_defaults(value: dict[str, Any], schema: Mapping[str, Any]) -> None:
    """Fill in the defaults of a schema, at all depths."""
    for key, part in schema.get("properties", {}).items():
        if key not in value and "default" in part:
            value[key] = copy.deepcopy(part["default"])
        if isinstance(value.get(key), dict):
            fill_defaults(value[key], part)


def _sentences(
    fault: jsonschema.ValidationError, where: str, elsewhere: Mapping[str, str]
) -> list[str]:
    """Return what a fault says, a sentence for each key that is unknown or missing."""
    key = _key(fault.absolute_path)
    if fault.validator == "additionalProperties":
        known = fault.schema.get("properties", {})
        unknown = [f"{key}.{name}" if key else name for name in fault.instance if name not in known]
        return [
            f"{where}: unknown key '{name}': did you mean '{elsewhere[name]}.{name}'?"
            if name in elsewhere
            else str(unknown_name("key", name, _full(key, known), where))
            for name in unknown
        ]
    if fault.validator == "required":
        place = f"{where}: key '{key}'" if key else where
        return [
            f"{place}: key '{name}' is missing{_description(fault.schema, name)}."
            for name in fault.validator_value
            if name not in fault.instance
        ]
    return [_sentence(fault, where)]


def _sentence(fault: jsonschema.ValidationError, where: str) -> str:
    key = _key(fault.absolute_path)
    place = f"{where}: key '{key}'" if key else where
    # What may be a key in the wrong place is not repeated.
    found = "what is not shown" if fault.schema.get("writeOnly") else shown(fault.instance)
    match fault.validator:
        case "enum":
            return str(
                unknown_name("value", fault.instance, map(str, fault.validator_value), place)
            )
        case "type":
            allowed = fault.validator_value
            words = [
                _TYPE_WORDS[name] for name in ([allowed] if isinstance(allowed, str) else allowed)
            ]
            return f"{place}: found {found}; expected {' or '.join(words)}."
        case "minLength":
            return f"{place}: found an empty text; expected a text."
        case "minItems" | "minProperties":
            return f"{place}: is empty ({found}); expected at least {fault.validator_value} entry."
        case "uniqueItems":
            twice = next(item for item in fault.instance if fault.instance.count(item) > 1)
            return f"{place}: {shown(twice)} is named twice; expected each once."
        case "minimum":
            return f"{place}: found {found}; expected at least {fault.validator_value}."
        case "maximum":
            return f"{place}: found {found}; expected at most {fault.validator_value}."
        case "multipleOf":
            return f"{place}: found {found}; expected a multiple of {fault.validator_value}."
        case "exclusiveMinimum":
            return f"{place}: found {found}; expected more than {fault.validator_value}."
        case "exclusiveMaximum":
            return f"{place}: found {found}; expected less than {fault.validator_value}."
        case "pattern" | "const":
            return f"{place}: found {found}; expected: {fault.schema.get('description', fault.message)}"
    return f"{place}: found {found}; {fault.message}."


def _full(key: str, names: Iterable[str]) -> list[str]:
    return [f"{key}.{name}" if key else name for name in names]


def _description(schema: Mapping[str, Any], key: str) -> str:
    part = schema.get("properties", {}).get(key, {})
    values = f"; expected one of: {', '.join(map(str, part['enum']))}" if "enum" in part else ""
    return f" ({part['description'].rstrip('.')}){values}" if "description" in part else values


def _key(path: Iterable[object]) -> str:
    key = ""
    for part in path:
        key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else str(part)
    return key
